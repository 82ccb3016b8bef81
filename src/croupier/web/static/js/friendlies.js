// Friendly matches of a team: whom it asks, what others ask of it, and what came of them.

import { showOutcome } from "./acts.js";
import { api, ownFile } from "./api.js";
import { h, panel, path } from "./dom.js";
import { chips, count, labelled, moment } from "./format.js";
import { load } from "./state.js";
import { sentence, t, tn } from "./words.js";

const LOOK_MS = 3000; // others may ask at any time

const OPEN = ["asked", "waiting", "playing"];

/** Show the friendly matches, and look again and again; nothing where there are none to be. */
export function showFriendlies(place) {
  const list = h("div", { role: "status" });
  const notice = h("div", { class: "notice", role: "alert" });
  const choice = h("select", { name: "opponent", required: true });
  const ask = h("button", { type: "submit" }, t("Ask for a match"));
  let drawn = "";
  const act = async (work) => {
    try {
      draw(await work());
      notice.replaceChildren();
    } catch (error) {
      showOutcome(notice, error);
    }
  };
  const draw = ({ items }) => {
    const now = JSON.stringify(items);
    if (now === drawn) return; // whoever is about to press a button keeps it
    drawn = now;
    list.replaceChildren(
      items.length
        ? h(
            "ul",
            { class: "own-list friendlies" },
            items.map((one) => friendly(one, act)),
          )
        : h("p", { class: "muted" }, t("No friendly match yet.")),
    );
  };
  const look = async () => {
    if (!place.isConnected) return;
    if (!document.hidden) await api.own.friendlies().then(draw, () => {});
    setTimeout(look, LOOK_MS);
  };
  const submit = async (event) => {
    event.preventDefault();
    ask.disabled = true;
    const { value, dataset } = choice.selectedOptions[0];
    await act(() => api.own.askForFriendly(value, dataset.house === "true"));
    ask.disabled = false;
  };
  return load(place, t("your friendly matches"), async () => {
    const found = await api.own.friendlies();
    if (found.problem && !found.items.length) return [];
    choice.replaceChildren(
      group(t("House bots"), found.house, true),
      ...(found.teams.length ? [group(t("Teams, which have to agree"), found.teams, false)] : []),
    );
    draw(found);
    setTimeout(look, LOOK_MS);
    return panel(
      t("Friendly matches"),
      {},
      h("p", {}, explained(found)),
      notice,
      found.problem
        ? h("p", {}, sentence(found.problem))
        : h(
            "form",
            { class: "row", onsubmit: submit },
            h("label", {}, t("Opponent"), choice),
            ask,
          ),
      list,
    );
  });
}

function explained({ hands, waiting }) {
  return t(
    "A match of {hands} hands against a house bot, or a team that agrees. It is played when the contest leaves room for it, everyone can replay it, and it counts nowhere. At most {n} that you ask for are open at a time.",
    { hands: count(hands), n: count(waiting) },
  );
}

function group(label, names, house) {
  return h(
    "optgroup",
    { label },
    names.map((name) => h("option", { value: name, dataset: { house: String(house) } }, name)),
  );
}

function friendly(one, act) {
  const opponent = one.house ? t("house bot {bot}", { bot: one.opponent }) : one.opponent;
  const button = (text, kind, word) =>
    h(
      "button",
      {
        type: "button",
        class: kind,
        "aria-label": labelled(text, opponent),
        onclick: () => act(() => api.own.answerFriendly(one.friendly, word)),
      },
      text,
    );
  const asked = one.state === "asked";
  return h(
    "li",
    { class: OPEN.includes(one.state) ? "open" : undefined },
    h("strong", {}, t("Against {opponent}", { opponent })),
    " ",
    h("span", { class: "muted small" }, moment(one.at)),
    h(
      "p",
      { class: "acts" },
      h("span", {}, stateOf(one, opponent)),
      one.live && h("a", { href: path("live", one.live) }, t("Watch it live")),
      one.match && h("a", { href: path("games", one.match) }, t("Replay")),
      one.output && h("a", { href: ownFile(one.name, "output") }, t("Your program's output")),
      one.transcript && h("a", { href: ownFile(one.name, "transcript") }, t("Your connection")),
      asked && !one.mine && button(t("Accept"), "main", "accept"),
      asked && !one.mine && button(t("Decline"), "", "decline"),
      one.mine && (asked || one.state === "waiting") && button(t("Take back"), "", "withdraw"),
    ),
  );
}

function stateOf(one, opponent) {
  const { mine, state } = one;
  const why = one.why ? sentence(one.why) : "";
  if (state === "asked")
    return mine
      ? t("Waits for {opponent} to agree.", { opponent })
      : t("{opponent} asks you for a match.", { opponent });
  if (state === "waiting") return t("Is played as soon as the contest leaves room for it.");
  if (state === "playing") return t("Is being played.");
  if (state === "declined")
    return mine ? t("{opponent} has declined.", { opponent }) : t("You have declined.");
  if (state === "withdrawn")
    return mine ? t("You have withdrawn it.") : t("{opponent} has withdrawn it.", { opponent });
  if (state === "cancelled") return t("Could not be played: {why}.", { why });
  return [result(one), why && t("Note: {why}.", { why })].filter(Boolean).join(" ");
}

function result({ chips: won, hands }) {
  const values = { chips: chips(Math.abs(won)) };
  if (won > 0)
    return tn(hands, "You won {chips} chips in {n} hand.", "You won {chips} chips in {n} hands.", values);
  if (won < 0)
    return tn(hands, "You lost {chips} chips in {n} hand.", "You lost {chips} chips in {n} hands.", values);
  return tn(hands, "Level after {n} hand.", "Level after {n} hands.");
}
