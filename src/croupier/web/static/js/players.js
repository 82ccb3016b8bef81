// The public list of players, game by game, and behind the login the organiser's desk.

import { organiser } from "./admin.js";
import { api } from "./api.js";
import { grid, h, panel } from "./dom.js";
import { to } from "./files.js";
import { count, signed } from "./format.js";
import { interval, reachOf } from "./interval.js";
import { pager, readQuery, writeQuery } from "./pager.js";
import { rulesField } from "./rules_field.js";
import { blank, link, load } from "./state.js";
import { t, tn } from "./words.js";

/** A player's name, which leads to its games; a house bot is marked. */
export function playerName(row) {
  if (row.house)
    return [
      h("span", { class: "name", title: row.name }, row.name),
      " ",
      h("span", { class: "badge" }, t("house")),
    ];
  const href = to(`/games?player=${encodeURIComponent(row.name)}`);
  return [
    h("a", { class: "name", title: row.name, href }, row.name),
    " ",
    row.dialect ? h("span", { class: "badge" }, row.dialect) : null,
  ];
}

/** By what players are ordered. */
export function careersOrder() {
  return t("Winners first, by the lower end of the interval, which is over matches.");
}

/** Players of one game, or of several, with error bars. */
export function careers(title, rows, { game = true, brief = false } = {}) {
  const reach = reachOf(rows, (row) => row.bb_per_100);
  const bar = (row) => interval(row.bb_per_100, row.ci95, reach, t("too few matches"));
  return grid(
    title,
    [
      { key: true, title: t("Player"), cell: playerName },
      game && { title: t("Rules"), cell: (row) => row.rules },
      { title: t("bb/100"), number: true, cell: (row) => signed(row.bb_per_100) },
      { title: t("95 % interval"), cell: bar },
      { title: t("Hands"), number: true, cell: (row) => count(row.hands) },
      !brief && { title: t("Matches"), number: true, cell: (row) => count(row.matches) },
      !brief && { title: t("Won"), number: true, cell: (row) => count(row.wins) },
    ].filter(Boolean),
    rows,
  );
}

export async function start(main) {
  const place = h("div", {});
  let { rules } = readQuery("rules");
  const show = (page) =>
    load(place, t("the players"), async () => {
      const found = await api.players({ rules, page, per_page: 50 });
      if (!found.items.length)
        return blank(
          t("Nobody has played yet"),
          t("Players appear here after their first match."),
          link("/", t("How to connect a bot")),
        );
      return [
        careers(t("Players"), found.items, { game: !rules }),
        h(
          "p",
          { class: "muted small" },
          careersOrder(),
          " ",
          t("Players without a name of their own are not listed."),
        ),
        pager(found, show, (number) => tn(number, "{n} player", "{n} players")),
      ];
    });
  const desk = h("div", { class: "desk" });
  const field = await rulesField(rules, (chosen) => {
    rules = chosen;
    writeQuery({ rules });
    show(1);
  });
  main.replaceChildren(
    h("div", { class: "heading" }, h("h1", {}, t("Players"))),
    h(
      "div",
      { class: "players" },
      panel(
        t("Results of all players"),
        {},
        h("div", { class: "row-of" }, h("label", {}, t("Rules"), field)),
        place,
      ),
      desk,
    ),
  );
  await Promise.all([show(1), organiser(desk)]);
}
