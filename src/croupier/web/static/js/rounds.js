// A team's rate (or rating) after each round, with its 95 % interval as a band. Where luck is taken
// out it is the rate without luck, and a second curve has the rate as it was played.

import { h, s, setText } from "./dom.js";
import { count, signed, withMargin } from "./format.js";
import { t } from "./words.js";

const FIRST_WIDTH = 640; // until the chart has been laid out
const HEIGHT = 220;
const LINE = 16; // the height of a label
const EDGE = { left: 64, right: 12, top: 12, bottom: 28 };

/** The chart of one stage, with a readout for the pointer and the arrow keys. */
export function roundChart(data) {
  return new RoundChart(data).element;
}

class RoundChart {
  constructor({ stage, measure, rounds }) {
    this.rounds = rounds.map(shown);
    this.isRate = measure === "rate";
    this.isAdjusted = rounds.some((one) => one.adjusted);
    this.at = rounds.length - 1;
    // One wild first interval is not to flatten everything after it.
    const settled = this.rounds.slice(this.isRate ? Math.floor(rounds.length / 3) : 0);
    const edges = settled.flatMap((one) => [...ends(one), one.played]);
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
    const curve = (key, look) => {
      const line = this.rounds.map((one, at) => place(at, one[key]));
      return s("path", { class: `curve ${look}`, fill: "none", d: `M${line.join("L")}` });
    };
    this.svg.replaceChildren(
      ...this.axes(),
      s("path", { class: "band", d: `M${[...upper, ...lower].join("L")}Z` }),
      ...(this.isAdjusted ? [curve("played", "played hue-5")] : []),
      curve("value", "hue-0"),
      this.mark,
    );
    this.move(this.at);
  }

  axes() {
    // Zero has its own line; an end that is almost there would be written over it.
    const apart = (value) => !this.isRate || Math.abs(this.y(value) - this.y(0)) > LINE;
    const values = [this.least, this.most].filter(apart).concat(this.isRate ? [0] : []);
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
    const values = {
      round: String(one.round),
      value,
      margin: one.margin === null ? "" : ` ± ${count(Math.round(one.margin))}`,
      played: withMargin(one.played, one.playedMargin),
      hands: count(one.hands),
    };
    const told = this.isAdjusted
      ? t("After round {round}: {value}{margin} without luck, {played} as played, {hands} hands", values)
      : t("After round {round}: {value}{margin}, {hands} hands", values);
    setText(this.readout, told);
    this.svg.setAttribute("aria-valuenow", one.round);
    this.svg.setAttribute("aria-valuetext", told);
  }
}

/** What is shown of a round: the rate without luck if there is one, beside that which was played. */
function shown({ round, hands, value: played, margin: playedMargin, adjusted }) {
  const [value, margin] = adjusted ? [adjusted.bb_per_100, adjusted.ci95] : [played, playedMargin];
  return { round, hands, value, margin, played, playedMargin };
}

/** The ends of an interval. */
function ends({ value, margin }) {
  return [value - (margin ?? 0), value + (margin ?? 0)];
}
