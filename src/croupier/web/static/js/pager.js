// Paging and the parts of an address that say which page and filter one is looking at.

import { h } from "./dom.js";
import { count, plural } from "./format.js";

/** Buttons to the page before and after, and where one is; nothing if there is but one page. */
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

/** The query of the present address as an object with these keys. */
export function readQuery(...keys) {
  const found = new URLSearchParams(location.search);
  return Object.fromEntries(keys.map((key) => [key, found.get(key) ?? ""]));
}

/** Put values into the address, so that it links to what is shown. */
export function writeQuery(values) {
  const pairs = Object.entries(values).filter(
    ([, value]) => value !== "" && value !== 1 && value !== undefined,
  );
  const text = pairs.length ? `?${new URLSearchParams(pairs)}` : "";
  history.replaceState(null, "", location.pathname + text + location.hash);
}
