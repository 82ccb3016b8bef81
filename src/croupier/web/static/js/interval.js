// A rate with its 95 % interval as a bar around zero.

import { h } from "./dom.js";
import { signed } from "./format.js";
import { t } from "./words.js";

/** How far the widest of several intervals reaches, as the common scale of their bars. */
export function reachOf(rows, rate = (row) => row.rate, margin = (row) => row.ci95) {
  return Math.max(1, ...rows.map((row) => Math.abs(rate(row) ?? 0) + (margin(row) ?? 0)));
}

/** The bar; a sentence where there are too few hands for one. */
export function interval(rate, margin, reach) {
  if (margin === null || rate === null) return h("span", { class: "muted" }, t("too few hands"));
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
