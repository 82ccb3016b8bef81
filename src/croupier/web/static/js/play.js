// Playing at a table: take a seat, decide, and come back to it after a reload.

import { ActionBar, keysHint } from "./action_bar.js";
import { api } from "./api.js";
import { h, panel, path, setText } from "./dom.js";
import { chips, clauses, clock } from "./format.js";
import { invitation } from "./invitation.js";
import { Announcer, Log } from "./log.js";
import { drawToken, Sitting } from "./sitting.js";
import { Standings } from "./standings.js";
import { button, link, load } from "./state.js";
import { blindsOf } from "./table.js";
import { sentence, t, tn } from "./words.js";

const MAX_NAME = 24;
const REFUSALS = {
  full: t("There is no free seat at the moment."),
  unknown: t("Nobody can sit down here now."),
  taken: t("You are connected already."),
};

/** Who the address says one is, and in which match: it brings the player back after a reload. */
function fromHash() {
  const found = new URLSearchParams(location.hash.slice(1));
  const [name, token, match] = ["name", "token", "match"].map((key) => found.get(key));
  return name && token ? { name, token, match } : null;
}

function writeHash({ name, token, match }) {
  const known = new URLSearchParams({ name, token, ...(match ? { match } : {}) });
  history.replaceState(null, "", `#${known}`);
}

/** The result of a match that is over, or null. */
async function resultOf(match) {
  try {
    const detail = await api.match(match);
    return detail.match.ended === null ? null : detail;
  } catch {
    return null; // it has not begun, or the site cannot be reached
  }
}

/** What a person is told of a match that is over. */
function verdict(match, line) {
  const values = line && { rank: String(line.rank), chips: chips(line.chips) };
  const place = line ? t("You finished in place {rank} with {chips} chips.", values) : "";
  return [
    h("strong", {}, t("The match is over.")),
    ` ${place} `,
    h("a", { href: path("games", match) }, t("See the result and replay its hands")),
    " ",
  ];
}

class PlayPage {
  constructor(main, table) {
    this.main = main;
    this.name = table;
    this.notice = h("div", { class: "notice", role: "status" });
    this.subtitle = h("p", { class: "subtitle" });
    this.announcer = new Announcer();
  }

  /** Ask for a name; with the button one sits down. */
  offer(why = "", name = "") {
    this.sitting = null;
    const field = h("input", {
      name: "name",
      required: true,
      maxlength: MAX_NAME,
      autocomplete: "nickname",
      value: name,
    });
    const form = h(
      "form",
      {
        class: "take-seat",
        onsubmit: (event) => {
          event.preventDefault();
          const chosen = field.value.trim();
          if (chosen) this.sit({ name: chosen, token: drawToken() });
        },
      },
      h("label", {}, t("Your name"), field),
      h("button", { type: "submit", class: "main" }, t("Take a seat")),
    );
    const more = h("div", { class: "invitation" });
    this.main.replaceChildren(
      h("div", { class: "heading" }, h("h1", {}, t("Play at table {table}", { table: this.name }))),
      h(
        "section",
        { class: "panel offer" },
        why ? h("p", { class: "why", role: "alert" }, why) : null,
        h(
          "p",
          {},
          t(
            "You play against those at this table. Everything is recorded under the name that you choose.",
          ),
        ),
        form,
        h("p", {}, h("a", { href: path("live", this.name) }, t("Only watch"))),
      ),
      more,
    );
    field.focus();
    load(more, t("the table"), async () => invitation(await api.table(this.name)));
  }

  /** Come back to the seat of the address, unless its match is over: then say how it ended. */
  async comeBack(who) {
    const result = who.match && (await resultOf(who.match));
    if (result) this.offerAgain(who, result);
    else this.sit(who);
  }

  /** The match ended while the player was away. */
  offerAgain(who, { match, ranking }) {
    history.replaceState(null, "", location.pathname);
    const line = ranking.find((entry) => entry.name === who.name);
    this.offer(verdict(match.match, line), who.name);
  }

  sit(who) {
    this.who = who;
    writeHash(who);
    this.bar = new ActionBar((action, to) => this.act(action, to));
    this.table = h("croupier-table", { "aria-label": t("Table {table}", { table: this.name }) });
    this.log = new Log(t("What happened at the table"));
    this.standings = new Standings();
    this.leave = button(t("Leave the table"), () => this.goAway(), "quiet");
    this.main.replaceChildren(
      h(
        "div",
        { class: "heading" },
        h("h1", {}, t("Play at table {table}", { table: this.name })),
        this.subtitle,
        h("div", { class: "tabs" }, this.leave),
      ),
      this.notice,
      h(
        "div",
        { class: "live play" },
        h("div", { class: "stage" }, this.table, this.bar.element),
        h(
          "div",
          { class: "beside" },
          panel(t("Log"), { class: "logs" }, this.log.element),
          panel(t("Ranking"), {}, this.standings.note, this.standings.list),
          keysHint(),
        ),
      ),
      this.announcer.element,
    );
    this.fresh = true;
    this.news = "";
    this.pending = false;
    this.say("info", t("Taking a seat…"));
    this.sitting = new Sitting(this.name, who, {
      onscene: (message) => this.show(message),
      onrefused: (kind, reason) => this.refused(kind, reason),
      onend: () => this.end(),
      onstate: (state) => {
        if (state.name === "open") this.say();
        else this.lost(state);
      },
      isOver: () => this.isOver(),
    });
  }

  async isOver() {
    const result = this.who.match && (await resultOf(this.who.match));
    if (!result) return false;
    this.offerAgain(this.who, result);
    return true;
  }

  lost({ since, retry }) {
    this.fresh = true;
    this.pending = false;
    this.bar.rest(t("Not connected."));
    const text = t(
      "Connection lost since {time}; what you see is from then. Your seat is kept: on your turn the table waits once, then you fold until you are back. Trying again by itself.",
      { time: clock(since) },
    );
    this.tell("lost", `lost ${clock(since)}`, () => [`${text} `, button(t("Try now"), retry)]);
  }

  /** Leave the table; without a connection the referee notices by itself. */
  goAway() {
    if (this.sitting.open) {
      this.sitting.send({ type: "leave" });
      return;
    }
    this.sitting.stop();
    this.end();
  }

  show({ scene, lines, you }) {
    // Only a referee that was started anew does not know since when one was away.
    if (this.fresh && this.scene?.match === scene.match && !you.away)
      this.news = t(
        "The tables were interrupted, and the match goes on; a hand that was not over counts for nothing.",
      );
    this.scene = scene;
    this.you = you;
    if (scene.match !== this.who.match) {
      this.who = { ...this.who, match: scene.match };
      writeHash(this.who);
    }
    if (this.fresh) {
      this.log.clear();
      this.table.you = you.player;
      this.table.placed = null;
    } else this.announcer.say(lines.map((line) => sentence(line.text)));
    this.log.add(lines);
    this.table.show(scene, { jump: this.fresh });
    this.fresh = false;
    this.standings.show(scene);
    setText(this.subtitle, clauses(t("{rules} rules", { rules: scene.rules }), blindsOf(scene)));
    if (this.pending && !you.options && this.mine?.folded)
      this.news = t("Your time was up, so your hand was folded.");
    const asked = you.options && !this.pending;
    this.pending = Boolean(you.options);
    if (you.away) this.news = this.whileAway(you.away);
    this.offerDecision();
    this.tellState();
    if (asked) this.uncover();
  }

  /** On a low screen the bar lies over the table: who decides has to see its own cards. */
  uncover() {
    const foot = this.bar.element.parentElement.getBoundingClientRect().bottom;
    if (foot > innerHeight) scrollBy(0, foot - innerHeight);
  }

  get mine() {
    return this.scene.seats.find((seat) => seat.player === this.you.player);
  }

  offerDecision() {
    const { options, street } = this.you;
    const { scene, mine } = this;
    if (options && mine) {
      const key = `${scene.match} ${scene.hand} ${street} ${scene.turn?.since}`;
      this.bar.ask(options, scene, mine, key);
      return;
    }
    this.bar.rest(this.waitingFor());
  }

  waitingFor() {
    const { scene, mine } = this;
    if (scene.state === "over") return "";
    if (mine?.out) return "";
    const actor = scene.seats.find((seat) => seat.turn);
    if (!actor) return "";
    const waits = t("{name} is to act.", { name: actor.name });
    return mine?.folded ? `${t("You have folded.")} ${waits}` : waits;
  }

  /** Say what is the matter, above the table; what was said of one's own hand stays until one decides. */
  tellState() {
    const { scene, news } = this;
    if (scene.state === "over") this.result();
    else if (["seating", "countdown"].includes(scene.state))
      this.say("info", sentence(scene.message));
    else if (scene.state === "paused")
      this.say("info", t("The match is paused; the next hand waits for the organiser."));
    else if (this.mine?.out) this.out();
    else this.say("info", news);
  }

  /** What happened while the player was away. */
  whileAway({ hands, before }) {
    if (!hands) return "";
    const now = this.mine ? this.mine.stack + this.mine.bet : before;
    return tn(
      hands,
      "While you were away, {n} hand began; you had {before} chips, now {now}. The log has everything.",
      "While you were away, {n} hands began; you had {before} chips, now {now}. The log has everything.",
      { before: chips(before), now: chips(now) },
    );
  }

  /** The others play on. */
  out() {
    this.bar.element.hidden = true;
    this.tell("info", "out", () => [
      h("strong", {}, t("You are out of the match.")),
      ` ${t("You can watch the others to the end, or leave and play again.")} `,
      button(t("Leave the table"), () => this.goAway(), "main"),
    ]);
  }

  result() {
    const { scene } = this;
    this.close();
    history.replaceState(null, "", location.pathname);
    const line = scene.ranking.find((entry) => entry.name === this.mine?.name);
    this.tell("info result", `over ${scene.match}`, () => [
      ...verdict(scene.match, line),
      this.again(),
    ]);
  }

  again() {
    return button(t("Play again"), () => this.offer("", this.who.name), "main");
  }

  refused(kind, reason) {
    if (kind === "replaced") {
      this.elsewhere();
      return;
    }
    history.replaceState(null, "", location.pathname);
    const told = REFUSALS[kind];
    const why = sentence(reason);
    this.offer(told ? t("{what} ({why})", { what: told, why }) : why, this.who.name);
  }

  /** Nothing is to be decided here any more: the bar would only cover the table. */
  close() {
    this.bar.rest("");
    this.bar.element.hidden = true;
    this.leave.hidden = true;
  }

  /** The same address was opened in another window, which has the seat now. */
  elsewhere() {
    this.close();
    this.tell("info", "elsewhere", () => [
      t("Your seat is open in another window; what you see here is from before."),
      " ",
      button(t("Play here"), () => this.sit(this.who), "main"),
    ]);
  }

  /** The referee has closed the connection: after the match, or because the player left. */
  end() {
    this.close();
    history.replaceState(null, "", location.pathname);
    if (this.scene?.state === "over") return;
    this.tell("info", "left", () => [
      t("You have left the table."),
      " ",
      this.again(),
      " ",
      link("/", t("See what is on")),
    ]);
  }

  act(action, to) {
    const { hand } = this.scene;
    this.sitting.send({ type: "act", hand, street: this.you.street, action, to });
    this.you = { ...this.you, options: null };
    this.pending = false;
    this.news = "";
  }

  say(kind = "", text = "") {
    this.tell(text ? kind : "", text, () => text);
  }

  /** Fill the notice; `key` names what it says, so that it is drawn and read out once. */
  tell(kind, key, content) {
    if (key === this.told) return;
    this.told = key;
    this.notice.className = `notice ${kind}`;
    this.notice.replaceChildren(...(key ? [h("p", {}, content())] : []));
  }
}

export function start(main, { table }) {
  const page = new PlayPage(main, table);
  const who = fromHash();
  if (who) page.comeBack(who);
  else page.offer();
}
