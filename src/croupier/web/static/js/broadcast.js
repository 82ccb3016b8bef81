// The big screen: one picture of the table, the event below it, the standing beside it.
//
// It shows what the audience may see, like the live page, and draws the same scenes.

import { api } from "./api.js";
import { markCards, showCards } from "./cards.js";
import { ContestEvent } from "./contest_event.js";
import { h, setText } from "./dom.js";
import { FinalSceneHold } from "./final_scene.js";
import { Follower } from "./follow.js";
import { progress } from "./fixtures.js";
import { chips, clock, labelled, listed } from "./format.js";
import { OtherTables } from "./other_tables.js";
import { widthOf } from "./seat.js";
import { rankingNote } from "./standings.js";
import { blank } from "./state.js";
import { blindsOf } from "./table.js";
import { tableTitle } from "./table_names.js";
import { sentence, t } from "./words.js";

const STAY_MS = 2500; // what just happened stays at least so long
const CARD_MS = 6000; // a card for a big pot or a bust-out
const ARROW_MS = 20_000;
const BIG_POT = 40; // big blinds
const TICKER_MS = 6000;
const RAIL_LINES = 16;
const LONG_TITLE = 24; // characters for which the lower third has room in large type
const LARGE_LINES = 8; // lines of the rail in large type,
const LARGE_NAME = 9; // if no name is wider than so many characters
const LOUD = ["action", "post", "trouble"];

/** The standing beside the table, with arrows for changes of place. */
export class Rail {
  constructor() {
    this.title = h("h2", {}, t("Ranking"));
    this.list = h("ol", { class: "standings rail-list" });
    this.note = h("p", { class: "muted" });
    this.ranks = new Map();
    this.moved = new Map();
  }

  /** Show lines with rank, name and value; `of` says whose standing it is. */
  show(title, lines, of, note = "") {
    setText(this.title, title);
    setText(this.note, note);
    if (of !== this.of) {
      this.of = of;
      this.ranks.clear();
      this.moved.clear();
    }
    const now = performance.now();
    for (const { name, rank } of lines) {
      const before = this.ranks.get(name);
      if (before !== undefined && before !== rank) {
        this.moved.set(name, { up: rank < before, until: now + ARROW_MS });
      }
      this.ranks.set(name, rank);
    }
    const large = lines.length <= LARGE_LINES && !lines.some(({ name }) => widthOf(name) > LARGE_NAME);
    this.list.classList.toggle("large", large);
    const rows = shortened(lines).map((entry) => this.row(entry, now));
    const key = rows.map((row) => row.outerHTML).join("");
    if (key === this.key) return;
    this.key = key;
    this.list.replaceChildren(...rows);
  }

  row({ rank, name, value, out, here }, now) {
    const move = this.moved.get(name);
    const shown = move && move.until > now;
    return h(
      "li",
      { class: [out && "out", here && "here"].filter(Boolean).join(" ") || undefined },
      h("span", { class: "place" }, String(rank)),
      h("span", { class: "name" }, name),
      h(
        "span",
        { class: `move ${shown ? (move.up ? "up" : "down") : ""}` },
        shown ? (move.up ? "▲" : "▼") : "",
        shown ? h("span", { class: "vh" }, move.up ? t("up") : t("down")) : null,
      ),
      h("span", { class: "chips" }, value),
    );
  }
}

/** As many lines as the rail has room for: the first ones, and those of the table. */
function shortened(lines) {
  if (lines.length <= RAIL_LINES) return lines;
  const here = lines.slice(RAIL_LINES).filter((line) => line.here);
  return [...lines.slice(0, RAIL_LINES - here.length), ...here];
}

/** One line about other results after the other. */
class Ticker {
  constructor(event) {
    this.event = event;
    this.element = h("p", { class: "ticker" });
    this.items = [];
    this.at = 0;
    this.refresh();
    setInterval(() => this.next(), TICKER_MS);
  }

  async refresh() {
    this.items = this.event.contest ? this.event.news : await this.others();
    if (!this.element.textContent) this.next();
  }

  /** What else happened on a site without a contest that is being shown. */
  async others() {
    try {
      const { recent, tables } = await api.status();
      return [
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
          .filter((one) => one.hand && one.table !== this.event.table)
          .map((one) =>
            labelled(tableTitle(one.table, one.players), t("Hand {n}", { n: chips(one.hand) })),
          ),
      ];
    } catch {
      return this.items; // the line about the connection says it already
    }
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
    this.onAir = h("span", { class: "on-air", hidden: true }, t("Live"));
    this.event = h("strong", { class: "event" }, document.body.dataset.event);
    this.where = h("span", { class: "where" });
    this.action = h("p", { class: "loud", role: "status" });
    this.notice = h("div", { class: "notice", role: "status" });
    this.winner = h("div", { class: "winner", hidden: true });
    this.card = h("div", { class: "moment", hidden: true });
    this.rail = new Rail();
    this.others = new OtherTables();
    this.stage = h("div", { class: "stage" });
    this.contest = new ContestEvent(() => {
      this.showEvent();
      this.ticker.refresh();
    });
    this.ticker = new Ticker(this.contest);
    this.frame = h(
      "div",
      { class: "broadcast alone" },
      h("div", { class: "picture" }, this.stage, this.winner, this.card, this.notice),
      h(
        "aside",
        { class: "rail", "aria-label": t("Ranking") },
        this.rail.title,
        this.rail.list,
        this.rail.note,
        this.others.element,
      ),
      h(
        "div",
        { class: "lower-third" },
        this.onAir,
        h("div", { class: "what" }, this.event, this.where),
        this.action,
      ),
      this.ticker.element,
    );
    main.replaceChildren(h("h1", { class: "vh" }, t("Live")), this.frame);
    document.body.classList.add("screen");
  }

  /** Say that there is nothing to show now, beside the standing of the contest if there is one. */
  idle() {
    if (this.isIdle) return;
    this.isIdle = true;
    this.leave(null);
    this.onAir.hidden = this.winner.hidden = this.card.hidden = true;
    this.frame.classList.add("alone");
    for (const part of [this.action, this.where]) setText(part, "");
    this.tell("");
    this.stage.replaceChildren(
      blank(
        t("Nothing is running"),
        t("No table is open at the moment. As soon as one opens it is shown here."),
      ),
    );
    this.contest.newest();
  }

  leave(name) {
    this.follower?.stop();
    this.hold?.stop();
    this.name = name;
    this.scene = null;
  }

  watch(name) {
    this.isIdle = false;
    this.onAir.hidden = false;
    this.frame.classList.remove("alone");
    this.leave(name);
    this.contest.at(name);
    this.others.at(name);
    this.hold = new FinalSceneHold((scene, how) => this.draw(scene, how));
    this.table = h("croupier-table", { "aria-label": tableTitle(name, []) });
    this.stage.replaceChildren(this.table);
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
    const width = widthOf(text);
    this.action.classList.toggle("long", width > LONG_TITLE);
    this.action.classList.toggle("longest", width > 2 * LONG_TITLE);
    this.shoutedAt = performance.now();
  }

  draw(scene, how) {
    const before = this.scene;
    this.scene = scene;
    this.table.show(scene, how);
    this.table.dataset.seq = this.follower?.seq ?? "";
    this.showEvent();
    if (before?.hand !== scene.hand && performance.now() - (this.shoutedAt ?? 0) > STAY_MS) {
      setText(this.action, "");
    }
    this.showWinner(scene);
    if (before && before.match === scene.match) this.showMoment(before, scene);
    this.tellState(scene);
  }

  /** The event's title and stage below the table, and its standing beside it. */
  showEvent() {
    const { scene, contest } = this;
    if (this.isIdle && contest.detail) this.showContest();
    if (!scene) return;
    const known = contest.detail !== null;
    const title = known ? contest.detail.title : document.body.dataset.event;
    setText(this.event, title);
    this.event.classList.toggle("long", title.length > LONG_TITLE);
    const hand = scene.hand ? t("Hand {n}", { n: chips(scene.hand) }) : "";
    const name = tableTitle(this.name, scene.seats);
    const where = contest.where || name;
    document.title = `${name} · ${document.body.dataset.event}`;
    setText(this.where, [where, hand, blindsOf(scene)].filter(Boolean).join(" · "));
    if (known) {
      this.showStanding(scene.seats.map((seat) => seat.name));
      return;
    }
    const lines = scene.ranking.map(({ rank, name, chips: stack, out }) => ({
      rank,
      name,
      value: out ? t("out") : chips(stack),
      out,
    }));
    this.rail.show(t("Ranking"), lines, scene.match, rankingNote(scene));
  }

  showStanding(here) {
    const { contest } = this;
    const title = t("Standing: {stage}", { stage: contest.detail.stage });
    this.rail.show(title, contest.lines(here), `contest ${contest.contest}`);
  }

  /** The contest between two of its matches. */
  showContest() {
    const { stages, stage } = this.contest.detail;
    this.frame.classList.remove("alone");
    setText(this.event, this.contest.detail.title);
    const current = stages.find(({ name }) => name === stage);
    setText(this.where, current ? labelled(stage, progress(current)) : "");
    this.showStanding([]);
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
