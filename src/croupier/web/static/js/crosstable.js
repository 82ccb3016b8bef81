// The crosstable of a stage: a heat map in which strong colour means a difference that is certain.

import { h, hidden } from "./dom.js";
import { clauses, count, signed } from "./format.js";
import { t, tn } from "./words.js";

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0, signDisplay: "exceptZero" });
const FAINT = 0.16; // how much colour is left where the sign may be chance

/** What a cell is read by: the rate with its interval, or points where places decide.
 * Where luck is taken out, the rate without it says more, so it gives the colour. */
function reading(cell, byPlaces) {
  if (byPlaces) {
    const value = cell.points - cell.matches / 2;
    // Half the width of the interval of a sum of fair coins: what equal teams would scatter by.
    const margin = 0.98 * Math.sqrt(cell.matches);
    return {
      value,
      margin,
      text: points(cell),
      small: tn(cell.matches, "{n} match", "{n} matches"),
    };
  }
  const { adjusted } = cell;
  return {
    value: adjusted ? adjusted.bb_per_100 : cell.rate,
    margin: adjusted ? adjusted.ci95 : cell.ci95,
    text: whole(cell.rate),
    small: half(cell.ci95),
    adjusted: adjusted && `${whole(adjusted.bb_per_100)} ${half(adjusted.ci95)}`,
  };
}

function half(margin) {
  return margin === null ? "" : `±${count(Math.round(margin))}`;
}

function points({ points: won, matches }) {
  return `${won} : ${matches - won}`;
}

function whole(value) {
  return WHOLE.format(value).replace("-", "−");
}

/** How strong the colour of a cell is, from 0 to 1: by its size, and by how certain its sign is. */
function strength({ value, margin }, most) {
  const certain = margin !== null && Math.abs(value) > margin;
  return (Math.abs(value) / most) * (certain ? 1 : FAINT);
}

function spoken(cell, { value, margin }, byPlaces) {
  const names = { team: cell.team, opponent: cell.opponent };
  const certain = margin !== null && Math.abs(value) > margin;
  if (byPlaces)
    return t("{team} against {opponent}: {points} points", { ...names, points: points(cell) });
  const text = t("{team} against {opponent}: {rate} bb/100 over {hands} hands", {
    ...names,
    rate: signed(cell.rate),
    hands: count(cell.hands),
  });
  const without = cell.adjusted
    ? t("{rate} without luck", { rate: signed(cell.adjusted.bb_per_100) })
    : "";
  return clauses(text, without, certain ? t("a certain difference") : t("may be chance"));
}

function line(cells, row, index, { byPlaces, most, href }) {
  return (column, at) => {
    const place = { dataset: { column: String(at) } };
    if (column.team === row.team) return h("td", { class: "self", ...place }, hidden("–"));
    const cell = cells.get(`${row.team}\n${column.team}`);
    if (!cell) return h("td", { class: "empty", ...place }, h("span", { class: "muted" }, "·"));
    const read = reading(cell, byPlaces);
    const label = spoken(cell, read, byPlaces);
    return h(
      "td",
      {
        class: `cell ${read.value > 0 ? "plus" : read.value < 0 ? "minus" : ""}`,
        vars: { "--strength": strength(read, most).toFixed(3) },
        ...place,
      },
      h(
        "a",
        { href: href(row.team, column.team), title: label },
        h("span", { class: "value" }, read.text),
        h("small", {}, read.small),
        read.adjusted ? h("small", { class: "adjusted" }, read.adjusted) : null,
        hidden(` ${label}`),
      ),
    );
  };
}

/** Mark the row and the column of the cell under the pointer or with the focus. */
function follow(table) {
  const mark = (target) => {
    const cell = target?.closest?.("td[data-column]");
    for (const one of table.querySelectorAll(".crossed")) one.classList.remove("crossed");
    if (!cell) return;
    cell.parentElement.classList.add("crossed");
    for (const one of table.querySelectorAll(`[data-column="${cell.dataset.column}"]`))
      one.classList.add("crossed");
  };
  table.addEventListener("pointerover", (event) => mark(event.target));
  table.addEventListener("pointerleave", () => mark(null));
  table.addEventListener("focusin", (event) => mark(event.target));
  table.addEventListener("focusout", () => mark(null));
}

/** The crosstable of these lines of a standing; `href(team, opponent)` is where a cell leads. */
export function crosstable(name, lines, allCells, { byPlaces, href, teamHref }) {
  const cells = new Map(allCells.map((cell) => [`${cell.team}\n${cell.opponent}`, cell]));
  const shown = new Set(lines.map((one) => one.team));
  const values = allCells
    .filter((cell) => shown.has(cell.team) && shown.has(cell.opponent))
    .map((cell) => Math.abs(reading(cell, byPlaces).value));
  const most = Math.max(1e-9, ...values);
  const table = h(
    "table",
    { class: "crosstable", vars: { "--teams": String(lines.length) } },
    h("caption", { class: "vh" }, name),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, t("Team")),
        lines.map((one, at) =>
          h(
            "th",
            { scope: "col", class: "number", dataset: { column: String(at) } },
            h("abbr", { title: one.team, "aria-label": one.team }, String(at + 1)),
          ),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      lines.map((one, index) =>
        h(
          "tr",
          {},
          h(
            "th",
            { scope: "row" },
            h("span", { class: "muted" }, `${index + 1} `),
            h("a", { href: teamHref(one.team), class: "name" }, one.team),
          ),
          lines.map(line(cells, one, index, { byPlaces, most, href })),
        ),
      ),
    ),
  );
  follow(table);
  return h(
    "div",
    { class: "crosstables", tabindex: "0", role: "region", "aria-label": name },
    table,
  );
}
