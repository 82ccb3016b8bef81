// Paging, and the query parameters for the current page and filters.

import { h } from "./dom.js";
import { count, plural } from "./format.js";

/** Buttons to the previous and next page with the position; nothing if there is only one page. */
export function pager({ page, pages, total }, go, what) {
  if (pages <= 1) return h("p", { class: "pager" }, plural(total, what));
  const step = (text, to, off) =>
    h("button", { type: "button", disabled: off, onclick: () => go(to) }, text);
  return h(
    "nav",
    { class: "pager", "aria-label": `Pages of ${what}s` },
    step("← Previous", page - 1, page <= 1),
    h("span", {}, `Page ${count(page)} of ${count(pages)}, ${plural(total, what)}`),
    step("Next →", page + 1, page >= pages),
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
