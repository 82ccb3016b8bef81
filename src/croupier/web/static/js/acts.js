// What every act of an organiser shares: a second press for what cannot be undone, and an outcome.

import { ApiError } from "./api.js";
import { h } from "./dom.js";

/** Say in a notice what came of an act: an error, or a text. */
export function say(notice, what) {
  if (what instanceof Error && !(what instanceof ApiError)) throw what;
  const bad = what instanceof ApiError;
  notice.className = `notice ${bad ? "bad" : "good"}`;
  notice.replaceChildren(h("p", {}, bad ? what.message : what));
}

/** A button that asks once more before it does what cannot be undone. */
export function confirmButton(text, whose, act, kind = "") {
  const button = h(
    "button",
    { type: "button", class: `quiet ${kind}`, "aria-label": `${text}: ${whose}` },
    text,
  );
  let timer = null;
  button.addEventListener("click", () => {
    if (timer === null) {
      button.textContent = "Sure?";
      button.setAttribute("aria-label", `Press again to confirm. ${text}: ${whose}`);
      timer = setTimeout(() => {
        timer = null;
        button.textContent = text;
        button.setAttribute("aria-label", `${text}: ${whose}`);
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
