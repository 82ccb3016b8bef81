// The list of matches, filtered by rules, player and status.

import { api } from "./api.js";
import { grid, h, panel, path } from "./dom.js";
import { count, listed, moment, placeName } from "./format.js";
import { pager, readQuery, writeQuery } from "./pager.js";
import { rulesField } from "./rules_field.js";
import { blank, button, link, load } from "./state.js";
import { fixtureLink } from "./table_names.js";
import { series, t, tn } from "./words.js";

const COLUMNS = [
  {
    key: true,
    title: t("Began"),
    cell: (row) => h("a", { class: "when", href: path("games", row.match) }, moment(row.began)),
  },
  {
    title: t("Table"),
    cell: (row) => [
      fixtureLink(row) ?? placeName(row),
      row.friendly ? [" ", h("span", { class: "badge" }, t("friendly"))] : null,
    ],
  },
  { title: t("Rules"), cell: (row) => row.rules },
  {
    wide: true,
    title: t("Players"),
    cell: (row) =>
      h("span", { class: "names", title: series(row.players) }, series(row.players)),
  },
  {
    title: t("Winner"),
    cell: (row) =>
      row.status === "running"
        ? row.watch
          ? h("a", { href: row.watch }, t("watch live"))
          : t("running")
        : h("span", { class: "names" }, listed(row.winners) || "–"),
  },
  { title: t("Hands"), number: true, cell: (row) => count(row.hands) },
];

export async function start(main) {
  const filter = {
    ...readQuery("rules", "player", "status"),
    page: Number(readQuery("page").page) || 1,
  };
  const place = h("div", {});
  const fields = {
    rules: await rulesField(filter.rules, () => read()),
    player: h("input", { name: "player", value: filter.player, autocomplete: "off", size: "18" }),
    status: h(
      "select",
      { name: "status" },
      [
        ["", t("all")],
        ["running", t("running")],
        ["ended", t("ended")],
      ].map(([value, text]) => h("option", { value, selected: value === filter.status }, text)),
    ),
  };
  const apply = (change) => {
    Object.assign(filter, change);
    writeQuery(filter);
    return load(place, t("the games"), () => list(filter));
  };
  const read = () =>
    apply({
      rules: fields.rules.value.trim(),
      player: fields.player.value.trim(),
      status: fields.status.value,
      page: 1,
    });
  const clear = () => {
    fields.rules.value = "";
    fields.player.value = "";
    fields.status.value = "";
    read();
  };
  const list = async (wanted) => {
    const found = await api.matches({ ...wanted, per_page: 25 });
    if (!found.items.length) {
      const filtered = wanted.rules || wanted.player || wanted.status;
      return filtered
        ? blank(
            t("No match fits"),
            t("No match has these rules, this player and this state together."),
            button(t("Show all games"), clear),
          )
        : blank(
            t("No match yet"),
            t("Matches appear here as soon as the first one is recorded."),
            link("/", t("How to connect a bot")),
          );
    }
    return [
      grid(t("Games"), COLUMNS, found.items, { stacked: true }),
      pager(
        found,
        (page) => apply({ page }),
        (number) => tn(number, "{n} game", "{n} games"),
      ),
    ];
  };
  main.replaceChildren(
    h("div", { class: "heading" }, h("h1", {}, t("Games"))),
    panel(
      t("Matches"),
      {},
      h(
        "form",
        {
          class: "row",
          role: "search",
          onsubmit: (event) => {
            event.preventDefault();
            read();
          },
        },
        h("label", {}, t("Player"), fields.player),
        h("label", {}, t("Rules"), fields.rules),
        h("label", {}, t("State"), fields.status),
        h("button", { type: "submit", class: "main" }, t("Filter")),
      ),
      place,
    ),
  );
  fields.status.addEventListener("change", read);
  await apply({});
}
