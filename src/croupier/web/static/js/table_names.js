// What tables are called where people read it: those of contests by who plays there.

import { h, path } from "./dom.js";
import { t } from "./words.js";

// As the server names tables of contests, and of friendly matches between its teams.
const CONTEST = /^contest-(\d+) ([^/]+)\/([^/]+)\//;
const FRIENDLY = /^friendly-(\d+) \d+$/;
const MOST = 3; // names that make a title
const STATES = {
  seating: t("taking seats"),
  countdown: t("about to begin"),
  returning: t("waiting for players to come back"),
  pausing: t("paused after this hand"),
  paused: t("paused"),
  over: t("over"),
  closed: t("closed"),
  failed: t("failed"),
};

/** What a table is doing; all states that are not named are parts of the play. */
export function stateName(state) {
  return STATES[state] ?? t("playing");
}

/** The contest that a table belongs to, with stage and fixture unless the match is friendly. */
export function contestOf(table) {
  const [, contest, stage, fixture] = CONTEST.exec(table) ?? FRIENDLY.exec(table) ?? [];
  return { contest, stage, fixture };
}

/**
 * Who meets at a table of a contest, in the order in which they came, whatever seats they drew;
 * empty where the table's own name is the better one.
 */
export function meeting(table, players) {
  const { contest, stage } = contestOf(table);
  if (!contest) return "";
  const came = players.toSorted((one, other) => (one.player ?? 0) - (other.player ?? 0));
  const teams = came.map(({ name }) => name).join(" – ");
  if (!stage) return teams ? t("Friendly match: {teams}", { teams }) : t("Friendly match");
  return players.length <= MOST ? teams : "";
}

/** A link from a match of a contest to its fixture there; null for other matches. */
export function fixtureLink({ table }) {
  const { contest, stage, fixture } = contestOf(table);
  if (!fixture) return null;
  const page = `${path("contests", contest)}?stage=${encodeURIComponent(stage)}`;
  return h("a", { href: `${page}#f-${stage}-${fixture}` }, `${stage} ${fixture}`);
}

/** The title of a table's page. */
export function tableTitle(table, players) {
  return meeting(table, players) || t("Table {table}", { table });
}
