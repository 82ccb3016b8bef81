// A table's log, and the same lines for screen readers.

import { h } from "./dom.js";
import { sentence, t } from "./words.js";

const LINES_KEPT = 200;
const SPEAK_EVERY_MS = 1500;
const SPOKEN_AT_ONCE = 4;

/** The log of a table, scrolled to the newest line unless the user scrolled back. */
export class Log {
  constructor(title) {
    this.list = h("ol", { class: "log", tabindex: "0", "aria-label": title });
    this.hand = 0;
    this.follows = true;
    // Looked at when somebody scrolls, not with every line, which would cost a layout each.
    this.list.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = this.list;
      this.follows = scrollHeight - scrollTop - clientHeight < 40;
    });
  }

  add(lines, gap = false) {
    const { list } = this;
    if (gap)
      list.append(
        h(
          "li",
          { class: "gap" },
          t("Some lines are missing here: the connection was lost for too long."),
        ),
      );
    for (const line of lines) {
      // Lines between two matches do not belong to the last hand, so they start a new heading.
      const between = line.hand === 0 && this.hand !== 0;
      this.hand = line.hand;
      const name = between ? `${line.kind} hand` : line.kind;
      list.append(h("li", { class: name, dataset: { seq: line.seq } }, sentence(line.text)));
    }
    while (list.children.length > LINES_KEPT) list.firstElementChild.remove();
    if (this.follows) list.scrollTop = 1e9; // the end, wherever that is
  }
}

/** A polite live region: batches lines, and announces only the last ones of a flood. */
export class Announcer {
  constructor() {
    this.element = h("div", { class: "vh", role: "log", "aria-live": "polite" });
    this.waiting = [];
  }

  say(texts) {
    this.waiting.push(...texts);
    if (this.timer || !this.waiting.length) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      const last = this.waiting.slice(-SPOKEN_AT_ONCE);
      this.waiting = [];
      this.element.replaceChildren(...last.map((text) => h("p", {}, sentence(text))));
    }, SPEAK_EVERY_MS);
  }
}
