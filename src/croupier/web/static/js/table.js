// <croupier-table>: the felt, which shows successive scenes, live or from a replay.

import { markCards, showCards } from "./cards.js";
import { h, hidden, setText } from "./dom.js";
import { chips, labelled } from "./format.js";
import { circleOf, places } from "./layout.js";
import { fadeIn, flyTo, slideFrom } from "./motion.js";
import { Seat } from "./seat.js";
import { streetName } from "./streets.js";
import { sentence, t } from "./words.js";

const UPRIGHT_BELOW = 600; // a narrower table is upright
const TOO_FAST_MS = 600; // scenes in faster succession are not animated: it would never end

class CroupierTable extends HTMLElement {
  connectedCallback() {
    if (this.seats) return;
    this.seats = new Map();
    this.circle = [];
    this.scene = null;
    this.shownAt = 0;
    this.hand = h("span", {});
    this.blinds = h("span", { class: "blinds" });
    this.info = h("p", { class: "info" }, this.hand, this.blinds);
    this.board = h("div", { class: "board", role: "group", "aria-label": t("Board") });
    this.pot = h("span", { class: "amount" });
    this.sides = h("span", { class: "sides" });
    this.pots = h(
      "div",
      { class: "pots" },
      h("span", { class: "total" }, h("span", {}, `${t("Pot")} `), this.pot),
      this.sides,
    );
    this.message = h("p", { class: "message" });
    this.dealer = h(
      "span",
      { class: "dealer", hidden: true },
      h("span", { "aria-hidden": "true" }, "D"),
      hidden(t("dealer button")),
    );
    this.places = h("div", { class: "places", role: "list", "aria-label": t("Players") });
    this.rim = h("div", { class: "rim", "aria-hidden": "true" });
    this.centre = h("div", { class: "centre" }, this.info, this.board, this.pots, this.message);
    this.felt = h("div", { class: "felt" }, this.rim, this.centre, this.places, this.dealer);
    this.append(this.felt);
    this.watcher = new ResizeObserver(() => this.fit());
    this.watcher.observe(this);
    this.fit();
  }

  disconnectedCallback() {
    this.watcher?.disconnect();
  }

  get live() {
    return !this.hasAttribute("replay");
  }

  /** Show a scene. `jump` skips animations, as after a reconnect or for another hand. */
  show(scene, { jump = false } = {}) {
    const now = performance.now();
    const before = this.scene;
    const fast = now - this.shownAt < TOO_FAST_MS;
    // A pause after fast scenes is no calm yet: it would animate all that has come together.
    const still =
      jump ||
      before === null ||
      before.match !== scene.match ||
      fast ||
      this.fast ||
      document.hidden;
    this.shownAt = now;
    this.fast = fast;
    this.scene = scene;
    const sameHand = before !== null && before.hand === scene.hand && before.match === scene.match;
    if (!still && sameHand) this.collect(before, scene);
    this.seatPlayers(scene);
    const bets = [];
    for (const seat of scene.seats) {
      const shown = this.seats.get(seat.player);
      const had = shown.seat?.bet ?? 0;
      shown.show(seat, scene, { live: this.live, still });
      if (!still && seat.bet > had) bets.push([shown.bet, shown.element]);
    }
    this.showCentre(scene, still);
    this.showDealer(scene);
    this.felt.classList.toggle("over", scene.over);
    this.felt.classList.toggle("still", still);
    if (bets.length) slideFrom(bets);
  }

  /** Animate bets moving to the pot on a new street, and a pot moving to its winner. */
  collect(before, scene) {
    const flights = [];
    for (const seat of before.seats) {
      const shown = this.seats.get(seat.player);
      const now = scene.seats.find((other) => other.player === seat.player);
      if (!shown || !now) continue;
      if (seat.bet > 0 && now.bet < seat.bet) flights.push([shown.bet, this.pots]);
      if (now.won > 0 && !(seat.won > 0)) flights.push([this.pots, shown.element]);
    }
    if (flights.length) flyTo(flights, this.felt);
  }

  seatPlayers(scene) {
    const circle = this.turned(circleOf(scene.seats, this.circle));
    const upright = this.upright;
    const key = `${circle.join(" ")} ${upright}`;
    if (key === this.placed) return;
    this.placed = key;
    this.circle = circle;
    for (const [player, seat] of this.seats) {
      if (circle.includes(player)) continue;
      seat.remove();
      this.seats.delete(player);
    }
    this.felt.dataset.count = circle.length; // which may change the height of the felt
    const ratio = upright ? this.felt.clientHeight / this.felt.clientWidth : undefined;
    const spots = places(Math.max(circle.length, 2), upright, this.you !== undefined, ratio);
    circle.forEach((player, index) => {
      if (!this.seats.has(player)) this.seats.set(player, new Seat());
      const { element, bet } = this.seats.get(player);
      const spot = spots[index];
      place(element, spot.seat);
      place(bet, spot.bet);
      bet.dataset.from = spot.from;
      element.classList.toggle("right", spot.seat[0] > 0.5);
      element.classList.toggle("you", player === this.you);
      this.places.append(element);
      this.felt.append(bet);
    });
    this.spots = new Map(circle.map((player, index) => [player, spots[index]]));
  }

  /** The circle from the player at the foot of the table on, if one sits there: `you`. */
  turned(circle) {
    const first = Math.max(0, circle.indexOf(this.you));
    return [...circle.slice(first), ...circle.slice(0, first)];
  }

  showCentre(scene, still) {
    const single = scene.street === "preflop" && scene.seats.some(({ cards }) => cards.length === 1);
    const street = single ? "" : ` · ${streetName(scene.street)}`; // Kuhn poker has no streets
    setText(this.hand, scene.hand ? `${t("Hand {n}", { n: String(scene.hand) })}${street}` : "");
    const blinds = scene.hand ? blindsOf(scene) : "";
    setText(this.blinds, blinds ? ` · ${blinds}` : "");
    const fresh = showCards(this.board, scene.board);
    if (!still) fresh.forEach((card, index) => fadeIn(card, index * 70));
    const winners = scene.over ? scene.seats.filter((seat) => seat.won > 0 && seat.best) : [];
    markCards(this.board, winners.length ? winners.flatMap((seat) => seat.best) : null);
    this.pots.hidden = !(scene.pot > 0);
    setText(this.pot, chips(scene.pot));
    const several = scene.pots.length > 2;
    const titles = scene.pots.map((_, index) =>
      index === 0 ? t("main") : `${t("side")}${several ? ` ${index}` : ""}`,
    );
    const sides =
      scene.pots.length > 1
        ? scene.pots.map((pot, index) => labelled(titles[index], chips(pot.amount)))
        : [];
    if (this.sides.dataset.shown !== sides.join()) {
      this.sides.dataset.shown = sides.join();
      this.sides.replaceChildren(...sides.map((text) => h("span", { class: "side" }, text)));
    }
    const paused = scene.state === "paused" ? t("Paused.") : "";
    setText(this.message, scene.message ? sentence(scene.message) : paused);
  }

  showDealer(scene) {
    const holder = scene.seats.find((seat) => seat.button);
    this.dealer.hidden = !holder;
    if (!holder) return;
    place(this.dealer, this.spots.get(holder.player).button);
  }

  fit() {
    const upright = this.clientWidth > 0 && this.clientWidth < UPRIGHT_BELOW;
    if (upright === this.upright) return;
    this.upright = upright;
    this.felt.classList.toggle("upright", upright);
    if (this.scene) this.show(this.scene, { jump: true });
  }
}

/** The blinds as text, or nothing in a game without blinds. */
export function blindsOf({ small_blind: small, big_blind: big }) {
  return small > 0 ? t("blinds {small}/{big}", { small: chips(small), big: chips(big) }) : "";
}

function place(element, [x, y]) {
  element.style.setProperty("--x", `${(x * 100).toFixed(2)}%`);
  element.style.setProperty("--y", `${(y * 100).toFixed(2)}%`);
}

customElements.define("croupier-table", CroupierTable);
