// Shared by all of an organiser's actions: confirmation of irreversible ones, and their outcomes.

import { ApiError } from "./api.js";
import { h } from "./dom.js";
import { labelled } from "./format.js";
import { sentence, t } from "./words.js";

/** Show the outcome of an action in a notice: an error or a text. */
export function showOutcome(notice, what) {
  if (what instanceof Error && !(what instanceof ApiError)) throw what;
  const bad = what instanceof ApiError;
  notice.className = `notice ${bad ? "bad" : "good"}`;
  notice.replaceChildren(h("p", {}, bad ? sentence(what.message) : what));
}

/** A button for an irreversible action, which needs a second press to confirm. */
export function confirmButton(text, whose, act, kind = "") {
  const button = h(
    "button",
    { type: "button", class: `quiet ${kind}`, "aria-label": labelled(text, whose) },
    text,
  );
  let timer = null;
  button.addEventListener("click", () => {
    if (timer === null) {
      button.textContent = t("Sure?");
      button.setAttribute("aria-label", `${t("Press again to confirm.")} ${labelled(text, whose)}`);
      timer = setTimeout(() => {
        timer = null;
        button.textContent = text;
        button.setAttribute("aria-label", labelled(text, whose));
      }, 4000);
    } else {
      clearTimeout(timer);
      timer = null;
      button.textContent = text;
      act();
    }
  });
  return button;
}
