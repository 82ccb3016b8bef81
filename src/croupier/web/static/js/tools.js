// Three tools: the token of a name, the ranking of cards in every protocol, and winning chances.

import { api } from "./api.js";
import { cardElement, parseCards } from "./cards.js";
import { copyButton, grid, h, panel, setText } from "./dom.js";
import { count } from "./format.js";
import { md5 } from "./md5.js";
import { load } from "./state.js";
import { t } from "./words.js";

const SPELLING = t(
  "Write cards as rank and suit, like As Kd 10h: ranks 2 to 9, T or 10, J, Q, K, A; suits c, d, h, s.",
);

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
      cards === null ? t("Not a row of cards yet.") : twice ? t("A card is there twice.") : "",
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
    t("Name hasher"),
    {},
    h(
      "p",
      {},
      t(
        "The token of a private name: the MD5 of its UTF-8 bytes. It is computed in your browser; the name is not sent anywhere.",
      ),
    ),
    h(
      "form",
      { class: "row", onsubmit: (event) => event.preventDefault() },
      h("label", {}, t("Name"), input),
    ),
    h(
      "p",
      { class: "result" },
      token,
      " ",
      copyButton(() => token.textContent, t("the token")),
    ),
  );
}

function ranker() {
  const field = cardField(t("Five to seven cards"), "cards", "As Kd 10h Jc Qs 2d 2c");
  const place = h("div", { "aria-live": "polite" });
  const ask = async () => {
    const answer = await api.rank((field.cards() ?? [field.input.value]).join(""));
    const numbers = [
      [t("Category"), answer.category],
      [
        t("Best five"),
        h(
          "span",
          { class: "cards" },
          answer.best.map((card) => cardElement(card)),
        ),
      ],
      [t("huawei calls it"), answer.huawei],
      answer.trend ? [t("trend: rank"), String(answer.trend.rank)] : null,
      answer.trend ? [t("trend: message"), answer.trend.message] : null,
      [t("Our scale, 1 to 7,462"), count(answer.value)],
    ].filter(Boolean);
    return h(
      "dl",
      { class: "facts" },
      numbers.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
    );
  };
  return panel(
    t("Hand ranker"),
    {},
    h("p", {}, SPELLING),
    h(
      "form",
      {
        class: "row",
        onsubmit: (event) => {
          event.preventDefault();
          load(place, t("the rank"), ask);
        },
      },
      field.element,
      h("button", { type: "submit", class: "main" }, t("Find its category")),
    ),
    place,
  );
}

const MOST_HANDS = 10;

function calculator() {
  const hands = [
    cardField(t("Hand {n}", { n: "1" }), "hand1", "As Kd"),
    cardField(t("Hand {n}", { n: "2" }), "hand2", "Qh Qs"),
  ];
  const board = cardField(t("Board (optional)"), "board", "");
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
        const hand = cardField(
          t("Hand {n}", { n: String(hands.length + 1) }),
          `hand${hands.length + 1}`,
          "",
        );
        hands.push(hand);
        list.append(hand.element);
        hand.input.focus();
        more.disabled = hands.length >= MOST_HANDS;
      },
    },
    t("Add a hand"),
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
        t("Chances"),
        [
          {
            title: t("Hand"),
            cell: (row) =>
              h(
                "span",
                { class: "cards" },
                row.cards.map((card) => cardElement(card)),
              ),
          },
          { title: t("Wins"), number: true, cell: (row) => share(row.win) },
          { title: t("Ties"), number: true, cell: (row) => share(row.tie) },
          { title: t("Share of the pot"), number: true, cell: (row) => share(row.equity) },
        ],
        answer.players,
      ),
      h(
        "p",
        { class: "muted" },
        answer.exact
          ? t("Exact: every board that can come was counted.")
          : t("Estimated from many random boards."),
      ),
    ];
  };
  return panel(
    t("Equity calculator"),
    { class: "wide" },
    h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          load(place, t("the chances"), ask);
        },
      },
      list,
      h(
        "div",
        { class: "row-of" },
        board.element,
        more,
        h("button", { type: "submit", class: "main" }, t("Calculate")),
      ),
    ),
    place,
  );
}

export async function start(main) {
  main.replaceChildren(
    h("div", { class: "heading" }, h("h1", {}, t("Tools"))),
    h("div", { class: "tools" }, hasher(), ranker(), calculator()),
  );
}
