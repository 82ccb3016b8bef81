// The live page: the table with its log and ranking, or the broadcast on a big screen.

import { api } from "./api.js";
import { Broadcast } from "./broadcast.js";
import { to } from "./files.js";
import { FinalSceneHold } from "./final_scene.js";
import { h, panel, path, setText } from "./dom.js";
import { clauses, clock, fullStop } from "./format.js";
import { Follower } from "./follow.js";
import { Announcer, Log } from "./log.js";
import { Openings } from "./openings.js";
import { tour } from "./screen.js";
import { Standings } from "./standings.js";
import { blank, failed, link } from "./state.js";
import { blindsOf } from "./table.js";
import { meeting, tableTitle } from "./table_names.js";
import { sentence, t } from "./words.js";

const STATES = {
  seating: t("Players are taking their seats."),
  countdown: t("The match is about to begin."),
  returning: t(
    "The match was interrupted. It goes on when its players are back, or have had time to come.",
  ),
  paused: t("The match is paused; the next hand waits for the organiser."),
  over: t("The match is over."),
};

/** The page of a table, which follows one feed at a time. */
class LivePage {
  constructor(main) {
    this.main = main;
    this.title = h("h1", {}, t("Live"));
    this.subtitle = h("p", { class: "subtitle" });
    this.notice = h("div", { class: "notice", role: "status" });
    this.table = h("croupier-table");
    this.standings = new Standings();
    this.announcer = new Announcer();
    this.openings = new Openings();
    this.seat = h("span", {});
    this.others = h("nav", { class: "tabs", "aria-label": t("Other tables") });
  }

  /** Build the page around the table and follow it. */
  watch(name) {
    this.follower?.stop();
    this.hold?.stop();
    this.hold = new FinalSceneHold((scene, how) => this.draw(scene, how));
    this.name = name;
    this.scene = null;
    this.log = new Log(t("What happened at the table"));
    this.table.remove();
    this.table = h("croupier-table", { "aria-label": tableTitle(name, []) });
    this.call([]);
    const beside = h(
      "div",
      { class: "beside" },
      panel(t("Log"), { class: "logs" }, this.log.element),
      panel(t("Ranking"), {}, this.standings.note, this.standings.list),
    );
    this.main.replaceChildren(
      h("div", { class: "heading" }, this.title, this.subtitle, this.seat, this.others),
      this.notice,
      h(
        "div",
        { class: "live" },
        h("div", { class: "stage" }, this.table),
        beside,
        this.big ? null : this.openings.element,
      ),
      this.announcer.element,
    );
    this.follower = new Follower(name, {
      onscene: (scene, lines, how) => this.show(scene, lines, how),
      onstate: (state) => this.say(state),
    });
  }

  /** Set the title of the page. */
  call(players) {
    const title = tableTitle(this.name, players);
    if (this.title.textContent === title) return;
    this.title.textContent = title;
    document.title = `${title} · ${document.body.dataset.event}`;
  }

  show(scene, lines, { jump, gap }) {
    this.hold.show(scene, { jump });
    this.log.add(lines, gap); // last: scrolling takes the layout that the frame needs anyway
    if (!jump) this.announcer.say(lines.map((line) => sentence(line.text)));
  }

  draw(scene, how) {
    this.scene = scene;
    this.table.show(scene, how);
    this.standings.show(scene);
    this.call(scene.seats);
    setText(
      this.subtitle,
      scene.rules ? clauses(t("{rules} rules", { rules: scene.rules }), blindsOf(scene)) : "",
    );
    if (!this.big) this.openings.show(this.name, scene);
    this.table.dataset.seq = this.follower?.seq ?? "";
    if (this.connected) this.tell();
  }

  /** Show the state of the match, while the connection is open. */
  tell() {
    const { state, message, match, next } = this.scene ?? { state: "playing" };
    const over = state === "over";
    const text = over && message ? sentence(message) : STATES[state];
    const following = next
      ? ` ${t("The next match is open: {here} of {seats} are here.", { here: String(next.here), seats: String(next.seats) })}`
      : "";
    const key = `${match} ${text}${following}`;
    if (key === this.told) return;
    this.told = key;
    const lead =
      over && match
        ? [h("a", { href: path("games", match) }, t("See the result and replay its hands")), fullStop]
        : [];
    this.notice.className = `notice ${text ? "info" : ""}`;
    this.notice.replaceChildren(...(text ? [h("p", {}, text, " ", lead, following)] : []));
  }

  say({ name, since, retry }) {
    this.connected = name === "open";
    this.told = undefined;
    if (this.connected) {
      this.tell();
      return;
    }
    const says = {
      connecting: () => h("p", {}, t("Connecting to table {table}…", { table: this.name })),
      lost: () =>
        h(
          "p",
          {},
          `${t("Connection lost since {time}; what you see is from then. Trying again by itself.", { time: clock(since) })} `,
          h("button", { type: "button", onclick: retry }, t("Try now")),
        ),
      closed: () =>
        h(
          "p",
          {},
          `${t("This table is closed.")} `,
          h("a", { href: to("/") }, t("See what else is on")),
          ` ${t("or")} `,
          h("a", { href: to("/games") }, t("look at past games")),
          fullStop,
        ),
    };
    this.notice.className = `notice ${name}`;
    if (name === "lost" && !this.scene) this.check();
    this.notice.replaceChildren(says[name]());
  }

  /** Check whether the table exists, if its feed never opened. */
  async check() {
    try {
      await api.table(this.name);
    } catch (error) {
      if (error.status !== 404) return;
      this.follower.stop();
      notFound(this.main, this.name);
    }
  }

  /** Links to the other running tables, and to a seat at this one if it takes people. */
  async offer() {
    try {
      const { items } = await api.tables();
      const here = items.find((item) => item.table === this.name);
      this.seat.replaceChildren(
        ...(here?.humans && here.free
          ? [h("a", { class: "button seat-link", href: path("play", this.name) }, t("Take a seat"))]
          : []),
      );
      if (items.length < 2) return;
      this.others.replaceChildren(
        ...items.map((item) =>
          h(
            "a",
            {
              href: path("live", item.table),
              "aria-current": item.table === this.name ? "page" : undefined,
            },
            meeting(item.table, item.players) || item.table,
          ),
        ),
      );
    } catch {
      // The feed's notice already says when the server is unreachable.
    }
  }
}

/** Say that a table is not here, and where it is if another arena has one of its name. */
async function notFound(main, name) {
  const draw = (...elsewhere) =>
    main.replaceChildren(
      h("h1", {}, t("Live")),
      blank(
        t("Not found"),
        t("There is no table called {table} now.", { table: name }),
        ...elsewhere,
        link("/live", t("See the running tables")),
        link("/games", t("See past games")),
      ),
    );
  draw();
  try {
    const { elsewhere } = await api.status();
    draw(
      ...elsewhere
        .filter((item) => item.table === name)
        .map(({ watch }) =>
          h(
            "a",
            { class: "button", href: watch },
            t("Watch it on {site}", { site: new URL(watch).host }),
          ),
        ),
    );
  } catch {
    // The page has said what it can.
  }
}

/** Choose a table if the URL names none: the first that plays, or null with a hint. */
async function choose(main) {
  const { items } = await api.tables();
  const active = items.find((item) => item.state === "playing") ?? items[0];
  if (active) return active.table;
  main.replaceChildren(
    h("h1", {}, t("Live")),
    blank(
      t("Nothing is running"),
      t("No table is open at the moment. As soon as one opens it is shown here."),
      link("/games", t("See past games")),
      link("/", t("How to connect a bot")),
    ),
  );
  return null;
}

export async function start(main, { table, missing }) {
  if (missing) {
    notFound(main, table);
    return;
  }
  if (new URLSearchParams(location.search).get("screen") === "1") {
    const screen = new Broadcast(main);
    if (table) screen.watch(table);
    tour(screen);
    return;
  }
  const page = new LivePage(main);
  let name = table;
  try {
    name ||= await choose(main);
  } catch (error) {
    main.replaceChildren(failed(error, t("table"), () => start(main, { table })));
    return;
  }
  if (name) {
    page.watch(name);
    page.offer();
  } else setTimeout(() => start(main, { table }), 5000);
}
