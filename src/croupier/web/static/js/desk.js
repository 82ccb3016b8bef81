// The organiser's tables: start, pause, resume, end, withdraw a player; and the audit log.

import { confirmButton, showOutcome } from "./acts.js";
import { api } from "./api.js";
import { grid, h, panel, path } from "./dom.js";
import { clauses, labelled, moment, placeName } from "./format.js";
import { blank, failed } from "./state.js";
import { stateName } from "./table_names.js";
import { sentence, t, tn } from "./words.js";

const FOLLOW_MS = 3000;

const START = ["start", t("Start")];
const RESUME = ["resume", t("Resume")];
const PAUSE = ["pause", t("Pause")];
const END = ["end", t("End")];

/** The actions that a table's state allows; in any other state a match is in progress. */
const ACTS = {
  closed: [["start", t("Open a new match")]],
  failed: [["start", t("Open a new match")]],
  over: [["start", t("Open a new match")]],
  seating: [START, END],
  paused: [RESUME, END],
  pausing: [RESUME, END],
};

const AUDIT = [
  { title: t("When"), cell: (row) => moment(row.at) },
  { title: t("Who"), cell: (row) => row.actor },
  { title: t("Act"), cell: (row) => row.act },
  { title: t("Table"), cell: (row) => placeName(row) },
  { title: t("About"), cell: (row) => h("span", { class: "names" }, row.detail) },
  { title: t("Outcome"), cell: (row) => sentence(row.outcome) },
];

export class TableDesk {
  /** `ontables(tables)` is called whenever the tables were fetched. */
  constructor(ontables) {
    this.ontables = ontables;
    this.notice = h("div", { class: "notice", role: "status" });
    this.list = h("div", {});
    this.acts = h("div", {});
    this.element = panel(t("Tables"), {}, this.notice, this.list);
    this.history = panel(t("Latest acts"), {}, this.acts);
    this.timer = setInterval(() => this.follow(), FOLLOW_MS);
  }

  /** Refresh periodically, but not while the user has the focus in the list. */
  follow() {
    if (!this.element.isConnected) clearInterval(this.timer);
    else if (!document.hidden && !this.list.contains(document.activeElement)) this.refresh();
  }

  async refresh() {
    try {
      const { tables, audit } = await api.admin.state();
      this.ontables(tables);
      this.list.replaceChildren(
        tables.length
          ? h(
              "ul",
              { class: "tables" },
              tables.map((table) => this.row(table)),
            )
          : blank(
              t("No table to direct"),
              t("Tables appear here when this site runs with a referee: croupier serve."),
            ),
      );
      this.acts.replaceChildren(
        audit.length ? grid(t("Latest acts"), AUDIT, audit) : blank(t("Nothing was done yet"), ""),
      );
    } catch (error) {
      this.list.replaceChildren(failed(error, t("table"), () => this.refresh()));
    }
  }

  async act(work) {
    try {
      const { text } = await work();
      showOutcome(this.notice, `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
    } catch (error) {
      showOutcome(this.notice, error);
    }
    await this.refresh();
  }

  row({ table, kind = "table", number = "", state, players, hand }) {
    const direct = (command) => () => this.act(() => api.admin.table(table, command));
    // Rooms and challenges start by themselves when their players are there.
    const possible = (ACTS[state] ?? [PAUSE, END]).filter(
      ([command]) => command !== "start" || kind === "table",
    );
    const buttons = possible.map(([command, text]) =>
      command === "end"
        ? confirmButton(text, t("table {table}", { table }), direct(command), "danger")
        : h(
            "button",
            {
              type: "button",
              class: "quiet",
              "aria-label": labelled(text, t("table {table}", { table })),
              onclick: direct(command),
            },
            text,
          ),
    );
    return h(
      "li",
      {},
      h("a", { href: path("live", table) }, h("strong", {}, table)),
      number ? h("span", { class: "badge" }, t("table {table}", { table: number })) : null,
      h("span", { class: "state" }, stateName(state)),
      h(
        "span",
        { class: "muted" },
        clauses(
          tn(players.length, "{n} player", "{n} players"),
          hand ? t("hand {n}", { n: String(hand) }) : "",
        ),
      ),
      h(
        "span",
        { class: "acts" },
        buttons,
        this.withdrawal(
          table,
          players.filter((player) => !player.out),
        ),
      ),
    );
  }

  /** A form to choose a player and withdraw it, if anyone is playing. */
  withdrawal(table, players) {
    if (!players.length) return null;
    const who = h(
      "select",
      { "aria-label": t("Player of table {table}", { table }) },
      players.map(({ name, online }) =>
        h("option", { value: name }, online ? name : `${name} (${t("away")})`),
      ),
    );
    const act = () => this.act(() => api.admin.withdraw(table, who.value));
    return h(
      "span",
      { class: "withdraw" },
      who,
      confirmButton(t("Withdraw"), t("from table {table}", { table }), act, "danger"),
    );
  }
}
