// Format numbers, times and percentages uniformly across the site.

import { language, series, t } from "./words.js";

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });
const ONE = new Intl.NumberFormat("en", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});
const TIMES = language === "en" ? "en-GB" : language;
const MINUS = /^-/;

/** An amount of chips, in full up to ten digits, for which a seat has room. */
export function chips(amount) {
  return (Math.abs(amount) < 1e10 ? WHOLE : SHORT).format(amount).replace(MINUS, "−");
}

/** A number without decimals and with a sign only where it is negative. */
export function whole(number) {
  return WHOLE.format(number).replace(MINUS, "−");
}

/** Chips won or lost: +1,200, −300, 0. */
export function gain(amount) {
  return `${amount > 0 ? "+" : ""}${chips(amount)}`;
}

export function count(number) {
  return WHOLE.format(number);
}

/** The size of a file. */
export function bytes(number) {
  if (number < 1024) return `${number} B`;
  const large = number >= 1 << 20;
  return `${(number / (large ? 1 << 20 : 1024)).toFixed(1)} ${large ? "MB" : "kB"}`;
}

/** A result with its sign and one decimal: +12.3, −4.0; a dash if there is none. */
export function signed(number) {
  return number === null || number === undefined ? "–" : ONE.format(number).replace(MINUS, "−");
}

/** A rate with half the width of its interval, if it has one. */
export function withMargin(value, half) {
  return half === null ? signed(value) : `${signed(value)} ± ${count(Math.round(half))}`;
}

/** A win probability in whole per cent; "100 %" and "0 %" only if it is certain. */
export function percent(share) {
  const value = share * 100;
  if (value > 0 && value < 0.5) return "<1 %";
  if (value < 100 && value > 99.5) return ">99 %";
  return `${Math.round(value)} %`;
}

/** A duration in a suitable unit: 12 ms, 1.25 s. */
export function seconds(value) {
  if (value === null || value === undefined) return "–";
  if (value < 0.0995) return `${(value * 1000).toFixed(value < 0.00995 ? 1 : 0)} ms`;
  return `${value.toFixed(2)} s`;
}

/** A time (seconds since the epoch) in the reader's time zone and format. */
export function moment(epoch) {
  if (!epoch) return "–";
  return new Date(epoch * 1000).toLocaleString(TIMES, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** The same without the year, for lists in which everything is recent. */
export function shortMoment(epoch) {
  if (!epoch) return "–";
  return new Date(epoch * 1000).toLocaleString(TIMES, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** The time of day, to the second. */
export function clock(date) {
  return date.toLocaleTimeString(TIMES);
}

/** Where a match was played: its table, with the arena if there are several. */
export function placeName({ arena, table }) {
  return arena && table ? labelled(arena, table) : arena || table;
}

/** A player's protocol; house bots have none. */
export function dialectName(dialect) {
  return { house: t("house"), browser: t("person") }[dialect] ?? dialect ?? "";
}

/** "a", "a and b", "a, b and c". */
export function listed(words) {
  return words.length < 2
    ? words.join("")
    : t("{some} and {last}", { some: series(words.slice(0, -1)), last: words.at(-1) });
}

export const comma = t(", ");
export const fullStop = t("."); // where the words before it are a link

/** Parts of a sentence, one after the other; those that are empty are left out. */
export function clauses(...parts) {
  return parts.filter(Boolean).join(comma);
}

/** "a: b". */
export function labelled(label, value) {
  return t("{label}: {value}", { label, value });
}
