// The chances of a hand: a small graph to click on, and what a decision costs and promises.

import { h, s, setText } from "./dom.js";
import { chips, percent } from "./format.js";
import { series, t } from "./words.js";

const HEIGHT = 100;
const WIDTH = 400;

/** The price of a call, its pot odds, and the chances of those who are still in. */
export function oddsOf(scene) {
  const live = scene.seats.filter((seat) => seat.equity !== null && seat.equity !== undefined);
  const chances = series(live.map((seat) => `${seat.name} ${percent(seat.equity)}`));
  const { turn } = scene;
  const actor = scene.seats.find((seat) => seat.turn);
  if (!turn || !actor || scene.over) return { price: "", chances };
  const values = { name: actor.name, price: chips(turn.price), pot: chips(turn.stake) };
  if (!turn.price) return { price: t("{name} can check; the pot is {pot}.", values), chances };
  const odds = percent(turn.price / (turn.stake + turn.price));
  return {
    price: t("{name} pays {price} for a pot of {pot}: a call needs {odds}.", { ...values, odds }),
    chances,
  };
}

/** The chances of all players through the steps of a hand; a click goes to a step. */
export class Chances {
  constructor(go) {
    this.go = go;
    this.cursor = s("line", { class: "cursor", y1: 0, y2: HEIGHT });
    this.lines = s("g", {});
    this.svg = s(
      "svg",
      {
        class: "chances",
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": t("Chances to win, step by step"),
        onclick: (event) => this.click(event),
      },
      s("line", { class: "half", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      this.lines,
      this.cursor,
    );
    this.key = h("p", { class: "chances-key" });
    this.price = h("p", { class: "price" });
    this.element = h("div", { class: "odds" }, this.price, this.svg, this.key);
  }

  /** Draw the curves of a hand. */
  draw(frames) {
    this.steps = Math.max(1, frames.length - 1);
    const curves = new Map();
    frames.forEach(({ scene }, step) => {
      for (const seat of scene.seats) {
        if (seat.equity === null || seat.equity === undefined) continue;
        if (!curves.has(seat.player)) curves.set(seat.player, []);
        curves.get(seat.player).push([this.x(step), (1 - seat.equity) * HEIGHT]);
      }
    });
    // A chance holds until something changes it: what was so for one step alone is a line, too.
    for (const points of curves.values())
      if (points.length === 1) points.push([points[0][0] + this.x(1), points[0][1]]);
    this.svg.toggleAttribute("hidden", !curves.size);
    this.lines.replaceChildren(
      ...[...curves].map(([player, points]) =>
        s("polyline", {
          class: `curve hue-${player % 10}`,
          points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "),
        }),
      ),
    );
  }

  x(step) {
    return (step / this.steps) * WIDTH;
  }

  /** Mark a step, and say what its decision costs. */
  show(step, scene) {
    this.cursor.setAttribute("x1", this.x(step));
    this.cursor.setAttribute("x2", this.x(step));
    const { price } = oddsOf(scene);
    setText(this.price, price);
    const live = scene.seats.filter((seat) => seat.equity !== null && seat.equity !== undefined);
    this.key.replaceChildren(
      ...live.map((seat) =>
        h(
          "span",
          { class: `hue-${seat.player % 10}` },
          h("i", { "aria-hidden": "true" }),
          `${seat.name} ${percent(seat.equity)}`,
        ),
      ),
    );
  }

  click(event) {
    const box = this.svg.getBoundingClientRect();
    this.go(Math.round(((event.clientX - box.x) / box.width) * this.steps));
  }
}
