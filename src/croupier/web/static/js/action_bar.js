// The bar with which a person plays: fold, check or call, and a raise that its button confirms.

import { serverNow } from "./api.js";
import { h, setText } from "./dom.js";
import { chips, comma } from "./format.js";
import { t } from "./words.js";

const TICK_MS = 200;
const SIZES = [
  ["½", t("Half the pot"), 1 / 2],
  ["⅔", t("Two thirds of the pot"), 2 / 3],
  [t("Pot"), t("The whole pot"), 1],
];

/** Whether some raise is possible, and from which total to which. */
function raiseRange(options) {
  const free = options.verb === "bet" ? options.bet : options.raise_;
  if (!options.max_to || !(free || options.all_in)) return null;
  return { low: free ? options.min_to : options.max_to, high: options.max_to };
}

function callText({ owed, call }, allIn) {
  if (!owed) return t("Check");
  const n = chips(call);
  return allIn ? t("Call {n}, all-in", { n }) : t("Call {n}", { n });
}

export class ActionBar {
  /** `act(action, to)` is called with fold, call or raise. */
  constructor(act) {
    this.act = act;
    this.range = null;
    this.says = h("p", { class: "says", role: "status" });
    this.left = h("span", { class: "left", "aria-hidden": "true" });
    this.clock = h("div", { class: "clock", "aria-hidden": "true" }, h("span", { class: "run" }));
    this.fold = this.button(t("Fold"), "F", "fold", () => this.decide("fold"));
    this.call = this.button(t("Check"), "C", "call", () => this.decide("call"));
    this.raise = h(
      "button",
      { type: "submit", class: "raise", "aria-keyshortcuts": "R" },
      h("span", { class: "what" }, t("Raise")),
      h("kbd", { "aria-hidden": "true" }, "R"),
    );
    this.slider = h("input", {
      type: "range",
      "aria-label": t("Raise to"),
      oninput: () => this.choose(this.fromSlider()),
    });
    this.field = h("input", {
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      class: "short",
      "aria-label": t("Raise to, in chips"),
      oninput: () => this.choose(Number.parseInt(this.field.value, 10), this.field),
      onblur: () => this.choose(this.to),
    });
    this.sizes = SIZES.map(([text, label, share]) =>
      h(
        "button",
        { type: "button", "aria-label": label, onclick: () => this.choose(this.sized(share)) },
        text,
      ),
    );
    this.sizes.push(
      h("button", { type: "button", onclick: () => this.choose(this.range?.high) }, t("All-in")),
    );
    this.element = h(
      "form",
      {
        class: "action-bar",
        "aria-label": t("Your decision"),
        onsubmit: (event) => {
          event.preventDefault();
          this.choose(Number.parseInt(this.field.value, 10));
          if (this.range) this.decide("raise", this.to);
        },
      },
      h("div", { class: "turn-row" }, this.says, this.left),
      this.clock,
      h("div", { class: "sizing" }, this.slider, this.field, h("div", { class: "sizes" }, this.sizes)),
      h("div", { class: "buttons" }, this.fold, this.call, this.raise),
    );
    document.addEventListener("keydown", (event) => this.key(event));
    this.rest("");
  }

  button(text, key, kind, onclick) {
    return h(
      "button",
      { type: "button", class: kind, "aria-keyshortcuts": key, onclick },
      h("span", { class: "what" }, text),
      h("kbd", { "aria-hidden": "true" }, key),
    );
  }

  /** Offer a decision. `turn` has the clock, `seat` is the player's, `key` names the question. */
  ask(options, scene, seat, key) {
    if (key === this.asked) return;
    this.asked = key;
    this.element.classList.add("mine");
    this.range = raiseRange(options);
    this.high = seat.bet + options.owed;
    this.pot = scene.pot + options.call;
    const allIn = options.call > 0 && options.call === seat.stack;
    setText(this.says, t("Your turn"));
    setText(
      this.call.firstElementChild,
      callText(options, allIn),
    );
    this.opens = !options.owed && options.verb === "bet";
    this.fold.disabled = this.call.disabled = false;
    for (const one of [this.raise, this.slider, this.field, ...this.sizes]) one.disabled = !this.range;
    if (this.range) {
      const { low, high } = this.range;
      this.slider.min = low;
      this.slider.max = high;
      this.slider.step = Math.max(1, Math.min(scene.small_blind, high - low));
      this.choose(low);
    } else setText(this.raise.firstElementChild, t("Raise"));
    this.run(scene.turn);
  }

  /** It is not the player's turn: the bar is quiet, but stays in place. */
  rest(sentence) {
    this.asked = null;
    this.range = null;
    clearInterval(this.ticker);
    this.element.classList.remove("mine", "hurry");
    setText(this.says, sentence);
    setText(this.left, "");
    const parts = [this.fold, this.call, this.raise, this.slider, this.field, ...this.sizes];
    for (const one of parts) one.disabled = true;
    setText(this.call.firstElementChild, t("Check"));
    setText(this.raise.firstElementChild, t("Raise"));
    this.field.value = "";
  }

  decide(action, to) {
    if (!this.asked) return;
    this.act(action, to);
    this.rest("");
  }

  fromSlider() {
    const value = Number(this.slider.value);
    const last = value + Number(this.slider.step) > this.range.high;
    return last ? this.range.high : value;
  }

  /** The total of a raise by a share of the pot as it is after the call. */
  sized(share) {
    return Math.round(this.high + share * this.pot);
  }

  /** Choose the total of a raise, within what is possible; typing is not interrupted. */
  choose(total, typing = null) {
    if (!this.range) return;
    const { low, high } = this.range;
    const wanted = Number.isFinite(total) ? total : low;
    this.to = Math.min(Math.max(wanted, low), high);
    if (typing === null) this.field.value = this.to;
    this.slider.value = this.to;
    this.slider.setAttribute("aria-valuetext", chips(this.to));
    setText(this.raise.firstElementChild, this.raiseText());
  }

  raiseText() {
    const n = chips(this.to);
    if (this.to === this.range.high) return t("All-in {n}", { n });
    return this.opens ? t("Bet {n}", { n }) : t("Raise to {n}", { n });
  }

  run(turn) {
    clearInterval(this.ticker);
    if (!turn) return;
    const all = turn.clock_ms / 1000;
    const tick = () => {
      const left = Math.min(all, Math.max(0, all - (serverNow() - turn.since)));
      setText(this.left, `${Math.ceil(left)} s`);
      this.clock.style.setProperty("--left", String(left / all));
      this.element.classList.toggle("hurry", left < all / 3);
    };
    tick();
    this.ticker = setInterval(tick, TICK_MS);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !this.asked) return;
    if (event.target.matches?.("input:not([type=range]), textarea, select")) {
      if (!["f", "c", "r"].includes(event.key.toLowerCase())) return;
    }
    const act = {
      f: () => this.fold.click(),
      c: () => this.call.click(),
      r: () => this.field.disabled || (this.field.focus(), this.field.select()),
    }[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/** A hint for those who play by keyboard. */
export function keysHint() {
  const keys = [
    ["F", t("fold")],
    ["C", t("check or call")],
    ["R", t("choose a raise")],
    ["Enter", t("confirm it")],
  ];
  return h(
    "p",
    { class: "muted hint" },
    keys.map(([key, what], at) => [at ? comma : "", h("kbd", {}, key), ` ${what}`]),
  );
}
