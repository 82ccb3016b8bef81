// The public list of players and, behind the login, the organiser's registry and tables.

import { organiser } from "./admin.js";
import { api } from "./api.js";
import { grid, h, panel } from "./dom.js";
import { count, signed } from "./format.js";
import { pager } from "./pager.js";
import { blank, link, load } from "./state.js";
import { t, tn } from "./words.js";

const COLUMNS = [
  {
    title: t("Player"),
    key: true,
    cell: (row) =>
      h(
        "a",
        { class: "name", title: row.name, href: `/games?player=${encodeURIComponent(row.name)}` },
        row.name,
      ),
  },
  {
    title: t("Dialect"),
    cell: (row) => (row.dialect ? h("span", { class: "badge" }, row.dialect) : "–"),
  },
  { title: t("Matches"), number: true, cell: (row) => count(row.matches) },
  { title: t("Won"), number: true, cell: (row) => count(row.wins) },
  { title: t("Hands"), number: true, cell: (row) => count(row.hands) },
  { title: t("bb/100"), number: true, cell: (row) => signed(row.bb_per_100) },
];

export async function start(main) {
  const place = h("div", {});
  const show = (page) =>
    load(place, t("the players"), async () => {
      const found = await api.players({ page, per_page: 50 });
      if (!found.items.length)
        return blank(
          t("Nobody has played yet"),
          t("Players appear here after their first match."),
          link("/", t("How to connect a bot")),
        );
      return [
        grid(t("Players"), COLUMNS, found.items),
        pager(found, show, (number) => tn(number, "{n} player", "{n} players")),
      ];
    });
  const desk = h("div", { class: "desk" });
  main.replaceChildren(
    h("div", { class: "heading" }, h("h1", {}, t("Players"))),
    h("div", { class: "players" }, panel(t("Results of all players"), {}, place), desk),
  );
  await Promise.all([show(1), organiser(desk)]);
}
