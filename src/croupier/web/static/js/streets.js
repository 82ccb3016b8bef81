// What streets are called: those of hold'em by name, those of other games by number.

import { t } from "./words.js";

const NAMES = { flop: t("Flop"), turn: t("Turn"), river: t("River") };

/** The name of a street; `first` is that of the time before the flop. */
export function streetName(street, first = t("Before the flop")) {
  if (street === "preflop") return first;
  return NAMES[street] ?? t("Round {n}", { n: street.replace("round", "") });
}
