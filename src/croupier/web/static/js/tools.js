// Three tools: the token of a name, the ranking of cards in every protocol, and winning chances.

import { api } from "./api.js";
import { cardElement, parseCards } from "./cards.js";
import { copyButton, grid, h, panel, setText } from "./dom.js";
import { count } from "./format.js";
import { md5 } from "./md5.js";
import { load } from "./state.js";

const SPELLING =
  "Write cards as rank and suit, like As Kd 10h: ranks 2 to 9, T or 10, J, Q, K, A; suits c, d, h, s.";

/** A text field that draws its cards beside it as the user types. */
function cardField(title, name, value) {
  const shown = h("span", { class: "cards", "aria-hidden": "true" });
  const wrong = h("span", { class: "wrong", role: "status" });
  const input = h("input", { name, value, autocomplete: "off", spellcheck: "false", size: "22" });
  const draw = () => {
    const cards = parseCards(input.value);
    const twice = cards !== null && new Set(cards).size < cards.length;
    shown.replaceChildren(...(cards ?? []).map((card) => cardElement(card)));
    setText(
      wrong,
      cards === null ? "Not a row of cards yet." : twice ? "A card is there twice." : "",
    );
    input.setAttribute("aria-invalid", String(cards === null || twice));
  };
  input.addEventListener("input", draw);
  draw();
  return {
    element: h("div", { class: "card-field" }, h("label", {}, title, input), shown, wrong),
    input,
    cards: () => parseCards(input.value),
  };
}

function hasher() {
  const token = h("output", { class: "token" });
  const input = h("input", {
    name: "name",
    autocomplete: "off",
    spellcheck: "false",
    size: "30",
    value: "kobe-1001",
  });
  const update = () => setText(token, md5(input.value));
  input.addEventListener("input", update);
  update();
  return panel(
    "Name hasher",
    {},
    h(
      "p",
      {},
      "The token of a private name: the MD5 of its UTF-8 bytes. It is computed in your browser; the name is not sent anywhere.",
    ),
    h(
      "form",
      { class: "row", onsubmit: (event) => event.preventDefault() },
      h("label", {}, "Name", input),
    ),
    h(
      "p",
      { class: "result" },
      token,
      " ",
      copyButton(() => token.textContent, "the token"),
    ),
  );
}

function ranker() {
  const field = cardField("Five to seven cards", "cards", "As Kd 10h Jc Qs 2d 2c");
  const place = h("div", { "aria-live": "polite" });
  const ask = async () => {
    const answer = await api.rank((field.cards() ?? [field.input.value]).join(""));
    const numbers = [
      ["Category", answer.category],
      [
        "Best five",
        h(
          "span",
          { class: "cards" },
          answer.best.map((card) => cardElement(card)),
        ),
      ],
      ["huawei calls it", answer.huawei],
      answer.trend ? ["trend: rank", String(answer.trend.rank)] : null,
      answer.trend ? ["trend: message", answer.trend.message] : null,
      ["Our scale, 1 to 7,462", count(answer.value)],
    ].filter(Boolean);
    return h(
      "dl",
      { class: "facts" },
      numbers.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
    );
  };
  return panel(
    "Hand ranker",
    {},
    h("p", {}, SPELLING),
    h(
      "form",
      {
        class: "row",
        onsubmit: (event) => {
          event.preventDefault();
          load(place, "the rank", ask);
        },
      },
      field.element,
      h("button", { type: "submit", class: "main" }, "Rank"),
    ),
    place,
  );
}

const MOST_HANDS = 10;

function calculator() {
  const hands = [cardField("Hand 1", "hand1", "As Kd"), cardField("Hand 2", "hand2", "Qh Qs")];
  const board = cardField("Board (optional)", "board", "");
  const list = h(
    "div",
    { class: "row-of" },
    hands.map((hand) => hand.element),
  );
  const place = h("div", { "aria-live": "polite" });
  const more = h(
    "button",
    {
      type: "button",
      onclick: () => {
        const hand = cardField(`Hand ${hands.length + 1}`, `hand${hands.length + 1}`, "");
        hands.push(hand);
        list.append(hand.element);
        hand.input.focus();
        more.disabled = hands.length >= MOST_HANDS;
      },
    },
    "Add a hand",
  );
  const share = (value) => `${(value * 100).toFixed(2)} %`;
  const ask = async () => {
    const typed = hands
      .filter((hand) => hand.input.value.trim())
      .map((hand) => (hand.cards() ?? [hand.input.value]).join(""));
    const answer = await api.equity(
      typed.join(","),
      (board.cards() ?? [board.input.value]).join(""),
    );
    return [
      grid(
        "Chances",
        [
          {
            title: "Hand",
            cell: (row) =>
              h(
                "span",
                { class: "cards" },
                row.cards.map((card) => cardElement(card)),
              ),
          },
          { title: "Wins", number: true, cell: (row) => share(row.win) },
          { title: "Ties", number: true, cell: (row) => share(row.tie) },
          { title: "Share of the pot", number: true, cell: (row) => share(row.equity) },
        ],
        answer.players,
      ),
      h(
        "p",
        { class: "muted" },
        answer.exact
          ? "Exact: every board that can come was counted."
          : "Estimated from many random boards.",
      ),
    ];
  };
  return panel(
    "Equity calculator",
    { class: "wide" },
    h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          load(place, "the chances", ask);
        },
      },
      list,
      h(
        "div",
        { class: "row-of" },
        board.element,
        more,
        h("button", { type: "submit", class: "main" }, "Calculate"),
      ),
    ),
    place,
  );
}

export async function start(main) {
  main.replaceChildren(
    h("div", { class: "heading" }, h("h1", {}, "Tools")),
    h("div", { class: "tools" }, hasher(), ranker(), calculator()),
  );
}
