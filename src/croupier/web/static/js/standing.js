// The standing of a stage, with error bars wherever a rate is printed.

import { grid, h } from "./dom.js";
import { chips, count, signed, whole } from "./format.js";
import { interval, reachOf, withoutLuck } from "./interval.js";
import { sentence, series, t } from "./words.js";

/** A team's name as a link; house bots are marked. */
export function teamName(row, teamHref) {
  return [
    h("a", { class: "name", href: teamHref(row.team) }, row.team),
    row.house ? [" ", h("span", { class: "badge" }, t("house"))] : null,
    row.note ? [" ", h("span", { class: "muted note" }, series(row.note.split("; ").map(sentence)))] : null,
  ];
}

/** The score of a line, which is a number of points, a rate or a rating. */
export function score({ score: value, strength }) {
  if (strength) return whole(value);
  return Number.isInteger(value) ? chips(value) : signed(value);
}

/** What the score counts; what a rating is, a page with room says where it names the order. */
function noteOn(counts, { byRate, rated, narrow }) {
  if (byRate || (rated && !narrow)) return "";
  return rated ? t("Rating: {counts}.", { counts }) : t("Score: {counts}.", { counts });
}

/**
 * The standing with a note on what its score counts; the score is left out where it is the rate,
 * which is there anyway. A brief one has fewer columns, and one for a narrow place fewer still.
 */
export function standing(
  rows,
  counts,
  teamHref,
  { name = t("Standing"), narrow = false, brief = narrow } = {},
) {
  const reach = reachOf(rows);
  const byRate = rows.every((row) => row.score === (row.rate ?? 0));
  const rated = rows.some((row) => row.strength);
  const lucky = brief && rated ? [] : withoutLuck(rows, reach, { brief });
  const note = noteOn(sentence(counts), { byRate, rated, narrow });
  const some = (key) => !brief && rows.some((row) => row[key]);
  const columns = [
    rows.some((row) => row.group) && { title: t("Group"), cell: (row) => row.group },
    { title: t("Rank"), number: true, cell: (row) => String(row.rank) },
    { key: true, title: t("Team"), cell: (row) => teamName(row, teamHref) },
    !byRate && { title: rated ? t("Rating") : t("Score"), hint: note, number: true, cell: score },
    rated &&
      !narrow && {
        title: t("Strength"),
        number: true,
        cell: ({ strength }) => `${whole(strength.mean)} ± ${whole(strength.margin)}`,
      },
    { title: t("bb/100"), number: true, cell: (row) => signed(row.rate) },
    { title: t("95 % interval"), cell: (row) => interval(row.rate, row.ci95, reach) },
    ...lucky,
    !brief && { title: t("Matches"), number: true, cell: (row) => count(row.matches) },
    !narrow && !(brief && lucky.length) && { title: t("Hands"), number: true, cell: (row) => count(row.hands) },
    some("faults") && { title: t("Faults"), number: true, cell: (row) => count(row.faults) },
    some("forfeits") && { title: t("Forfeits"), number: true, cell: (row) => count(row.forfeits) },
    some("byes") && { title: t("Byes"), number: true, cell: (row) => count(row.byes) },
  ];
  return [
    grid(name, columns.filter(Boolean), rows),
    note ? h("p", { class: "muted small score-note" }, note) : null,
  ];
}
