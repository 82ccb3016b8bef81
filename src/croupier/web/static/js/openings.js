// What the server is bound to at a table, and how often the table was opened before.

import { api } from "./api.js";
import { h, panel, path } from "./dom.js";
import { to } from "./files.js";
import { fullStop, moment } from "./format.js";
import { t } from "./words.js";

export class Openings {
  constructor() {
    this.body = h("div", {});
    this.element = panel(t("Deals"), { class: "openings" }, this.body);
    this.element.hidden = true;
  }

  /** Show what holds for the match of a scene; asks the server before it and once it has begun. */
  async show(table, { match, state }) {
    const asked = `${table} ${match} ${state === "seating"}`;
    if (!match || asked === this.asked) return;
    this.asked = asked;
    try {
      const [{ bound }, { items }] = await Promise.all([api.table(table), api.openings({ table })]);
      if (asked === this.asked) this.draw(bound, items);
    } catch {
      this.asked = undefined; // the table's own feed says what is wrong
    }
  }

  draw(bound, items) {
    this.element.hidden = !bound.commitment;
    const facts = [
      [t("Commitment"), bound.commitment],
      [t("Opening"), bound.opening === null ? "" : String(bound.opening)],
      [t("Beacon"), bound.announced],
      [t("Value of the beacon"), bound.beacon],
    ].filter(([, value]) => value);
    this.body.replaceChildren(
      h(
        "p",
        {},
        bound.secret
          ? t("The server is bound to its seed by this commitment; note it, and verify the match.")
          : t("The seed of this match was given by the organiser, so it is not secret."),
        " ",
        h("a", { href: to("/docs/deals") }, t("How to verify")),
        fullStop,
      ),
      h(
        "dl",
        { class: "deals" },
        facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, h("code", {}, value))]),
      ),
      ...(items.length > 1 ? [h("h3", {}, t("All openings of this table")), list(items)] : []),
    );
  }
}

function list(items) {
  return h(
    "ol",
    { class: "plain" },
    items.map(({ opening, at, match, commitment, announced }) =>
      h(
        "li",
        { value: String(opening) },
        `${moment(at)} `,
        h("code", { title: commitment }, commitment.slice(0, 12)),
        announced ? ` ${announced} ` : " ",
        match
          ? h("a", { href: path("games", match) }, match)
          : h("span", { class: "muted" }, t("no match")),
      ),
    ),
  );
}
