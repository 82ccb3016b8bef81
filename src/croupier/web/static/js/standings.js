// The ranking beside a live table: rank, name, chips, and a bar for the share of chips.

import { h, setText } from "./dom.js";
import { chips } from "./format.js";
import { t } from "./words.js";

/** What the chips of a ranking are, where they are more than what lies at the seats, or not in order. */
export function rankingNote({ ranking, seats, pot }) {
  const sum = (list, key) => list.reduce((total, one) => total + one[key], 0);
  const left = ranking.filter((entry) => !entry.out);
  if (left.some((entry, at) => at && entry.chips > left[at - 1].chips))
    return t("Stacks that a player can still buy count for its place.");
  return sum(ranking, "chips") > sum(seats, "stack") + pot
    ? t("Chips with reserve and winnings, after the last hand.")
    : "";
}

export class Standings {
  constructor() {
    this.list = h("ol", { class: "standings" });
    this.rows = [];
    this.note = h("p", { class: "muted small" });
    this.note.hidden = true;
  }

  /** Show the ranking of a scene, with a note if it counts more than what lies at the seats. */
  show(scene) {
    const { ranking } = scene;
    // When a hand is over, its pot is on view and with its winners as well.
    if (!scene.over) {
      setText(this.note, rankingNote(scene));
      this.note.hidden = !this.note.textContent;
    }
    const key = JSON.stringify(ranking);
    if (key === this.shown) return;
    this.shown = key;
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
