// The big screen cycles through the running tables.

import { api } from "./api.js";
import { path } from "./dom.js";

const RUNNING = ["playing", "paused", "returning"];
const STAY_MS = 25_000;
const LOOK_MS = 1_000;
const LONGEST_MS = 40_000; // do not wait longer for the end of a hand

/** Show the running tables in turn, switching between hands if possible. */
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

/** The running table after this one, or null if there is none or the server does not answer. */
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
