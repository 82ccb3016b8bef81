// The big screen goes round the running tables: where the pot is big or somebody is all in comes
// first, then where a leader plays, then where it has not been for longest.

import { api } from "./api.js";
import { path } from "./dom.js";

const RUNNING = ["playing", "paused", "returning"];
const LOOK_MS = 1000;
const STAY_MS = 12_000; // at one table, at least
const TURN_MS = 30_000; // then another one has its turn
const LONGEST_MS = 45_000; // do not wait longer for the end of a hand
const ALL_IN = 60; // what an all-in is worth, in big blinds of a pot
const LEADER = 15;
const PATIENCE = 60; // seconds unseen that count, each as one big blind

/** How much there is to see at a table, given the leaders' names and the seconds unseen. */
export function interest(table, leaders, unseen) {
  const leads = table.players.some((player) => leaders.has(player.name));
  return (
    table.pot / Math.max(1, table.big_blind) +
    (table.all_in ? ALL_IN : 0) +
    (leads ? LEADER : 0) +
    Math.min(unseen, PATIENCE)
  );
}

/** The table to show now: the present one, unless another is worth more and it is time. */
export function choose(tables, leaders, seen, now) {
  const running = tables.filter((table) => RUNNING.includes(table.state));
  let best = null;
  for (const table of running.length ? running : tables) {
    const unseen = (now - (seen.get(table.table) ?? -PATIENCE * 1000)) / 1000;
    const worth = interest(table, leaders, unseen);
    if (best === null || worth > best.worth) best = { name: table.table, worth };
  }
  return best?.name ?? null;
}

/** Show the running tables by interest, switching between hands if possible. */
export function tour(page) {
  const seen = new Map();
  let since = performance.now();
  const look = async () => {
    const now = performance.now();
    if (page.name) seen.set(page.name, now);
    const stayed = now - since;
    const between = !page.scene || page.scene.over || page.scene.state !== "playing";
    const may = page.name ? stayed >= STAY_MS && (between || stayed >= LONGEST_MS) : true;
    if (may) {
      const next = await wanted(page.name, stayed, seen, now);
      if (next === null) page.idle();
      if (next && next !== page.name) {
        since = now;
        page.watch(next);
        history.replaceState(null, "", `${path("live", next)}?screen=1`);
      }
    }
    setTimeout(look, LOOK_MS);
  };
  look();
}

/** The table to go to, null if there is none, or undefined if the server does not answer. */
async function wanted(name, stayed, seen, now) {
  try {
    const [{ items }, { leaders }] = await Promise.all([api.tables(), api.status()]);
    // Before its turn is over, the present table gives way to a great moment only.
    const others = stayed < TURN_MS ? items.filter((one) => one.all_in || one.table === name) : items;
    const names = new Set(leaders.slice(0, 3).map((leader) => leader.name));
    return choose(others.length ? others : items, names, seen, now);
  } catch {
    return undefined;
  }
}
