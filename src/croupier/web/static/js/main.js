// The entry point of every page: load the module that the body's data-page attribute names.

import { addSwitches, applyChoices } from "./switches.js";

const PAGES = {
  home: () => import("./home.js"),
  live: () => import("./live.js"),
  contests: () => import("./contests.js"),
  contest: () => import("./contest.js"),
  team: () => import("./team.js"),
  play: () => import("./play.js"),
  games: () => import("./games.js"),
  match: () => import("./match.js"),
  players: () => import("./players.js"),
  docs: () => import("./docs.js"),
  tools: () => import("./tools.js"),
};

applyChoices();
addSwitches(document.querySelector("body > header"));
const page = await PAGES[document.body.dataset.page]?.();
await page?.start(document.getElementById("main"), document.body.dataset);
