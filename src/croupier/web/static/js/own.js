// What a team finds on its page with its key: new versions, friendly matches, its own logs.

import { showOutcome } from "./acts.js";
import { api, ownFile } from "./api.js";
import { grid, h, panel, path } from "./dom.js";
import { published } from "./files.js";
import { bytes, moment } from "./format.js";
import { showFriendlies } from "./friendlies.js";
import { pager } from "./pager.js";
import { blank, failed, load } from "./state.js";
import { showVersions } from "./uploads.js";
import { sentence, series, t, tn } from "./words.js";

const PER_PAGE = 20;

/** The part of a team's page that needs its key; empty for teams that have none. */
export async function ownPart(place, contest, team) {
  if (published) return;
  let state;
  try {
    state = await api.own.state(contest, team);
  } catch (error) {
    place.replaceChildren(
      failed(error, t("your team"), () => ownPart(place, contest, team)),
    );
    return;
  }
  if (state.logged_in) desk(place, contest, team);
  else if (state.enabled) loginForm(place, contest, team);
  else place.replaceChildren();
}

function loginForm(place, contest, team) {
  const key = h("input", {
    type: "password",
    name: "key",
    autocomplete: "current-password",
    required: true,
    size: "24",
  });
  // Password managers need a user name for the key.
  const account = h("input", {
    type: "text",
    name: "account",
    value: team,
    autocomplete: "username",
    hidden: true,
  });
  const notice = h("div", { class: "notice", role: "alert" });
  const submit = async (event) => {
    event.preventDefault();
    try {
      await api.own.login(contest, team, key.value);
      desk(place, contest, team);
    } catch (error) {
      showOutcome(notice, error);
      key.select();
    }
  };
  place.replaceChildren(
    panel(
      t("Is this your team?"),
      { class: "own" },
      h("p", {}, t("With your team's key, which the organiser has sent you, you find your logs here.")),
      notice,
      h(
        "form",
        { class: "row", onsubmit: submit },
        account,
        h("label", {}, t("Key"), key),
        h("button", { type: "submit" }, t("Log in")),
      ),
    ),
  );
}

function desk(place, contest, team) {
  const leave = h(
    "button",
    {
      type: "button",
      onclick: async () => {
        await api.own.logout().catch(() => {});
        await ownPart(place, contest, team);
      },
    },
    t("Log out"),
  );
  const logs = h("div", {});
  const versions = h("div", {});
  const friendlies = h("div", {});
  place.replaceChildren(
    h(
      "div",
      { class: "own" },
      h(
        "div",
        { class: "row-of" },
        h("p", {}, t("You are logged in as {team}.", { team })),
        leave,
      ),
      versions,
      friendlies,
      panel(t("Your logs"), {}, logs),
    ),
  );
  showVersions(versions);
  showFriendlies(friendlies);
  showLogs(logs, 1);
}

function file(match, kind, size) {
  if (size === null) return "–";
  return h(
    "span",
    { class: "acts" },
    h("a", { href: ownFile(match, kind) }, t("See")),
    h("a", { href: ownFile(match, kind, true) }, t("Download")),
    h("span", { class: "muted" }, bytes(size)),
  );
}

/** The columns of a page of logs; what no match of it has is left out. */
const columnsFor = (rows) => [
  {
    title: t("Match"),
    key: true,
    cell: (row) => (row.match ? h("a", { href: path("games", row.match) }, row.name) : row.name),
  },
  { title: t("Ended"), cell: (row) => moment(row.ended) },
  {
    title: t("Against"),
    cell: (row) => h("span", { class: "names" }, series(row.opponents)),
  },
  rows.some((row) => row.output !== null) && {
    title: t("Your program's output"),
    cell: (row) => file(row.name, "output", row.output),
  },
  rows.some((row) => row.transcript !== null) && {
    title: t("Your connection"),
    cell: (row) => file(row.name, "transcript", row.transcript),
  },
  rows.some((row) => row.forfeit) && {
    title: t("Forfeit"),
    cell: (row) => (row.forfeit ? sentence(row.forfeit) : "–"),
  },
];

function showLogs(place, page) {
  return load(place, t("your logs"), async () => {
    const found = await api.own.matches({ page, per_page: PER_PAGE });
    const notes = [
      !found.transcripts && t("The organiser keeps no transcripts of connections."),
      found.sealed &&
        tn(
          found.sealed,
          "{n} more match is sealed until all matches of its set are over.",
          "{n} more matches are sealed until all matches of their sets are over.",
        ),
    ].filter(Boolean);
    return [
      found.items.length
        ? grid(t("Your logs"), columnsFor(found.items).filter(Boolean), found.items, { stacked: true })
        : blank(t("No result yet"), t("Results appear here after the first match.")),
      notes.length ? h("p", { class: "muted small" }, notes.join(" ")) : null,
      found.items.length
        ? pager(
            found,
            (to) => showLogs(place, to),
            (n) => tn(n, "{n} match", "{n} matches"),
          )
        : null,
    ].filter(Boolean);
  });
}
