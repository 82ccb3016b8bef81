// A team's rate (or rating) after each round, with its 95 % interval as a band.

import { h, s, setText } from "./dom.js";
import { count, signed } from "./format.js";
import { t } from "./words.js";

const FIRST_WIDTH = 640; // until the chart has been laid out
const HEIGHT = 220;
const EDGE = { left: 64, right: 12, top: 12, bottom: 28 };

/** The chart of one stage, with a readout for the pointer and the arrow keys. */
export function roundChart(data) {
  return new RoundChart(data).element;
}

class RoundChart {
  constructor({ stage, measure, rounds }) {
    this.rounds = rounds;
    this.isRate = measure === "rate";
    this.at = rounds.length - 1;
    // One wild first interval is not to flatten everything after it.
    const settled = this.isRate ? rounds.slice(Math.floor(rounds.length / 3)) : rounds;
    const edges = settled.flatMap(ends);
    this.most = Math.max(...edges, this.isRate ? 1 : -Infinity);
    this.least = Math.min(...edges, this.isRate ? -1 : Infinity);
    this.readout = h("p", { class: "readout", role: "status" });
    this.mark = s("circle", { class: "mark", r: 5 });
    this.svg = s("svg", {
      class: "rounds",
      height: HEIGHT,
      tabindex: "0",
      role: "slider",
      "aria-label": this.isRate
        ? t("Rate over the rounds of {stage}", { stage })
        : t("Rating over the rounds of {stage}", { stage }),
      "aria-valuemin": rounds[0].round,
      "aria-valuemax": rounds.at(-1).round,
      onpointermove: (event) => this.point(event),
      onkeydown: (event) => this.key(event),
    });
    this.element = h("div", { class: "curves" }, this.svg, this.readout);
    this.draw(FIRST_WIDTH);
    // Redraw for every width, so that text and lines keep their size.
    new ResizeObserver(() => this.draw(this.element.clientWidth)).observe(this.element);
  }

  x(at) {
    const room = this.width - EDGE.left - EDGE.right;
    return EDGE.left + (room * at) / Math.max(1, this.rounds.length - 1);
  }

  y(value) {
    const kept = Math.min(this.most, Math.max(this.least, value));
    const room = HEIGHT - EDGE.top - EDGE.bottom;
    return EDGE.top + (room * (this.most - kept)) / (this.most - this.least || 1);
  }

  draw(width) {
    if (!width || width === this.width) return;
    this.width = width;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const place = (at, value) => `${this.x(at).toFixed(1)} ${this.y(value).toFixed(1)}`;
    const upper = this.rounds.map((one, at) => place(at, ends(one)[1]));
    const lower = this.rounds.map((one, at) => place(at, ends(one)[0])).reverse();
    const line = this.rounds.map((one, at) => place(at, one.value));
    this.svg.replaceChildren(
      ...this.axes(),
      s("path", { class: "band", d: `M${[...upper, ...lower].join("L")}Z` }),
      s("path", { class: "curve hue-0", fill: "none", d: `M${line.join("L")}` }),
      this.mark,
    );
    this.move(this.at);
  }

  axes() {
    const values = this.isRate ? [this.least, 0, this.most] : [this.least, this.most];
    const last = this.rounds.length - 1;
    return [
      ...values.flatMap((value) => [
        s("line", {
          class: value === 0 ? "axis zero" : "axis",
          x1: EDGE.left,
          x2: this.width - EDGE.right,
          y1: this.y(value),
          y2: this.y(value),
        }),
        s(
          "text",
          { class: "tick end", x: EDGE.left - 8, y: this.y(value) + 4 },
          count(Math.round(value)).replace("-", "−"),
        ),
      ]),
      ...[0, last].map((at) =>
        s(
          "text",
          { class: `tick ${at ? "end" : ""}`, x: this.x(at), y: HEIGHT - 6 },
          t("round {n}", { n: String(this.rounds[at].round) }),
        ),
      ),
    ];
  }

  point(event) {
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.x) / box.width) * this.width;
    const share = (x - EDGE.left) / (this.width - EDGE.left - EDGE.right);
    this.move(Math.round(share * (this.rounds.length - 1)));
  }

  key(event) {
    const to = {
      ArrowLeft: this.at - 1,
      ArrowRight: this.at + 1,
      Home: 0,
      End: this.rounds.length - 1,
    }[event.key];
    if (to === undefined) return;
    this.move(to);
    event.preventDefault();
  }

  move(to) {
    this.at = Math.min(Math.max(to, 0), this.rounds.length - 1);
    const one = this.rounds[this.at];
    this.mark.setAttribute("cx", this.x(this.at));
    this.mark.setAttribute("cy", this.y(one.value));
    const value = this.isRate ? `${signed(one.value)} bb/100` : count(Math.round(one.value));
    const told = t("After round {round}: {value}{margin}, {hands} hands", {
      round: String(one.round),
      value,
      margin: one.margin === null ? "" : ` ± ${count(Math.round(one.margin))}`,
      hands: count(one.hands),
    });
    setText(this.readout, told);
    this.svg.setAttribute("aria-valuenow", one.round);
    this.svg.setAttribute("aria-valuetext", told);
  }
}

/** The ends of an interval. */
function ends({ value, margin }) {
  return [value - (margin ?? 0), value + (margin ?? 0)];
}
