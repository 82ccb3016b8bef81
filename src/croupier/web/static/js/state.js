// Placeholders for pages that load, have nothing to show or failed: a sentence and a next step.

import { ApiError } from "./api.js";
import { h } from "./dom.js";
import { to } from "./files.js";
import { t } from "./words.js";

/** A sentence in place of content, with links or buttons for the next step. */
export function blank(title, sentence, ...next) {
  return h(
    "div",
    { class: "blank", role: "status" },
    h("p", { class: "title" }, title),
    sentence ? h("p", {}, sentence) : null,
    next.length ? h("p", { class: "next" }, next) : null,
  );
}

/** A link to an address of the site, as a button. */
export function link(href, text) {
  return h("a", { class: "button", href: to(href) }, text);
}

export function button(text, onclick, kind = "") {
  return h("button", { type: "button", class: kind, onclick }, text);
}

/** The placeholder for a failed request; `what` names its subject, as in "this match". */
export function failed(error, what, retry) {
  if (!(error instanceof ApiError)) throw error;
  const again = retry ? button(t("Try again"), retry) : null;
  if (error.status === 0) return blank(t("Not connected"), error.message, again);
  if (error.status === 404) {
    return blank(
      t("Not found"),
      t("There is nothing at this address: {what}.", { what }),
      link("/games", t("See all games")),
      link("/", t("Go to the start page")),
    );
  }
  if (error.status === 401 || error.status === 403) {
    return blank(t("Not allowed"), error.message, link("/players", t("Log in as organiser")));
  }
  if (error.status === 429) return blank(t("Too many requests"), error.message, again);
  return blank(t("That did not work"), error.message, again);
}

/** Show a placeholder while something loads, then its result or why it failed. */
export async function load(place, what, work) {
  const wait = setTimeout(() => {
    const loading = blank(t("Loading {what}…", { what }), "");
    loading.classList.add("loading");
    place.replaceChildren(loading);
  }, 250);
  try {
    const made = await work();
    clearTimeout(wait);
    place.replaceChildren(...[made].flat());
    return true;
  } catch (error) {
    clearTimeout(wait);
    place.replaceChildren(failed(error, what, () => load(place, what, work)));
    return false;
  }
}
