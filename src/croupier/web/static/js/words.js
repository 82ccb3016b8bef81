// The words of the pages: English stands in the code, other languages in catalogues.
//
// A catalogue is static/words/CODE.json, from the English text to its translation. To add words,
// write t("New words") and add the same text to every catalogue; a test compares the two. The text
// is always a literal, so that the test finds it.

export const language = document.documentElement.lang;

const texts = await catalogue(language);

async function catalogue(code) {
  if (code === "en") return {};
  try {
    return await (await fetch(`/static/words/${code}.json`)).json();
  } catch {
    return {}; // English is better than an empty page
  }
}

/** A text in the reader's language, with values in place of the names in braces. */
export function t(text, values = {}) {
  return (texts[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** One of two texts by a number, which is the value `n`; catalogues have the second one alone. */
export function tn(number, one, many, values = {}) {
  const plural = texts[many];
  return t(plural === undefined && number === 1 ? one : many, {
    n: WHOLE.format(number),
    ...values,
  });
}

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
