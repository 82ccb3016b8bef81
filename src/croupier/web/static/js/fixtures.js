// Lists of fixtures: who meets whom, how far it is, and where to watch or replay it.

import { h, path } from "./dom.js";
import { clauses, gain, labelled, signed } from "./format.js";
import { button } from "./state.js";
import { sentence, t, tn } from "./words.js";

const AT_ONCE = 40; // fixtures of a stage without rounds that are shown before one asks for all

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
  return texts[fixture.state];
}

/** What marks a team that has forfeited. */
export function forfeitMark(team, forfeits) {
  return team in forfeits
    ? [" ", h("span", { class: "badge forfeit", title: sentence(forfeits[team]) }, t("forfeit"))]
    : null;
}

/** Why teams have forfeited, in a line of its own. */
function reasons(forfeits) {
  return Object.entries(forfeits).map(([team, why]) =>
    h("span", { class: "why muted small" }, labelled(team, sentence(why))),
  );
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
        fixture.label ? h("span", { class: "label" }, sentence(fixture.label)) : null,
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
              h(
                "span",
                { class: "chips muted" },
                fixture.chips.length ? gain(fixture.chips[at]) : "",
              ),
              forfeitMark(team, fixture.forfeits),
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
        reasons(fixture.forfeits),
      );
    }),
  );
}

/** Fixtures of a stage without rounds: of many, the newest first, and not all at once. */
export function longList(fixtures, teamHref) {
  if (fixtures.length <= AT_ONCE) return fixtureList(fixtures, teamHref);
  const newest = [...fixtures].reverse();
  const place = h("div", {}, fixtureList(newest.slice(0, AT_ONCE), teamHref));
  const all = button(t("Show all {n} fixtures", { n: String(newest.length) }), () => {
    place.replaceChildren(fixtureList(newest, teamHref));
    place.querySelectorAll("li")[AT_ONCE].querySelector("a").focus();
  });
  place.append(h("p", {}, all));
  return place;
}

/** Fixtures under the headings of their rounds. */
export function byRounds(fixtures, teamHref) {
  const rounds = new Map();
  for (const one of fixtures) {
    if (!rounds.has(one.round)) rounds.set(one.round, []);
    rounds.get(one.round).push(one);
  }
  if (rounds.size === fixtures.length || rounds.size < 2) return longList(fixtures, teamHref);
  return [...rounds].map(([round, list]) =>
    h(
      "section",
      {},
      h("h3", {}, t("Round {n}", { n: String(round) })),
      fixtureList(list, teamHref),
    ),
  );
}

/** "3 of 12 matches"; a ladder goes on, so there is no number to reach. */
export function progress({ played, matches, format }) {
  if (format === "ladder") return tn(played, "{n} match played", "{n} matches played");
  return tn(matches, "{played} of {n} match played", "{played} of {n} matches played", {
    played: String(played),
  });
}
