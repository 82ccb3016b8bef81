// The bracket of a knockout, from the first round at the left to the final at the right.

import { h } from "./dom.js";
import { t } from "./words.js";

function roundName(meetings) {
  const first = meetings[0].label;
  if (first === "final") return t("Final");
  if (first.startsWith("semi-final")) return t("Semi-finals");
  if (first.startsWith("quarter-final")) return t("Quarter-finals");
  return t("Round of {n}", { n: String(2 * meetings.length) });
}

function side(team, meeting, fixture, teamHref) {
  if (team === null) return h("span", { class: "entrant open" }, t("to be decided"));
  if (team === "") return h("span", { class: "entrant open" }, t("bye"));
  const won = meeting.winner === team;
  const lost = meeting.winner !== null && !won;
  const at = fixture ? fixture.teams.indexOf(team) : -1;
  const amount = at >= 0 && fixture.points.length ? fixture.points[at] : null;
  return h(
    "span",
    { class: `entrant ${won ? "won" : lost ? "lost" : ""}` },
    h("a", { href: teamHref(team), class: "name" }, team),
    won ? h("span", { class: "vh" }, t("won")) : null,
    amount === null ? null : h("span", { class: "points" }, String(amount)),
  );
}

function box(meeting, fixture, { href, teamHref }) {
  const live = fixture?.records.some((record) => record.ended === null);
  const state = live ? t("being played") : fixture && !meeting.winner ? t("to come") : null;
  return h(
    "li",
    {},
    h(
      "div",
      { class: `meeting ${live ? "live" : ""}` },
      meeting.teams.map((team) => side(team, meeting, fixture, teamHref)),
      fixture
        ? h(
            "a",
            { class: "to-fixture", href: href(meeting.fixture) },
            state ?? t("Matches"),
            h("span", { class: "vh" }, ` ${meeting.teams.filter(Boolean).join(" – ")}`),
          )
        : null,
    ),
  );
}

/** The bracket; `href(fixture)` is where a fixture's matches are listed. */
export function bracket(meetings, fixtures, links) {
  const byName = new Map(fixtures.map((one) => [one.fixture, one]));
  const isThird = (one) => one.label === "third place";
  const rounds = [];
  for (const meeting of meetings.filter((one) => !isThird(one)))
    (rounds[meeting.round - 1] ??= []).push(meeting);
  const draw = (meeting) => box(meeting, byName.get(meeting.fixture), links);
  const column = (title, round, look) =>
    h("section", { class: `round ${look}` }, h("h3", {}, title), h("ol", {}, round.map(draw)));
  const third = meetings.filter(isThird);
  return h(
    "div",
    { class: "bracket", tabindex: "0", role: "region", "aria-label": t("Bracket") },
    rounds.map((round) => column(roundName(round), round, "")),
    third.length ? column(t("Third place"), third, "third") : null,
  );
}
