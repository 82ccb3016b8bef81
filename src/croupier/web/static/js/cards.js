// Playing cards: drawn by CSS from rank and suit, with full names for screen readers.

import { h, hidden } from "./dom.js";
import { t } from "./words.js";

const RANKS = {
  2: t("two"),
  3: t("three"),
  4: t("four"),
  5: t("five"),
  6: t("six"),
  7: t("seven"),
  8: t("eight"),
  9: t("nine"),
  T: t("ten"),
  J: t("jack"),
  Q: t("queen"),
  K: t("king"),
  A: t("ace"),
};
const SUITS = { c: t("clubs"), d: t("diamonds"), h: t("hearts"), s: t("spades") };
// U+FE0E selects the text glyph where a system would draw an emoji.
const SIGNS = { c: "♣\uFE0E", d: "♦\uFE0E", h: "♥\uFE0E", s: "♠\uFE0E" };

/** The full name of a card: "ten of spades" for "Ts". */
function cardName(card) {
  return t("{rank} of {suit}", { rank: RANKS[card[0]], suit: SUITS[card[1]] });
}

/** Whether a text is one card in short notation. */
function isCard(text) {
  return text.length === 2 && text[0] in RANKS && text[1] in SUITS;
}

/** Parse typed cards ("as kd, 10h"); null if the text is not a list of cards. */
export function parseCards(text) {
  const packed = text.replace(/10/g, "T").replace(/[\s,]/g, "");
  if (packed.length % 2) return null;
  const cards = [];
  for (let i = 0; i < packed.length; i += 2) {
    const card = packed[i].toUpperCase() + packed[i + 1].toLowerCase();
    if (!isCard(card)) return null;
    cards.push(card);
  }
  return cards;
}

/** One card, or a card back for null. */
export function cardElement(card) {
  if (card === null) return h("span", { class: "card back" }, hidden(t("hidden card")));
  return h(
    "span",
    { class: `card suit-${card[1]}`, dataset: { card } },
    h("span", { class: "rank", "aria-hidden": "true" }, card[0]),
    h("span", { class: "suit", "aria-hidden": "true" }, SIGNS[card[1]]),
    hidden(cardName(card)),
  );
}

/** Make an element show exactly these cards, reusing unchanged ones. Return the new ones. */
export function showCards(element, cards) {
  const fresh = [];
  cards.forEach((card, index) => {
    const present = element.children[index];
    if (present && present.dataset.shown === String(card)) return;
    const made = cardElement(card);
    made.dataset.shown = String(card);
    if (present) present.replaceWith(made);
    else element.append(made);
    fresh.push(made);
  });
  while (element.children.length > cards.length) element.lastElementChild.remove();
  return fresh;
}

/** Mark the winning five among the shown cards and fade the others; null removes all marks. */
export function markCards(element, best) {
  for (const card of element.children) {
    const wins = best !== null && best.includes(card.dataset.card);
    card.classList.toggle("best", wins);
    card.classList.toggle("lost", best !== null && !wins);
  }
}
