// The other running tables, for the rail of the big screen: what else is on, and for how much.

import { api } from "./api.js";
import { h } from "./dom.js";
import { chips } from "./format.js";
import { meeting } from "./table_names.js";
import { t } from "./words.js";

const LOOK_MS = 5000;
const MOST = 6; // more than that is what the ticker is for

export class OtherTables {
  constructor() {
    this.list = h("ul", {});
    this.element = h("section", { class: "others", hidden: true }, h("h2", {}, t("Other tables")), this.list);
    this.look();
  }

  /** Leave out the table that is shown. */
  at(name) {
    this.name = name;
    this.draw();
  }

  async look() {
    try {
      this.tables = (await api.tables()).items;
      this.draw();
    } catch {
      // The line about the connection says it already.
    }
    setTimeout(() => this.look(), LOOK_MS);
  }

  draw() {
    const others = (this.tables ?? [])
      .filter((one) => one.hand && one.table !== this.name)
      .slice(0, MOST);
    this.element.hidden = others.length === 0;
    this.list.replaceChildren(
      ...others.map((one) =>
        h(
          "li",
          {},
          h("span", { class: "name" }, meeting(one.table, one.players) || one.table),
          h(
            "span",
            { class: one.all_in ? "chips strong" : "chips" },
            one.all_in ? t("all in") : t("Hand {n}", { n: chips(one.hand) }),
          ),
        ),
      ),
    );
  }
}
