// The big screen goes round the running tables by itself.

import { api } from "./api.js";
import { path } from "./dom.js";

const RUNNING = ["playing", "paused", "returning"];
const STAY_MS = 25_000;
const LOOK_MS = 1_000;
const LONGEST_MS = 40_000; // where hands take long, do not wait for the end of one

/** Show one running table after the other; change between hands, so that nothing is cut off. */
export function tour(page) {
  let since = Date.now();
  const look = async () => {
    const stayed = Date.now() - since;
    const between = !page.scene || page.scene.over || page.scene.state !== "playing";
    if (stayed >= STAY_MS && (between || stayed >= LONGEST_MS)) {
      since = Date.now();
      const next = await following(page.name);
      if (next !== null && next !== page.name) {
        page.watch(next);
        history.replaceState(null, "", `${path("live", next)}?screen=1`);
      }
    }
    setTimeout(look, LOOK_MS);
  };
  setTimeout(look, LOOK_MS);
}

/** The running table after this one, or null where there is none or nobody answers. */
async function following(name) {
  try {
    const { items } = await api.tables();
    const running = items.filter((item) => RUNNING.includes(item.state));
    const tables = (running.length ? running : items).map((item) => item.table);
    return tables.length ? tables[(tables.indexOf(name) + 1) % tables.length] : null;
  } catch {
    return null;
  }
}
