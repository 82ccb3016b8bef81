// Playing at a table: take a seat, decide, and come back to it after a reload.

import { ActionBar, keysHint } from "./action_bar.js";
import { api } from "./api.js";
import { h, panel, path, setText } from "./dom.js";
import { chips, clauses } from "./format.js";
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

/** Who the address says one is: it brings the player back after a reload. */
function fromHash() {
  const found = new URLSearchParams(location.hash.slice(1));
  const [name, token] = [found.get("name"), found.get("token")];
  return name && token ? { name, token } : null;
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
        why ? h("p", { role: "alert" }, why) : null,
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

  sit(who) {
    this.who = who;
    history.replaceState(null, "", `#${new URLSearchParams(who)}`);
    this.bar = new ActionBar((action, to) => this.act(action, to));
    this.table = h("croupier-table", { "aria-label": t("Table {table}", { table: this.name }) });
    this.log = new Log(t("What happened at the table"));
    this.standings = new Standings();
    this.leave = button(t("Leave the table"), () => this.sitting.send({ type: "leave" }), "quiet");
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
    this.say("info", t("Taking a seat…"));
    this.sitting = new Sitting(this.name, who, {
      onscene: (message) => this.show(message),
      onrefused: (kind, reason) => this.refused(kind, reason),
      onend: () => this.end(),
      onstate: (name) => {
        if (name === "open") this.say();
        else this.lost();
      },
    });
  }

  lost() {
    this.fresh = true;
    this.bar.rest("");
    this.say("lost", t("Connection lost. Your seat is kept; trying again by itself."));
  }

  show({ scene, lines, you }) {
    this.scene = scene;
    this.you = you;
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
    this.offerDecision();
    this.tellState(you.away);
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
    if (mine?.out) return t("You are out of the match.");
    const actor = scene.seats.find((seat) => seat.turn);
    if (!actor) return "";
    const waits = t("{name} is to act.", { name: actor.name });
    return mine?.folded ? `${t("You have folded.")} ${waits}` : waits;
  }

  tellState(away) {
    const { scene } = this;
    if (scene.state === "over") this.result();
    else if (scene.state === "seating") this.say("info", sentence(scene.message));
    else if (away) this.welcomeBack(away);
    else if (this.notice.dataset.kind === "seating") this.say();
    this.notice.dataset.kind = scene.state;
  }

  /** What happened while the player was away. */
  welcomeBack({ hands, before }) {
    if (!hands) {
      this.say();
      return;
    }
    const now = this.mine ? this.mine.stack + this.mine.bet : before;
    this.say(
      "info",
      tn(
        hands,
        "While you were away, {n} hand began; you had {before} chips, now {now}. The log has everything.",
        "While you were away, {n} hands began; you had {before} chips, now {now}. The log has everything.",
        { before: chips(before), now: chips(now) },
      ),
    );
  }

  result() {
    const { scene } = this;
    if (this.told === scene.match) return;
    this.told = scene.match;
    this.close();
    const line = scene.ranking.find((entry) => entry.name === this.mine?.name);
    const values = line && { rank: String(line.rank), chips: chips(line.chips) };
    const place = line ? t("You finished in place {rank} with {chips} chips.", values) : "";
    this.notice.className = "notice info result";
    this.notice.replaceChildren(
      h(
        "p",
        {},
        h("strong", {}, t("The match is over.")),
        ` ${place} `,
        h("a", { href: path("games", scene.match) }, t("See the result and replay its hands")),
        " ",
        this.again(),
      ),
    );
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
    const told = REFUSALS[kind] ?? "";
    this.offer(`${told} (${reason})`.trim(), this.who.name);
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
    this.notice.className = "notice info";
    this.notice.replaceChildren(
      h(
        "p",
        {},
        t("Your seat is open in another window; what you see here is from before."),
        " ",
        button(t("Play here"), () => this.sit(this.who), "main"),
      ),
    );
  }

  /** The referee has closed the connection: after the match, or because the player left. */
  end() {
    this.close();
    history.replaceState(null, "", location.pathname);
    if (this.scene?.state === "over") return;
    this.notice.className = "notice info";
    this.notice.replaceChildren(
      h("p", {}, t("You have left the table."), " ", this.again(), " ", link("/", t("See what is on"))),
    );
  }

  act(action, to) {
    const { hand } = this.scene;
    this.sitting.send({ type: "act", hand, street: this.you.street, action, to });
    this.you = { ...this.you, options: null };
  }

  say(kind = "", text = "") {
    this.notice.className = `notice ${text ? kind : ""}`;
    this.notice.replaceChildren(...(text ? [h("p", {}, text)] : []));
  }
}

export function start(main, { table }) {
  const page = new PlayPage(main, table);
  const who = fromHash();
  if (who) page.sit(who);
  else page.offer();
}
