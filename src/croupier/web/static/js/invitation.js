// Before one takes a seat: who is at the table, by which rules, and what happens then.

import { h, panel } from "./dom.js";
import { chips, clauses, count, dialectName } from "./format.js";
import { blindsOf } from "./table.js";
import { t } from "./words.js";

function inSeconds(ms) {
  return t("{n} s", { n: String(ms / 1000) });
}

function playerNames({ players }) {
  if (!players.length) return t("Nobody");
  return h(
    "ul",
    { class: "plain-list" },
    players.map(({ name, dialect }) =>
      h("li", {}, h("span", { class: "name" }, name), " ", badge(dialectName(dialect))),
    ),
  );
}

function badge(text) {
  return text ? h("span", { class: "badge" }, text) : null;
}

function length({ hands }) {
  return hands ? t("up to {n} hands", { n: count(hands) }) : t("until one is left");
}

/** What a visitor wants to know of a table, as [name, value]. */
function facts({ summary, terms }) {
  const seats = { taken: String(summary.players.length), seats: String(summary.seats) };
  return [
    [t("Players"), playerNames(summary)],
    [t("Seats"), t("{taken} of {seats} seats taken", seats)],
    [t("Rules"), clauses(summary.rules, blindsOf(terms))],
    [t("Chips at the start"), chips(terms.stack)],
    [t("Length"), length(terms)],
    [
      t("Time for a decision"),
      t("you {yours}, programs {theirs}", {
        yours: inSeconds(terms.human_ms),
        theirs: inSeconds(terms.decision_ms),
      }),
    ],
  ];
}

/** Two panels: the table as it is, and what happens after one has taken a seat. */
export function invitation(detail) {
  return [
    panel(
      t("The table"),
      {},
      h(
        "dl",
        { class: "deals" },
        facts(detail).map(([name, value]) => [h("dt", { class: "muted" }, name), h("dd", {}, value)]),
      ),
    ),
    panel(
      t("What happens then"),
      {},
      h(
        "ol",
        { class: "steps-to-come" },
        h(
          "li",
          {},
          detail.summary.free
            ? t("You have a place, and the match begins as soon as enough players are here.")
            : t("The match that is being played has no place; the next one opens when it is over."),
        ),
        h("li", {}, t("You see your own cards. When it is your turn, the buttons say what you may do.")),
        h("li", {}, t("The address of the page brings you back to your seat, after a reload too.")),
        h("li", {}, t("You may leave at any time; every hand can be replayed afterwards.")),
      ),
    ),
  ];
}
