// A table's log, and the same lines for screen readers.

import { h } from "./dom.js";
import { sentence, t } from "./words.js";

const LINES_KEPT = 200;
const WRITE_EVERY_MS = 600; // nobody reads faster, and to scroll is most of what a line costs
const SPEAK_EVERY_MS = 1500;
const SPARE_MS = 250;
const SPOKEN_AT_ONCE = 4;
const GAP = { gap: true };

/** Passes on at once what comes now and then, and what comes faster together. */
class Batches {
  constructor(everyMs, pass) {
    this.everyMs = everyMs;
    this.pass = pass;
    this.passedAt = -everyMs;
    this.waiting = [];
  }

  /** Pass on with things that are drawn, if some come in time: a frame less. */
  add(items) {
    this.waiting.push(...items);
    if (!this.waiting.length) return;
    const left = this.passedAt + this.everyMs - performance.now();
    if (left <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), left + SPARE_MS);
  }

  flush() {
    const { waiting } = this;
    this.clear();
    this.passedAt = performance.now();
    this.pass(waiting);
  }

  clear() {
    clearTimeout(this.timer);
    this.timer = null;
    this.waiting = [];
  }
}

/**
 * The log of a table, scrolled to the newest line unless the user scrolled back. Each hand has a
 * list of its own, so that a new line costs the layout and painting of one hand.
 */
export class Log {
  constructor(title) {
    this.element = h("div", { class: "log", role: "group", tabindex: "0", "aria-label": title });
    this.batches = new Batches(WRITE_EVERY_MS, (lines) => this.write(lines));
    this.clear();
    // Looked at when somebody scrolls, not with every line, which would cost a layout each.
    this.element.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = this.element;
      this.follows = scrollHeight - scrollTop - clientHeight < 40;
      this.element.classList.toggle("back", !this.follows);
    });
  }

  /** Forget all lines. */
  clear() {
    this.batches.clear();
    this.element.replaceChildren();
    this.lines = 0;
    this.hand = 0;
    this.begin();
    this.follows = true;
  }

  begin() {
    this.list = h("ol", {});
    this.element.append(this.list);
  }

  add(lines, gap = false) {
    this.batches.add(gap ? [GAP, ...lines] : lines);
  }

  write(lines) {
    for (const line of lines) {
      if (line === GAP) {
        const text = t("Some lines are missing here: the connection was lost for too long.");
        this.append({ class: "gap" }, text);
        continue;
      }
      // Lines between two matches do not belong to the last hand, so they start a new heading.
      const between = line.hand === 0 && this.hand !== 0;
      if (line.hand !== this.hand) this.begin();
      this.hand = line.hand;
      const name = between ? `${line.kind} hand` : line.kind;
      this.append({ class: name, dataset: { seq: line.seq } }, sentence(line.text));
    }
    this.trim();
    if (this.follows) this.element.scrollTop = 1e9; // the end, wherever that is
  }

  append(options, text) {
    this.list.append(h("li", options, text));
    this.lines += 1;
  }

  /** Remove the oldest hands, but keep so many lines. */
  trim() {
    let first = this.element.firstElementChild;
    while (first !== this.list && this.lines - first.childElementCount >= LINES_KEPT) {
      this.lines -= first.childElementCount;
      first.remove();
      first = this.element.firstElementChild;
    }
  }
}

/** A polite live region: announces lines now and then, and only the last ones of a flood. */
export class Announcer {
  constructor() {
    this.element = h("div", { class: "vh", role: "log", "aria-live": "polite" });
    this.batches = new Batches(SPEAK_EVERY_MS, (texts) => this.speak(texts));
  }

  say(texts) {
    this.batches.add(texts);
  }

  speak(texts) {
    const last = texts.slice(-SPOKEN_AT_ONCE);
    this.element.replaceChildren(...last.map((text) => h("p", {}, sentence(text))));
  }
}
