// Chip curves: one line per player, with a readout that follows the pointer or the arrow keys.

import { h, s, setText } from "./dom.js";
import { chips, count } from "./format.js";
import { series, t } from "./words.js";

const HEIGHT = 320;
const FIRST_WIDTH = 640; // until the chart has been laid out
const EDGE = { left: 84, right: 12, top: 12, bottom: 26 };
// Lines differ in dashes as well as in colour, so that they are distinguishable in greyscale.
const DASHES = ["", "7 4", "2 3", "10 3 2 3"];

/** Round numbers for the axis: 1, 2 or 5 times a power of ten. */
function ticks(least, most, wanted = 5) {
  const rough = Math.max(1, most - least) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough),
  );
  const found = [];
  // Counted in steps from zero, which is never a negative one.
  for (let number = Math.ceil(least / step); number * step <= most + step * 0.01; number += 1)
    found.push(number * step || 0);
  return found;
}

function look(index) {
  return {
    class: `curve hue-${index % 10}`,
    "stroke-dasharray": DASHES[Math.floor(index / 3) % DASHES.length],
  };
}

export class Chart {
  /** `onpick(hand)` is called when the user selects a hand. */
  constructor(data, onpick) {
    this.data = data;
    this.onpick = onpick;
    this.at = data.hands.length - 1;
    const all = data.players.flatMap((player) => player.chips);
    this.most = Math.max(1, ...all);
    this.least = Math.min(0, ...all); // where stacks are reset, a total can be negative
    this.readout = h("p", { class: "readout", role: "status" });
    this.legend = h("ul", { class: "legend" });
    this.values = data.players.map(() => h("span", { class: "chips" }));
    data.players.forEach((player, index) => {
      const key = s(
        "svg",
        { viewBox: "0 0 28 8", "aria-hidden": "true" },
        s("line", { x1: 0, y1: 4, x2: 28, y2: 4, ...look(index) }),
      );
      this.legend.append(
        h(
          "li",
          {},
          key,
          h("span", { class: "name", title: player.name }, player.name),
          this.values[index],
        ),
      );
    });
    this.cursor = s("line", { class: "cursor", y1: EDGE.top, y2: HEIGHT - EDGE.bottom });
    this.svg = s("svg", {
      class: "chart",
      height: HEIGHT,
      tabindex: "0",
      role: "slider",
      "aria-label": t("Chips over the hands"),
      "aria-valuemin": data.hands[0],
      "aria-valuemax": data.hands.at(-1),
      onpointermove: (event) => this.point(event),
      onkeydown: (event) => this.key(event),
      onclick: () => this.onpick(this.data.hands[this.at]),
    });
    this.draw(FIRST_WIDTH);
    this.element = h("div", { class: "curves" }, this.svg, this.readout, this.legend);
    // Redraw for every width, so that text and lines keep their size.
    new ResizeObserver(() => this.draw(this.element.clientWidth)).observe(this.element);
  }

  draw(width) {
    if (!width || width === this.width) return;
    this.width = width;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const curves = this.data.players.map((player, index) =>
      s("path", { ...look(index), d: this.line(player.chips), fill: "none" }),
    );
    this.svg.replaceChildren(...this.axes().flat(Infinity), ...curves, this.cursor);
    this.move(this.at);
  }

  x(index) {
    const last = Math.max(1, this.data.hands.length - 1);
    return EDGE.left + ((this.width - EDGE.left - EDGE.right) * index) / last;
  }

  y(amount) {
    return (
      HEIGHT -
      EDGE.bottom -
      ((HEIGHT - EDGE.top - EDGE.bottom) * (amount - this.least)) / (this.most - this.least)
    );
  }

  line(values) {
    return values
      .map(
        (value, index) =>
          `${index ? "L" : "M"}${this.x(index).toFixed(1)} ${this.y(value).toFixed(1)}`,
      )
      .join("");
  }

  axes() {
    const { hands } = this.data;
    const rows = ticks(this.least, this.most).map((value) => [
      s("line", {
        class: value === 0 ? "axis zero" : "axis",
        x1: EDGE.left,
        x2: this.width - EDGE.right,
        y1: this.y(value),
        y2: this.y(value),
      }),
      s("text", { class: "tick end", x: EDGE.left - 8, y: this.y(value) + 4 }, chips(value)),
    ]);
    const places = [0, Math.floor((hands.length - 1) / 2), hands.length - 1].filter(
      (at, i, all) => all.indexOf(at) === i,
    );
    const columns = places.map((at, i) =>
      s(
        "text",
        {
          class: `tick ${i === 0 ? "" : i === places.length - 1 ? "end" : "middle"}`,
          x: this.x(at),
          y: HEIGHT - 6,
        },
        t("hand {n}", { n: count(hands[at]) }),
      ),
    );
    return [rows, columns];
  }

  point(event) {
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.x) / box.width) * this.width;
    const share = (x - EDGE.left) / (this.width - EDGE.left - EDGE.right);
    this.move(Math.round(share * (this.data.hands.length - 1)));
  }

  key(event) {
    const far = Math.max(1, Math.round(this.data.hands.length / 20));
    const to = {
      ArrowLeft: this.at - 1,
      ArrowDown: this.at - 1,
      ArrowRight: this.at + 1,
      ArrowUp: this.at + 1,
      PageDown: this.at - far,
      PageUp: this.at + far,
      Home: 0,
      End: this.data.hands.length - 1,
    }[event.key];
    if (event.key === "Enter") this.onpick(this.data.hands[this.at]);
    else if (to === undefined) return;
    else this.move(to);
    event.preventDefault();
    event.stopPropagation(); // the replayer on the same page uses the arrow keys too
  }

  move(to) {
    this.at = Math.min(Math.max(to, 0), this.data.hands.length - 1);
    const hand = this.data.hands[this.at];
    const x = this.x(this.at).toFixed(1);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    this.data.players.forEach((player, index) =>
      setText(this.values[index], chips(player.chips[this.at])),
    );
    setText(
      this.readout,
      t("After hand {n}. Click or press Enter to replay it.", { n: count(hand) }),
    );
    this.svg.setAttribute("aria-valuenow", hand);
    const said = this.data.players.map(
      (player) => `${player.name} ${chips(player.chips[this.at])}`,
    );
    this.svg.setAttribute(
      "aria-valuetext",
      t("After hand {n}: {said}", { n: String(hand), said: series(said) }),
    );
  }
}
