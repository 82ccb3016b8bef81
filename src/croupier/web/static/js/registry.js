// The registry of players: add, import, move, reset, remove; private names are shown once.

import { confirmButton, showOutcome } from "./acts.js";
import { api } from "./api.js";
import { copyButton, grid, h, panel } from "./dom.js";
import { labelled, moment } from "./format.js";
import { blank, failed } from "./state.js";
import { t } from "./words.js";

/** The registry; every change reloads the list from the server. */
export class Registry {
  /** `onact` is called after every change, which is then in the audit log as well. */
  constructor(onact) {
    this.onact = onact;
    this.notice = h("div", { class: "notice", role: "status" });
    this.secrets = h("div", { class: "secrets", role: "status" });
    this.list = h("div", {});
    this.tables = h("datalist", { id: "tables" });
    this.element = panel(
      t("Registered players"),
      {},
      this.tables,
      this.notice,
      this.secrets,
      this.addForm(),
      this.importForm(),
      this.list,
    );
  }

  addForm() {
    const name = h("input", {
      name: "display",
      required: true,
      maxlength: 64,
      autocomplete: "off",
      size: "20",
    });
    const table = h("input", {
      name: "table",
      value: "1",
      class: "short",
      list: this.tables.id,
      autocomplete: "off",
    });
    const submit = (event) => {
      event.preventDefault();
      this.act(async () => {
        const added = await api.admin.add({
          display: name.value.trim(),
          table: table.value.trim(),
        });
        this.reveal([added]);
        name.value = "";
        return t("{name} is added.", { name: added.display });
      });
    };
    return h(
      "form",
      { class: "row", onsubmit: submit },
      h("label", {}, t("Display name"), name),
      h("label", {}, t("Table"), table),
      h("button", { type: "submit", class: "main" }, t("Add player")),
    );
  }

  /** Offer the tables that players can be assigned to, by number, with their names. */
  offer(tables) {
    const choice = tables.filter(({ kind = "table", number }) => kind === "table" && number);
    const key = JSON.stringify(choice.map(({ table, number }) => [number, table]));
    if (key === this.tables.dataset.offered) return;
    this.tables.dataset.offered = key; // rebuilding would close an open list
    this.tables.replaceChildren(
      ...choice.map(({ table, number }) => h("option", { value: number }, labelled(number, table))),
    );
  }

  importForm() {
    const file = h("input", { type: "file", name: "csv", accept: ".csv,text/csv", required: true });
    const submit = (event) => {
      event.preventDefault();
      this.act(async () => {
        const added = await api.admin.importCsv(await file.files[0].text());
        this.reveal(added.items);
        return t("Players added: {n}.", { n: String(added.items.length) });
      });
    };
    return h(
      "form",
      { class: "row", onsubmit: submit },
      h("label", {}, t("CSV file: display,table,private_name"), file),
      h("button", { type: "submit" }, t("Import")),
    );
  }

  /** Run an action, show its outcome and reload the list. */
  async act(work) {
    try {
      showOutcome(this.notice, await work());
    } catch (error) {
      showOutcome(this.notice, error);
      return;
    }
    await Promise.all([this.refresh(), this.onact()]);
  }

  /** Show generated private names until the user leaves the page; they are known only now. */
  reveal(added) {
    const drawn = added.filter((player) => player.private_name);
    if (!drawn.length) {
      this.secrets.replaceChildren();
      return;
    }
    const csv = drawn
      .map((player) => `"${player.display.replaceAll('"', '""')}",${player.private_name}`)
      .join("\n");
    this.secrets.replaceChildren(
      h(
        "p",
        {},
        t(
          "Private names are shown only this once, and nobody can look them up later: hand each to its player now.",
        ),
        " ",
        copyButton(csv, t("all private names"), t("Copy all")),
      ),
      h(
        "dl",
        { class: "facts" },
        drawn.map((player) => [
          h("dt", {}, player.display),
          h(
            "dd",
            {},
            h("code", { class: "private" }, player.private_name),
            " ",
            copyButton(
              player.private_name,
              t("the private name of {name}", { name: player.display }),
            ),
          ),
        ]),
      ),
    );
  }

  async refresh() {
    try {
      const { items } = await api.admin.players();
      this.list.replaceChildren(
        items.length
          ? this.table(items)
          : blank(t("No player is registered"), t("Add the first one above, or import a list.")),
      );
    } catch (error) {
      this.list.replaceChildren(failed(error, t("registry"), () => this.refresh()));
    }
  }

  table(items) {
    const reset = (row) =>
      this.confirm(t("Reset private name"), row, async () => {
        this.reveal([{ display: row.display, ...(await api.admin.reset(row.token)) }]);
        return t("{name} has a new private name; the old one is no longer known.", {
          name: row.display,
        });
      });
    const remove = (row) =>
      this.confirm(
        t("Remove"),
        row,
        async () => {
          await api.admin.remove(row.token);
          this.reveal([]);
          return t("{name} is removed.", { name: row.display });
        },
        "danger",
      );
    return grid(
      t("Registered players"),
      [
        {
          title: t("Display name"),
          cell: (row) => h("span", { class: "name", title: row.display }, row.display),
        },
        { title: t("Table"), cell: (row) => this.tableField(row) },
        { title: t("Token"), cell: (row) => h("code", {}, row.token) },
        { title: t("Added"), cell: (row) => moment(row.added) },
        { title: "", cell: (row) => h("span", { class: "acts" }, reset(row), " ", remove(row)) },
      ],
      items,
    );
  }

  /** A player's table, editable in place. */
  tableField(row) {
    const field = h("input", {
      value: row.table,
      class: "short",
      list: this.tables.id,
      "aria-label": t("Table of {name}", { name: row.display }),
      autocomplete: "off",
    });
    field.addEventListener("change", () =>
      this.act(async () => (await api.admin.assign(row.token, field.value.trim())).text),
    );
    return field;
  }

  confirm(text, row, work, kind = "") {
    return confirmButton(text, row.display, () => this.act(work), kind);
  }
}
