// The states in which a page has nothing to show, or shows something old: a sentence and a next step.

import { ApiError } from "./api.js";
import { h } from "./dom.js";

/** A sentence in the place of content, with links or buttons that lead on. */
export function blank(title, sentence, ...next) {
  return h(
    "div",
    { class: "blank", role: "status" },
    h("p", { class: "title" }, title),
    sentence ? h("p", {}, sentence) : null,
    next.length ? h("p", { class: "next" }, next) : null,
  );
}

export function link(href, text) {
  return h("a", { class: "button", href }, text);
}

export function button(text, onclick, kind = "") {
  return h("button", { type: "button", class: kind, onclick }, text);
}

/** What to say when a request failed; `what` names what was asked for, as in "this match". */
export function failed(error, what, retry) {
  if (!(error instanceof ApiError)) throw error;
  const again = retry ? button("Try again", retry) : null;
  if (error.status === 0) return blank("Not connected", error.message, again);
  if (error.status === 404) {
    return blank(
      "Not found",
      `There is no ${what} here.`,
      link("/games", "See all games"),
      link("/", "Go to the start page"),
    );
  }
  if (error.status === 401 || error.status === 403) {
    return blank("Not allowed", error.message, link("/players", "Log in as organiser"));
  }
  if (error.status === 429) return blank("Too many requests", error.message, again);
  return blank("That did not work", error.message, again);
}

/** Show a state while something loads, then what it made, or why it failed. */
export async function load(place, what, work) {
  const wait = setTimeout(() => place.replaceChildren(blank(`Loading ${what}…`, "")), 250);
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
