// The big screen: one picture of the table, the event below it, the standing beside it.
//
// It shows what the audience may see, like the live page, and draws the same scenes.

import { api } from "./api.js";
import { markCards, showCards } from "./cards.js";
import { h, setText } from "./dom.js";
import { FinalSceneHold } from "./final_scene.js";
import { Follower } from "./follow.js";
import { chips, clock, listed } from "./format.js";
import { blindsOf } from "./table.js";
import { sentence, t } from "./words.js";

const STAY_MS = 2500; // what just happened stays at least so long
const CARD_MS = 6000; // a card for a big pot or a bust-out
const ARROW_MS = 20_000;
const BIG_POT = 40; // big blinds
const TICKER_MS = 6000;
const LOUD = ["action", "post", "trouble"];

/** The standing beside the table, with arrows for changes of place. */
class Rail {
  constructor() {
    this.list = h("ol", { class: "standings rail-list" });
    this.ranks = new Map();
    this.moved = new Map();
  }

  show(ranking, match) {
    if (match !== this.match) {
      this.match = match;
      this.ranks.clear();
      this.moved.clear();
    }
    const now = performance.now();
    for (const { name, rank } of ranking) {
      const before = this.ranks.get(name);
      if (before !== undefined && before !== rank) {
        this.moved.set(name, { up: rank < before, until: now + ARROW_MS });
      }
      this.ranks.set(name, rank);
    }
    this.list.replaceChildren(...ranking.map((entry) => this.row(entry, now)));
  }

  row({ rank, name, chips: stack, out }, now) {
    const move = this.moved.get(name);
    const shown = move && move.until > now;
    return h(
      "li",
      { class: out ? "out" : "" },
      h("span", { class: "place" }, String(rank)),
      h("span", { class: "name" }, name),
      h(
        "span",
        { class: `move ${shown ? (move.up ? "up" : "down") : ""}` },
        shown ? (move.up ? "▲" : "▼") : "",
      ),
      h("span", { class: "chips" }, out ? t("out") : chips(stack)),
    );
  }
}

/** One line about other results after the other. */
class Ticker {
  constructor() {
    this.element = h("p", { class: "ticker" });
    this.items = [];
    this.at = 0;
    this.refresh();
    setInterval(() => this.next(), TICKER_MS);
  }

  async refresh() {
    try {
      const { recent, tables } = await api.status();
      this.items = [
        ...recent
          .filter((match) => match.winners.length)
          .map((match) =>
            t("{rules}: {winners} won after {n} hands", {
              rules: match.rules,
              winners: listed(match.winners),
              n: chips(match.hands),
            }),
          ),
        ...tables
          .filter((table) => table.hand)
          .map((table) =>
            t("Table {table}: hand {n}", { table: table.table, n: chips(table.hand) }),
          ),
      ];
    } catch {
      // The line about the connection says it already.
    }
    if (!this.element.textContent) this.next();
  }

  next() {
    if (!this.items.length) {
      this.refresh();
      return;
    }
    this.at = (this.at + 1) % this.items.length;
    setText(this.element, this.items[this.at]);
    if (this.at === 0) this.refresh();
  }
}

export class Broadcast {
  constructor(main) {
    this.event = h("strong", { class: "event" }, document.body.dataset.event);
    this.where = h("span", { class: "where" });
    this.action = h("p", { class: "loud", role: "status" });
    this.notice = h("div", { class: "notice", role: "status" });
    this.winner = h("div", { class: "winner", hidden: true });
    this.card = h("div", { class: "moment", hidden: true });
    this.rail = new Rail();
    this.stage = h("div", { class: "stage" });
    this.ticker = new Ticker();
    main.replaceChildren(
      h("h1", { class: "vh" }, t("Live")),
      h(
        "div",
        { class: "broadcast" },
        h("div", { class: "picture" }, this.stage, this.winner, this.card, this.notice),
        h(
          "aside",
          { class: "rail", "aria-label": t("Ranking") },
          h("h2", {}, t("Ranking")),
          this.rail.list,
        ),
        h(
          "div",
          { class: "lower-third" },
          h("span", { class: "on-air" }, t("Live")),
          h("div", { class: "what" }, this.event, this.where),
          this.action,
        ),
        this.ticker.element,
      ),
    );
    document.body.classList.add("screen");
  }

  watch(name) {
    this.follower?.stop();
    this.hold?.stop();
    this.name = name;
    this.scene = null;
    this.hold = new FinalSceneHold((scene, how) => this.draw(scene, how));
    this.table = h("croupier-table", { "aria-label": t("Table {table}", { table: name }) });
    this.stage.replaceChildren(this.table);
    document.title = `${t("Table {table}", { table: name })} · ${document.body.dataset.event}`;
    this.follower = new Follower(name, {
      onscene: (scene, lines, { jump }) => this.show(scene, lines, jump),
      onstate: (state) => this.say(state),
    });
  }

  show(scene, lines, jump) {
    const loud = lines.filter((line) => LOUD.includes(line.kind)).at(-1);
    if (loud && !jump) this.shout(sentence(loud.text));
    this.hold.show(scene, { jump });
  }

  /** The last action, large; the next one waits for nothing, silence lets it stay. */
  shout(text) {
    setText(this.action, text);
    this.shoutedAt = performance.now();
  }

  draw(scene, how) {
    const before = this.scene;
    this.scene = scene;
    this.table.show(scene, how);
    this.table.dataset.seq = this.follower?.seq ?? "";
    this.rail.show(scene.ranking, scene.match);
    const hand = scene.hand ? ` · ${t("Hand {n}", { n: chips(scene.hand) })}` : "";
    setText(
      this.where,
      `${t("Table {table}", { table: this.name })}${hand}${blindsOf(scene, " · ")}`,
    );
    if (before?.hand !== scene.hand && performance.now() - (this.shoutedAt ?? 0) > STAY_MS) {
      setText(this.action, "");
    }
    this.showWinner(scene);
    if (before && before.match === scene.match) this.showMoment(before, scene);
    this.tellState(scene);
  }

  /** After a hand, its winners with their five cards, where everyone may see them. */
  showWinner(scene) {
    const winners = scene.over ? scene.seats.filter((seat) => seat.won > 0) : [];
    const key = winners.length ? `${scene.match} ${scene.hand}` : "";
    if (key === this.wonKey) return;
    this.wonKey = key;
    clearTimeout(this.winnerTimer);
    if (!winners.length) {
      // It stays a moment, however soon the next hand begins.
      this.winnerTimer = setTimeout(() => (this.winner.hidden = true), STAY_MS);
      return;
    }
    this.winner.hidden = false;
    this.winner.replaceChildren(
      ...winners.slice(0, 2).map((seat) => {
        const five = h("span", { class: "five" });
        showCards(five, seat.best ?? []);
        markCards(five, seat.best ?? null);
        const told = t("{name} wins {n}", { name: seat.name, n: chips(seat.won) });
        return h("p", {}, h("strong", {}, told), five);
      }),
    );
  }

  /** A short card for a big pot, or for somebody who is out. */
  showMoment(before, scene) {
    const out = scene.seats.find(
      (seat) => seat.out && before.seats.some((was) => was.player === seat.player && !was.out),
    );
    const won = scene.seats.reduce((most, seat) => Math.max(most, seat.won), 0);
    const big = scene.over && !before.over && won >= BIG_POT * scene.big_blind;
    if (!out && !big) return;
    const text = out
      ? t("{name} is out", { name: out.name })
      : t("A big pot: {n}", { n: chips(won) });
    this.card.hidden = false;
    setText(this.card, text);
    clearTimeout(this.cardTimer);
    this.cardTimer = setTimeout(() => (this.card.hidden = true), CARD_MS);
  }

  tellState({ state, message }) {
    const quiet = state === "playing" || state === "seating";
    this.tell(quiet ? "" : message ? sentence(message) : "");
  }

  say({ name, since }) {
    if (name === "lost") this.tell(t("Connection lost since {time}.", { time: clock(since) }));
    else if (name === "closed") this.tell(t("This table is closed."));
    else if (this.scene) this.tellState(this.scene);
  }

  tell(text) {
    this.notice.className = `notice ${text ? "info" : ""}`;
    this.notice.replaceChildren(...(text ? [h("p", {}, text)] : []));
  }
}
