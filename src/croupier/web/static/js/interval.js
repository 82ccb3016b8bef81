// A rate with its 95 % interval as a bar around zero.

import { h } from "./dom.js";
import { signed } from "./format.js";
import { t } from "./words.js";

/** How far the widest of several intervals reaches, with luck or without: the scale of their bars. */
export function reachOf(rows, rate = (row) => row.rate) {
  const ends = rows.flatMap((row) => [
    Math.abs(rate(row) ?? 0) + (row.ci95 ?? 0),
    Math.abs(row.adjusted?.bb_per_100 ?? 0) + (row.adjusted?.ci95 ?? 0),
  ]);
  return Math.max(1, ...ends);
}

/** The columns for rates without luck, if any row has one; `reach` is the scale of all bars. */
export function withoutLuck(rows, reach, { brief = false } = {}) {
  if (!rows.some((row) => row.adjusted)) return [];
  const factor = (row) => row.adjusted?.factor ?? null;
  return [
    {
      title: h("abbr", { title: t("bb/100 without the luck of the cards") }, t("Adjusted")),
      number: true,
      cell: (row) => signed(row.adjusted?.bb_per_100 ?? null),
    },
    {
      title: t("95 % interval"),
      cell: (row) => interval(row.adjusted?.bb_per_100 ?? null, row.adjusted?.ci95 ?? null, reach),
    },
    !brief && {
      title: h(
        "abbr",
        { title: t("how many times as many plain hands would give an interval as narrow") },
        t("Factor"),
      ),
      number: true,
      cell: (row) => (factor(row) === null ? "–" : factor(row).toFixed(1)),
    },
  ].filter(Boolean);
}

/** The bar; a sentence where there is none, by default that there are too few hands. */
export function interval(rate, margin, reach, why = t("too few hands")) {
  if (margin === null || rate === null) return h("span", { class: "muted" }, why);
  const share = (value) => String((value / reach + 1) / 2);
  return h(
    "span",
    {
      class: "interval",
      role: "img",
      "aria-label": t("between {low} and {high}", {
        low: signed(rate - margin),
        high: signed(rate + margin),
      }),
      vars: {
        "--low": share(rate - margin),
        "--high": share(rate + margin),
        "--mean": share(rate),
      },
    },
    h("span", { class: "bar" }),
  );
}
