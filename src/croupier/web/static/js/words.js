// The words of the pages: English stands in the code, other languages in catalogues.
//
// A catalogue is static/words/CODE.json, from the English text to its translation. To add words,
// write t(…) around a literal and add the same text to every catalogue; a test compares the two. The text
// is always a literal, so that the test finds it. Sentences that the server writes, such as those
// of a table's log, are recognised by the forms in CODE.sentences.json.

import { root } from "./files.js";

export const language = document.documentElement.lang;

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

const [texts, forms] = await Promise.all([catalogue("json"), catalogue("sentences.json")]);

async function catalogue(kind) {
  if (language === "en") return {};
  try {
    return await (await fetch(`${root}static/words/${language}.${kind}`)).json();
  } catch {
    return {}; // English is better than an empty page
  }
}

/** A text in the reader's language, with values in place of the names in braces. */
export function t(text, values = {}) {
  return filled(texts[text] ?? text, values);
}

/** One of two texts by a number, which is the value `n`; catalogues have the second one alone. */
export function tn(number, one, many, values = {}) {
  const single = number === 1 && texts[many] === undefined;
  return t(single ? one : many, { n: WHOLE.format(number), ...values });
}

/** "a, b, c": names or other things of one kind. */
export function series(words) {
  return words.length ? words.reduce((some, next) => t("{some}, {next}", { some, next })) : "";
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// What may stand for a name in braces; any other name stands for any text.
const PARTS = { n: "[\\d,]+", m: "[\\d,]+", cards: "[2-9TJQKAcdhs ]+" };
// What is called `what` is itself a text with a form.
const READ = { what: sentence, list: (text) => series(text.split(", ")) };
const SPECIAL = /[.*+?^$()|[\]\\]/g;

const known = Object.entries(forms).map(([form, text]) => {
  const names = [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const pattern = form
    .replace(SPECIAL, "\\$&")
    .replace(/\{(\w+)\}/g, (_, name) => `(${PARTS[name] ?? ".+"})`);
  return { names, pattern: new RegExp(`^${pattern}$`, "s"), text };
});

/** A sentence of the server in the reader's language, or as it is if its form is not known. */
export function sentence(text) {
  for (const { names, pattern, text: translation } of known) {
    const found = pattern.exec(text);
    if (!found) continue;
    const values = names.map((name, at) => [name, READ[name]?.(found[at + 1]) ?? found[at + 1]]);
    return filled(translation, Object.fromEntries(values));
  }
  return text;
}
