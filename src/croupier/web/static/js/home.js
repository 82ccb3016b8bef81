// The start page answers three questions: what is on, who leads, how do I connect my bot.

import { api } from "./api.js";
import { copyButton, grid, h, panel, path } from "./dom.js";
import { contestStates } from "./contest.js";
import { contestCard } from "./contests.js";
import { to } from "./files.js";
import { FinalSceneHold } from "./final_scene.js";
import { progress } from "./fixtures.js";
import { Follower } from "./follow.js";
import { clauses, count, labelled, placeName, shortMoment } from "./format.js";
import { careers, careersOrder } from "./players.js";
import { blank, link, load } from "./state.js";
import "./table.js";
import { meeting, stateName } from "./table_names.js";
import { sentence, series, t, tn } from "./words.js";

const REFRESH_MS = 15_000;

/** The address for a bot to connect to; a wildcard address becomes this site's host name. */
function address({ scheme, address: host, port }) {
  const shown = host === "0.0.0.0" || host === "::" || host === "" ? location.hostname : host;
  return scheme ? `${scheme}://${shown}:${port}` : `${shown}:${port}`;
}

function tableLink(item) {
  return h(
    "li",
    {},
    h(
      "a",
      { href: path("live", item.table) },
      h("strong", {}, meeting(item.table, item.players) || item.table),
      h("span", { class: "state" }, stateName(item.state)),
    ),
    h(
      "span",
      { class: "muted" },
      item.humans && item.free
        ? [
            h("a", { class: "seat-link", href: path("play", item.table) }, t("Play against them")),
            " ",
          ]
        : null,
      clauses(
        t("{rules} rules", { rules: item.rules }),
        t("{taken} of {seats} seats taken", {
          taken: String(item.players.length),
          seats: String(item.seats),
        }),
        item.hand ? t("hand {n}", { n: String(item.hand) }) : "",
      ),
    ),
  );
}

/** A link to a match on the site of another arena. */
function elsewhereLink(item) {
  return h(
    "li",
    {},
    h(
      "a",
      { href: item.watch },
      h("strong", {}, placeName(item)),
    ),
    h(
      "span",
      { class: "muted" },
      clauses(
        t("{rules} rules", { rules: item.rules }),
        tn(item.hands, "{n} hand", "{n} hands"),
        series(item.players),
      ),
    ),
  );
}

/** What is on where no table can be watched: a contest whose matches are played elsewhere, or nothing. */
function withoutTable(contest) {
  if (!contest || contest.state === "complete")
    return blank(
      t("Nothing is running yet"),
      t("When a table opens, it is shown here by itself."),
      link("/games", t("See past games")),
    );
  const stage = contest.stages.find((one) => one.state === "current");
  return blank(
    labelled(contest.title, contestStates[contest.state]),
    stage
      ? t("{stage}: {progress}. ", { stage: stage.name, progress: progress(stage) }) +
          t("A match can be replayed as soon as it is over.")
      : "",
    h("a", { class: "button", href: path("contests", contest.contest) }, t("Follow the contest")),
  );
}

/** The table shown on the start page: the first that is playing. */
class FeaturedTable {
  constructor() {
    this.place = h("div", { class: "stage" });
  }

  show(tables, contest) {
    const item = tables.find((one) => one.state === "playing") ?? tables[0];
    if (item?.table === this.name && item) return;
    this.name = item?.table;
    this.follower?.stop();
    this.hold?.stop();
    if (!item) {
      this.place.replaceChildren(withoutTable(contest));
      return;
    }
    const table = h("croupier-table", { "aria-label": t("Table {table}", { table: item.table }) });
    const state = h("p", { class: "muted", role: "status" });
    this.place.replaceChildren(table, state);
    this.hold = new FinalSceneHold((scene, how) => table.show(scene, how));
    this.follower = new Follower(item.table, {
      onscene: (scene, lines, { jump }) => this.hold.show(scene, { jump }),
      onstate: ({ name }) => {
        state.textContent =
          {
            connecting: t("Connecting…"),
            lost: t("Connection lost; trying again by itself."),
            closed: t("This table is closed."),
          }[name] ?? "";
      },
    });
  }
}

function whatIsOn({ tables, elsewhere }, contest, featured) {
  featured.show(tables, contest);
  return [
    tables.length ? h("ul", { class: "tables" }, tables.map(tableLink)) : null,
    tables.length
      ? h(
          "p",
          {},
          h("a", { href: `${path("live", tables[0].table)}?screen=1` }, t("Show on a big screen")),
        )
      : null,
    elsewhere.length ? h("h3", {}, t("In other arenas")) : null,
    elsewhere.length ? h("ul", { class: "tables" }, elsewhere.map(elsewhereLink)) : null,
  ];
}

function whoLeads(leaders) {
  if (!leaders.length)
    return blank(
      t("No results yet"),
      t("The first match decides who leads."),
      link("/docs/rules", t("Read the rules")),
    );
  const games = [...new Set(leaders.map((row) => row.rules))];
  return [
    ...games.map((rules) => [
      h("h3", {}, t("{rules} rules", { rules })),
      careers(
        t("Who leads under {rules} rules", { rules }),
        leaders.filter((row) => row.rules === rules),
        { game: false, brief: true },
      ),
    ]),
    h("p", { class: "muted small" }, careersOrder()),
  ];
}

/** The newest contest, if there is one: what it has come to is what most visitors came for. */
async function newestContest() {
  const { items } = await api.contests({ per_page: 1 });
  return items[0];
}

function eventPanel(contest) {
  return panel(t("Contest"), { class: "contest-panel" }, contestCard(contest, { narrow: true }));
}

function howToConnect(listen) {
  if (!listen.length) {
    return blank(
      t("No listener is open"),
      t("This site shows records only; bots connect where a referee runs."),
      link("/docs", t("How to run one")),
    );
  }
  return h(
    "ul",
    { class: "listeners" },
    listen.map((one) =>
      h(
        "li",
        {},
        h("strong", {}, one.dialect),
        h(
          "span",
          { class: "address" },
          h("code", {}, address(one)),
          copyButton(address(one), t("the {dialect} address", { dialect: one.dialect })),
        ),
        h(
          "span",
          { class: "muted" },
          sentence(one.about),
          " · ",
          h(
            "a",
            { href: to(`/docs/${one.guide}`) },
            t("Protocol"),
            h("span", { class: "vh" }, ` ${one.dialect}`),
          ),
        ),
      ),
    ),
  );
}

function latest(recent) {
  if (!recent.length)
    return blank(
      t("No match has ended yet"),
      t("Results appear here after the first one."),
      link("/live", t("Watch live")),
    );
  return grid(
    t("Latest results"),
    [
      {
        key: true,
        title: t("Match"),
        cell: (row) =>
          h(
            "a",
            { class: "when", href: path("games", row.match) },
            shortMoment(row.ended ?? row.began),
          ),
      },
      {
        wide: true,
        title: t("Players"),
        cell: (row) =>
          h(
            "span",
            { class: "outcome" },
            row.players.map((name) =>
              h("span", { class: row.winners.includes(name) ? "won" : "muted" }, name),
            ),
          ),
      },
      { title: t("Rules"), cell: (row) => row.rules },
      { title: t("Hands"), number: true, cell: (row) => count(row.hands) },
    ],
    recent,
    { stacked: true },
  );
}

export async function start(main) {
  const featured = new FeaturedTable();
  const on = h("div", {});
  const leads = h("div", {});
  const event = h("div", { class: "event" });
  const connect = h("div", {});
  const results = h("div", {});
  main.replaceChildren(
    h("h1", { class: "vh" }, "Croupier"),
    h(
      "div",
      { class: "home" },
      h(
        "div",
        {},
        panel(t("What is on"), {}, featured.place, on),
        panel(t("Latest results"), { class: "results" }, results),
      ),
      h(
        "div",
        {},
        event,
        panel(t("Connect your bot"), {}, connect),
        panel(t("Who leads"), {}, leads),
      ),
    ),
  );
  // Everything is asked for before anything is drawn: what is drawn twice takes the focus away.
  const ask = () => Promise.all([api.status(), newestContest()]);
  const draw = ([status, newest]) => {
    leads.replaceChildren(...[whoLeads(status.leaders)].flat(2));
    event.replaceChildren(...(newest ? [eventPanel(newest)] : []));
    connect.replaceChildren(howToConnect(status.listen));
    results.replaceChildren(latest(status.recent));
    return whatIsOn(status, newest, featured).filter(Boolean);
  };
  await load(on, t("what is on"), async () => draw(await ask()));
  setInterval(async () => {
    if (document.hidden) return;
    try {
      const found = await ask();
      // Redrawing would take the focus away from a keyboard user.
      if (!main.querySelector(".home :focus")) on.replaceChildren(...draw(found));
    } catch {
      // The table's own line says when the server cannot be reached.
    }
  }, REFRESH_MS);
}
