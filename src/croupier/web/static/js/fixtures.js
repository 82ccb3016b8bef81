// Lists of fixtures: who meets whom, how far it is, and where to watch or replay it.

import { h, path } from "./dom.js";
import { chips, clauses, signed } from "./format.js";
import { t, tn } from "./words.js";

/** A fixture's state in words. */
function state(fixture) {
  const texts = {
    played: t("played"),
    "not played": t("not played"),
    "broken off": t("broken off"),
    begun: t("{played} of {matches} played", {
      played: String(fixture.played),
      matches: String(fixture.matches),
    }),
    "to come": t("to come"),
  };
  const forfeits = Object.keys(fixture.forfeits).length;
  return clauses(texts[fixture.state], forfeits ? t("forfeit") : "");
}

/** What a fixture that goes on until something is shown has shown of its first team. */
function known({ interval, stopped, teams }) {
  if (!interval) return null;
  const half = interval.always_valid;
  const verdicts = {
    better: t("shown to be better"),
    worse: t("shown to be worse"),
    same: t("no difference"),
    budget: t("undecided"),
  };
  return h(
    "span",
    { class: "known muted", title: t("an interval that holds at every look") },
    clauses(
      t("{team}: {rate} ± {half} bb/100", {
        team: teams[0],
        rate: signed(interval.bb_per_100),
        half: half === null ? "?" : half.toFixed(1),
      }),
      interval.identical ? t("identical play") : "",
      stopped ? verdicts[stopped] : "",
    ),
  );
}

/** Links to the matches of a fixture: live, being played, or to replay. */
function records(fixture) {
  const many = fixture.matches > 1;
  return fixture.records.map((record, index) => {
    const number = many ? ` ${index + 1}` : "";
    if (record.table !== null)
      return h(
        "a",
        { class: "live-link", href: path("live", record.table) },
        t("Watch live") + number,
      );
    if (record.match === null) return null;
    const text = record.ended === null ? t("Follow") : t("Replay");
    return h("a", { href: path("games", record.match) }, text + number);
  });
}

function amount(fixture, at) {
  if (!fixture.chips.length) return "";
  const value = fixture.chips[at];
  return `${value > 0 ? "+" : ""}${chips(value)}`;
}

/** Fixtures as a list, each with an id to link to. */
export function fixtureList(fixtures, teamHref) {
  return h(
    "ul",
    { class: "fixtures" },
    fixtures.map((fixture) => {
      const on = fixture.records.some((record) => record.ended === null);
      const best = Math.max(...fixture.points);
      return h(
        "li",
        { class: on ? "live" : undefined, id: `f-${fixture.stage}-${fixture.fixture}` },
        h(
          "span",
          { class: "teams" },
          fixture.teams.map((team, at) =>
            h(
              "span",
              {
                class: `entrant ${fixture.points.length && fixture.points[at] === best ? "won" : ""}`,
              },
              h("a", { class: "name", href: teamHref(team) }, team),
              " ",
              h("span", { class: "chips muted" }, amount(fixture, at)),
            ),
          ),
        ),
        h(
          "span",
          { class: "where" },
          known(fixture),
          h("span", { class: "state" }, on ? t("being played") : state(fixture)),
          records(fixture),
        ),
      );
    }),
  );
}

/** Fixtures under the headings of their rounds. */
export function byRounds(fixtures, teamHref) {
  const rounds = new Map();
  for (const one of fixtures) {
    if (!rounds.has(one.round)) rounds.set(one.round, []);
    rounds.get(one.round).push(one);
  }
  if (rounds.size === fixtures.length || rounds.size < 2) return fixtureList(fixtures, teamHref);
  return [...rounds].map(([round, list]) =>
    h(
      "section",
      {},
      h("h3", {}, t("Round {n}", { n: String(round) })),
      fixtureList(list, teamHref),
    ),
  );
}

/** "3 of 12 matches". */
export function progress({ played, matches }) {
  return tn(matches, "{played} of {n} match played", "{played} of {n} matches played", {
    played: String(played),
  });
}
