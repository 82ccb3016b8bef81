// The replayer: a recorded hand step by step, by buttons, scrubber, keys or link.

import { api } from "./api.js";
import { Chances } from "./chances.js";
import { copyButton, h, setText } from "./dom.js";
import { comma } from "./format.js";
import { icon } from "./icons.js";
import { streetMarks } from "./marks.js";
import { failed } from "./state.js";
import { streetName } from "./streets.js";
import "./table.js";
import { sentence, t } from "./words.js";

const STEP_MS = 1000;
const SPEEDS = [
  ["0.5", "½×"],
  ["1", "1×"],
  ["2", "2×"],
  ["4", "4×"],
  ["10", "10×"],
];

/** The hand and step that the URL's fragment links to. */
export function fromHash() {
  const found = new URLSearchParams(location.hash.slice(1));
  const hand = Number.parseInt(found.get("hand"), 10);
  const step = Number.parseInt(found.get("step"), 10);
  return { hand: Number.isInteger(hand) ? hand : null, step: Number.isInteger(step) ? step : 0 };
}

export class Replay {
  constructor(match) {
    this.match = match;
    this.at = 0;
    this.frames = [];
    this.table = h("croupier-table", { replay: true, "aria-label": t("Replayed hand") });
    this.steps = h("ol", { class: "log steps", "aria-label": t("Steps of the hand") });
    this.text = h("p", { class: "now", role: "status" });
    this.notice = h("div", { class: "notice" });
    this.scrubber = h("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      class: "scrubber",
      "aria-label": t("Step of the hand"),
      oninput: () => {
        this.stop();
        this.go(Number(this.scrubber.value));
      },
    });
    this.marks = h("div", { class: "marks", "aria-hidden": "true" });
    this.chances = new Chances((step) => {
      this.stop();
      this.go(step);
    });
    this.controls = this.buildControls();
    this.element = h(
      "div",
      { class: "replay live" },
      h(
        "div",
        { class: "stage" },
        this.notice,
        this.table,
        this.text,
        h("div", { class: "track" }, this.scrubber, this.marks),
        this.chances.element,
        this.controls,
      ),
    );
    addEventListener("hashchange", () => this.followHash());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  buildControls() {
    const make = (text, label, key, onclick) =>
      h(
        "button",
        {
          type: "button",
          "aria-label": label,
          title: `${label} (${key})`,
          "aria-keyshortcuts": key === "space" ? "Space" : key,
          onclick,
        },
        text,
      );
    this.buttons = {
      previous: make(icon("previous"), t("Previous hand"), "[", () =>
        this.hop(this.replay?.previous),
      ),
      back: make(icon("back"), t("One step back"), "←", () => this.step(-1)),
      play: make([icon("play"), h("span", {}, t("Play"))], t("Play"), "space", () => this.toggle()),
      forward: make(icon("forward"), t("One step on"), "→", () => this.step(1)),
      next: make(icon("next"), t("Next hand"), "]", () => this.hop(this.replay?.next)),
    };
    this.speed = h(
      "select",
      {},
      SPEEDS.map(([value, text]) => h("option", { value, selected: value === "1" }, text)),
    );
    this.number = h("input", { type: "number", min: 1, inputmode: "numeric", class: "short" });
    const jump = h(
      "form",
      {
        class: "jump",
        onsubmit: (event) => {
          event.preventDefault();
          if (this.number.value) this.open(Number(this.number.value));
        },
      },
      h("label", {}, t("Hand"), this.number),
      h("button", { type: "submit" }, t("Go")),
    );
    return h(
      "div",
      { class: "controls", role: "group", "aria-label": t("Replay") },
      h("div", { class: "keys" }, Object.values(this.buttons)),
      h("label", {}, t("Speed"), this.speed),
      jump,
      h(
        "span",
        { class: "share" },
        copyButton(() => location.href, t("to this decision"), t("Copy link")),
      ),
      h(
        "p",
        { class: "muted hint" },
        h("kbd", {}, "←"),
        " ",
        h("kbd", {}, "→"),
        ` ${t("step")}${comma}`,
        h("kbd", {}, "space"),
        ` ${t("play")}${comma}`,
        h("kbd", {}, "["),
        " ",
        h("kbd", {}, "]"),
        ` ${t("hand")}`,
      ),
    );
  }

  /** Load a hand and show one of its steps; a negative step counts from the end. */
  async open(hand, step = 0) {
    this.wanted = hand;
    let replay;
    try {
      replay = await api.hand(this.match, hand);
    } catch (error) {
      this.stop();
      if (error.status === 404) {
        this.notice.className = "notice bad";
        this.notice.replaceChildren(
          h(
            "p",
            {},
            t("Hand {n} is not on record, or not yet open to the audience. Choose another one.", {
              n: String(hand),
            }),
          ),
        );
      } else this.notice.replaceChildren(failed(error, t("hand"), () => this.open(hand, step)));
      return;
    }
    if (this.wanted !== hand) return; // another hand was requested in the meantime
    this.notice.replaceChildren();
    this.replay = replay;
    this.frames = replay.frames;
    this.number.value = hand;
    this.scrubber.max = Math.max(0, this.frames.length - 1);
    this.drawMarks();
    this.steps.replaceChildren(
      ...this.frames.map((frame, index) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              onclick: () => {
                this.stop();
                this.go(index);
              },
            },
            sentence(frame.text),
          ),
        ),
      ),
    );
    this.buttons.previous.disabled = replay.previous === null;
    this.buttons.next.disabled = replay.next === null;
    this.go(step < 0 ? this.frames.length + step : step, true);
  }

  drawMarks() {
    const last = Math.max(1, this.frames.length - 1);
    const streets = [];
    this.frames.forEach((frame, index) => {
      if (index && frame.street === this.frames[index - 1].street) return;
      streets.push([index / last, streetName(frame.street, t("Deal"))]);
    });
    this.marks.replaceChildren(...streetMarks(streets, this.table.upright ? 0.16 : 0.07));
    this.chances.draw(this.frames);
  }

  go(step, jump = false) {
    if (!this.frames.length) return;
    const near = Math.abs(step - this.at) === 1;
    this.at = Math.min(Math.max(step, 0), this.frames.length - 1);
    const frame = this.frames[this.at];
    this.table.show(frame.scene, { jump: jump || !near });
    this.chances.show(this.at, frame.scene);
    this.scrubber.value = this.at;
    this.scrubber.setAttribute(
      "aria-valuetext",
      t("Step {n} of {all}: {text}", {
        n: String(this.at + 1),
        all: String(this.frames.length),
        text: sentence(frame.text),
      }),
    );
    setText(this.text, sentence(frame.text));
    [...this.steps.children].forEach((item, index) => {
      item.firstElementChild.toggleAttribute("aria-current", index === this.at);
    });
    const item = this.steps.children[this.at];
    this.steps.scrollTop = item.offsetTop - this.steps.clientHeight / 2;
    this.buttons.back.disabled = this.at === 0 && this.replay.previous === null;
    this.buttons.forward.disabled = this.at === this.frames.length - 1 && this.replay.next === null;
    this.element.dataset.hand = this.replay.hand;
    this.element.dataset.step = this.at;
    history.replaceState(null, "", `#hand=${this.replay.hand}&step=${this.at}`);
  }

  /** Move one step forward or back, into the next or previous hand if necessary. */
  step(by) {
    this.stop();
    return this.advance(by);
  }

  advance(by) {
    const to = this.at + by;
    if (to >= 0 && to < this.frames.length) this.go(to);
    else if (by > 0) return this.hop(this.replay?.next);
    else return this.hop(this.replay?.previous, -1);
    return undefined;
  }

  hop(hand, step = 0) {
    return hand === null || hand === undefined ? undefined : this.open(hand, step);
  }

  toggle() {
    if (this.playing) this.stop();
    else {
      this.playing = true;
      this.buttons.play.replaceChildren(icon("pause"), h("span", {}, t("Pause")));
      this.buttons.play.setAttribute("aria-label", t("Pause"));
      this.tick();
    }
  }

  tick() {
    this.timer = setTimeout(
      async () => {
        const last = this.at === this.frames.length - 1 && this.replay?.next === null;
        if (last) this.stop();
        else await this.advance(1);
        if (this.playing) this.tick();
      },
      STEP_MS / Number(this.speed.value),
    );
  }

  stop() {
    this.playing = false;
    clearTimeout(this.timer);
    this.buttons.play.replaceChildren(icon("play"), h("span", {}, t("Play")));
    this.buttons.play.setAttribute("aria-label", t("Play"));
  }

  followHash() {
    const { hand, step } = fromHash();
    if (hand === null || (hand === this.replay?.hand && step === this.at)) return;
    this.stop();
    if (hand === this.replay?.hand) this.go(step, true);
    else this.open(hand, step);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target.closest?.(
      "input, select, textarea, button, a, summary, [role=slider]",
    );
    const typing = target && target.matches("input, select, textarea, [role=slider]");
    if (typing || (event.key === " " && target)) return; // these elements use the keys themselves
    const act = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      " ": () => this.toggle(),
      "[": () => this.buttons.previous.click(),
      "]": () => this.buttons.next.click(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
