// The ranking beside a live table: rank, name, chips, and a bar for the share of chips.

import { h, setText } from "./dom.js";
import { chips } from "./format.js";
import { t } from "./words.js";

export class Standings {
  constructor() {
    this.list = h("ol", { class: "standings" });
    this.rows = [];
  }

  show(ranking) {
    const most = Math.max(1, ...ranking.map((entry) => entry.chips));
    while (this.rows.length > ranking.length) this.rows.pop().item.remove();
    ranking.forEach((entry, index) => {
      this.rows[index] ??= this.row();
      const row = this.rows[index];
      setText(row.rank, String(entry.rank));
      setText(row.name, entry.name);
      row.name.title = entry.name;
      setText(row.chips, entry.out ? t("out") : chips(entry.chips));
      row.item.classList.toggle("out", entry.out);
      row.item.style.setProperty(
        "--share",
        String(entry.out ? 0 : Math.max(0, entry.chips) / most),
      );
    });
  }

  row() {
    const parts = {
      rank: h("span", { class: "place" }),
      name: h("span", { class: "name" }),
      chips: h("span", { class: "chips" }),
    };
    const item = h("li", {}, parts.rank, parts.name, parts.chips);
    this.list.append(item);
    return { item, ...parts };
  }
}
