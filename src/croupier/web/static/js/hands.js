// The list of a match's hands, in order or biggest pots first.

import { api } from "./api.js";
import { h } from "./dom.js";
import { chips, listed } from "./format.js";
import { pager } from "./pager.js";
import { blank, load } from "./state.js";
import { t, tn } from "./words.js";

const ORDERS = { number: t("In order"), pot: t("Biggest pots first") };

export class HandList {
  constructor(match, open) {
    this.match = match;
    this.open = open;
    this.order = "number";
    this.page = 1;
    this.place = h("div", {});
    this.tabs = Object.entries(ORDERS).map(([order, text]) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(order === this.order),
          onclick: () => this.sort(order),
        },
        text,
      ),
    );
    this.element = h(
      "div",
      { class: "hands" },
      h("div", { class: "tabs", role: "group", "aria-label": t("Order of the hands") }, this.tabs),
      this.place,
    );
  }

  sort(order) {
    this.order = order;
    this.page = 1;
    this.tabs.forEach((tab, index) =>
      tab.setAttribute("aria-pressed", String(Object.keys(ORDERS)[index] === order)),
    );
    return this.load();
  }

  /** Fill the list; return the number of its first hand, or null if it is empty. */
  async load() {
    let first = null;
    await load(this.place, t("the hands"), async () => {
      const found = await api.hands(this.match, {
        order: this.order,
        page: this.page,
        per_page: 20,
      });
      first = found.items[0]?.hand ?? null;
      if (first === null) return blank(t("No hands yet"), "");
      return [
        h(
          "ol",
          { class: "hand-list" },
          found.items.map((item) => this.row(item)),
        ),
        pager(
          found,
          (page) => {
            this.page = page;
            this.load();
          },
          (number) => tn(number, "{n} hand", "{n} hands"),
        ),
      ];
    });
    return first;
  }

  row({ hand, pot, winners, void: cut }) {
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", disabled: cut, onclick: () => this.open(hand) },
        h("span", { class: "no" }, t("Hand {n}", { n: String(hand) })),
        h("span", { class: "who" }, cut ? t("void") : listed(winners)),
        h("span", { class: "chips" }, cut ? "" : chips(pot)),
      ),
    );
  }
}
