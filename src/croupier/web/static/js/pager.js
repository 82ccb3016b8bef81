// Paging, and the query parameters for the current page and filters.

import { h } from "./dom.js";
import { clauses, count } from "./format.js";
import { t } from "./words.js";

/** Buttons to the previous and next page; `what(n)` says how many there are of what. */
export function pager({ page, pages, total }, go, what) {
  if (pages <= 1) return h("p", { class: "pager" }, what(total));
  const step = (text, to, off) =>
    h("button", { type: "button", disabled: off, onclick: () => go(to) }, text);
  return h(
    "nav",
    { class: "pager", "aria-label": t("Pages") },
    step(t("← Previous"), page - 1, page <= 1),
    h(
      "span",
      {},
      clauses(
        t("Page {page} of {pages}", { page: count(page), pages: count(pages) }),
        what(total),
      ),
    ),
    step(t("Next →"), page + 1, page >= pages),
  );
}

/** The current URL's query parameters with these keys, as an object. */
export function readQuery(...keys) {
  const found = new URLSearchParams(location.search);
  return Object.fromEntries(keys.map((key) => [key, found.get(key) ?? ""]));
}

/** Write values into the URL, so that it links to what is shown. */
export function writeQuery(values) {
  const pairs = Object.entries(values).filter(
    ([, value]) => value !== "" && value !== 1 && value !== undefined,
  );
  const text = pairs.length ? `?${new URLSearchParams(pairs)}` : "";
  history.replaceState(null, "", location.pathname + text + location.hash);
}
