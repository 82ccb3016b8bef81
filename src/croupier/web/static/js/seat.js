// One seat at the table: its plate, cards, last action and clock.

import { serverNow } from "./api.js";
import { markCards, showCards } from "./cards.js";
import { h, hidden, s, setText } from "./dom.js";
import { chips, comma, dialectName, percent } from "./format.js";
import { fadeIn } from "./motion.js";
import { sentence, t } from "./words.js";

const LABEL_MS = 4000;
const TICK_MS = 250;
const CLOCK_AFTER_MS = 600; // at a fast table it would come and go with every decision
const LONG_NAME = 10; // characters that fit on one line, whichever they are
const LONGEST_NAME = 22; // characters that fit on two lines
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/g;

/** How wide a name is, in Latin characters: one of Chinese is as wide as two. */
export function widthOf(name) {
  return name.length + (name.match(WIDE)?.length ?? 0);
}

/** The text of the label under a plate, and the class that colours it. */
function labelOf(seat, over, aged) {
  if (seat.won > 0) return [t("wins {amount}", { amount: chips(seat.won) }), "wins"];
  if (seat.out) return [t("out"), "quiet"];
  if (seat.all_in && !over) return [t("all in"), "strong"];
  if (seat.folded && (aged || !seat.last)) return [t("folded"), "quiet"];
  if (seat.last && !aged && !over) return [sentence(seat.last), seat.folded ? "quiet" : "act"];
  if (seat.blind && seat.bet > 0)
    return [seat.blind === "small" ? t("small blind") : t("big blind"), "quiet"];
  return ["", ""];
}

/** Whether the winner's cards are on view. */
function isShowdown(scene) {
  return scene.over && scene.seats.some((seat) => seat.won > 0 && seat.best);
}

/** All that a seat shows of a scene; most scenes of a hand leave most seats as they are. */
function seatKey(seat, scene) {
  const { hand, street, over } = scene;
  return JSON.stringify([seat, hand, street, over, isShowdown(scene), seat.turn && scene.turn]);
}

export class Seat {
  constructor() {
    this.name = h("span", { class: "name" });
    this.stack = h("span", { class: "stack" });
    this.badge = h("span", { class: "badge" });
    this.cards = h("span", { class: "hole" });
    this.equity = h("span", { class: "equity" });
    this.label = h("span", { class: "label" });
    this.seconds = h("span", { class: "seconds", "aria-hidden": "true" });
    this.ring = s(
      "svg",
      { class: "ring", "aria-hidden": "true" },
      s("rect", { pathLength: "100" }),
    );
    this.toAct = hidden("");
    this.element = h(
      "div",
      { class: "seat", role: "listitem" },
      h("span", { class: "above" }, this.cards, this.equity),
      h(
        "span",
        { class: "plate" },
        this.name,
        hidden(", "),
        h("span", { class: "row" }, this.stack, hidden(` ${t("chips")}${comma}`), this.badge),
        this.ring,
        this.seconds,
      ),
      this.label,
      this.toAct,
    );
    this.betChips = h("span", { class: "amount" });
    this.bet = h(
      "div",
      { class: "bet" },
      h("span", { class: "chip", "aria-hidden": "true" }),
      hidden(`${t("bet")} `),
      this.betChips,
    );
    this.said = "";
    this.turnKey = "";
  }

  /** Show a seat of a scene. `live` lets clocks run and labels age; `still` suppresses motion. */
  show(seat, scene, { live, still }) {
    this.seat = seat;
    this.scene = scene;
    const key = seatKey(seat, scene);
    if (key === this.shown) return;
    this.shown = key;
    const { element } = this;
    element.dataset.player = seat.player;
    element.classList.toggle("folded", seat.folded && !seat.out);
    element.classList.toggle("out", seat.out);
    element.classList.toggle("away", !seat.online && !seat.out);
    element.classList.toggle("turn", seat.turn);
    element.classList.toggle("won", seat.won > 0);
    element.classList.toggle("lost", scene.over && !(seat.won > 0));
    setText(this.name, seat.name);
    this.name.title = seat.name;
    this.name.classList.toggle("long", widthOf(seat.name) > LONG_NAME);
    this.name.classList.toggle("longest", widthOf(seat.name) > LONGEST_NAME);
    setText(this.stack, chips(seat.stack));
    setText(this.badge, !seat.online && !seat.out ? t("away") : dialectName(seat.dialect));
    setText(this.toAct, seat.turn ? comma + t("to act") : "");
    this.showCards(seat, scene, still);
    this.showLabel(seat, scene, live, still);
    this.showClock(seat.turn ? scene.turn : null, live);
    this.bet.hidden = !(seat.bet > 0);
    setText(this.betChips, seat.bet > 0 ? chips(seat.bet) : "");
  }

  showCards(seat, scene, still) {
    const fresh = showCards(this.cards, seat.cards);
    if (!still) fresh.forEach((card, index) => fadeIn(card, index * 60));
    const showdown = isShowdown(scene);
    const seen = seat.cards.some((card) => card !== null);
    markCards(this.cards, showdown && seen ? (seat.won > 0 ? (seat.best ?? []) : []) : null);
    const known = seat.equity !== null && seat.equity !== undefined && !scene.over;
    this.equity.hidden = !known;
    this.element.classList.toggle("open", known);
    setText(this.equity, known ? percent(seat.equity) : "");
    this.equity.title = known ? t("Chance to win") : "";
  }

  showLabel(seat, scene, live, still) {
    const key = `${scene.hand} ${scene.street} ${seat.last} ${seat.bet}`;
    if (key !== this.said) {
      this.said = key;
      this.aged = false;
      clearTimeout(this.timer);
      if (live && seat.last) {
        this.timer = setTimeout(() => {
          this.aged = true;
          this.showLabel(this.seat, this.scene, live, true);
        }, LABEL_MS);
      }
    }
    const [text, kind] = labelOf(seat, scene.over, this.aged);
    const changed = this.label.textContent !== text;
    setText(this.label, text);
    this.label.className = `label ${kind}`;
    if (changed && text && !still) fadeIn(this.label);
  }

  showClock(turn, live) {
    const key = live && turn && turn.clock_ms ? `${turn.since} ${turn.clock_ms}` : "";
    if (key === this.turnKey) return;
    this.turnKey = key;
    clearInterval(this.ticker);
    if (this.seconds.textContent) {
      this.element.classList.remove("timed");
      this.seconds.textContent = "";
    }
    if (!key) return;
    const all = turn.clock_ms / 1000;
    const tick = () => {
      const left = Math.max(0, all - (serverNow() - turn.since));
      this.ring.style.setProperty("--left", (left / all).toFixed(3));
      setText(this.seconds, `${Math.ceil(left)} s`);
      this.element.classList.add("timed");
    };
    // In steps: an animation would paint the table sixty times a second.
    const wait = CLOCK_AFTER_MS - 1000 * (serverNow() - turn.since);
    this.ticker = setTimeout(
      () => {
        tick();
        this.ticker = setInterval(tick, TICK_MS);
      },
      Math.min(Math.max(0, wait), CLOCK_AFTER_MS),
    );
  }

  remove() {
    clearTimeout(this.timer);
    clearInterval(this.ticker);
    this.element.remove();
    this.bet.remove();
  }
}
