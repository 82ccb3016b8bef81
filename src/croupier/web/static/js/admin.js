// The organiser's desk: login, then the tables, the registry and the audit log.

import { showOutcome } from "./acts.js";
import { api } from "./api.js";
import { TableDesk } from "./desk.js";
import { h, panel } from "./dom.js";
import { Registry } from "./registry.js";
import { blank, failed } from "./state.js";
import { t } from "./words.js";

/** Show the login form, or the desk if the organiser is already logged in. */
export async function organiser(place) {
  try {
    const state = await api.admin.state();
    if (state.logged_in) await desk(place);
    else loginForm(place, state);
  } catch (error) {
    if (error.status === 401 || error.status === 403) loginForm(place, {});
    else
      place.replaceChildren(
        panel(
          t("Organiser"),
          {},
          failed(error, t("organiser's desk"), () => organiser(place)),
        ),
      );
  }
}

function loginForm(place, { enabled = true }) {
  if (!enabled) {
    place.replaceChildren(
      panel(
        t("Organiser"),
        {},
        blank(
          t("Closed"),
          t("This site was started without an organiser's token, so nobody can log in here."),
        ),
      ),
    );
    return;
  }
  const token = h("input", {
    type: "password",
    name: "token",
    autocomplete: "current-password",
    required: true,
    size: "24",
  });
  // Password managers need a user name for the token.
  const account = h("input", {
    type: "text",
    name: "account",
    value: "organiser",
    autocomplete: "username",
    hidden: true,
  });
  const notice = h("div", { class: "notice", role: "alert" });
  const submit = async (event) => {
    event.preventDefault();
    try {
      await api.admin.login(token.value);
      await desk(place);
    } catch (error) {
      showOutcome(notice, error);
      token.select();
    }
  };
  place.replaceChildren(
    panel(
      t("Organiser"),
      {},
      h(
        "p",
        {},
        t(
          "To manage players and tables, log in with the organiser's token. It is in the arena file, or was printed when the server started.",
        ),
      ),
      notice,
      h(
        "form",
        { class: "row", onsubmit: submit },
        account,
        h("label", {}, t("Token"), token),
        h("button", { type: "submit", class: "main" }, t("Log in")),
      ),
    ),
  );
}

async function desk(place) {
  const tables = new TableDesk((rows) => registry.offer(rows));
  const registry = new Registry(() => tables.refresh());
  const leave = h(
    "button",
    {
      type: "button",
      onclick: async () => {
        await api.admin.logout().catch(() => {});
        await organiser(place);
      },
    },
    t("Log out"),
  );
  place.replaceChildren(
    h("div", { class: "row-of" }, h("p", {}, t("You are logged in as organiser.")), leave),
    tables.element,
    registry.element,
    tables.history,
  );
  await Promise.all([tables.refresh(), registry.refresh()]);
}
