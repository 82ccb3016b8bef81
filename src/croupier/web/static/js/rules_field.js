// A choice among the rules of the matches on record.

import { api } from "./api.js";
import { h } from "./dom.js";
import { t } from "./words.js";

/** A select of all rules on record; `onchange(rules)` gets "" for all of them. */
export async function rulesField(chosen, onchange) {
  let known = [];
  try {
    known = (await api.rules()).items;
  } catch {
    // The list itself says what is wrong.
  }
  if (chosen && !known.includes(chosen)) known.push(chosen);
  const field = h(
    "select",
    { name: "rules", onchange: () => onchange(field.value) },
    ["", ...known].map((rules) =>
      h("option", { value: rules, selected: rules === chosen }, rules || t("all")),
    ),
  );
  return field;
}
