// The page of a match: its ranking, chip chart, hands and replayer.

import { api, download } from "./api.js";
import { Chart } from "./chart.js";
import { grid, h, panel, path } from "./dom.js";
import { to } from "./files.js";
import {
  chips,
  clauses,
  count,
  dialectName,
  fullStop,
  labelled,
  listed,
  moment,
  placeName,
  seconds,
  signed,
} from "./format.js";
import { HandList } from "./hands.js";
import { interval, reachOf } from "./interval.js";
import { fromHash, Replay } from "./replay.js";
import { blank, failed } from "./state.js";
import { fixtureLink } from "./table_names.js";
import { t, tn } from "./words.js";

function ranking({ ranking: rows }) {
  const reach = reachOf(rows, (row) => row.bb_per_100);
  const troubles = (row) => Object.values(row.faults).reduce((sum, number) => sum + number, 0);
  const faults = (row) =>
    h(
      "span",
      {
        title: Object.entries(row.faults)
          .map(([reason, number]) => labelled(reason, String(number)))
          .join("\n"),
      },
      count(troubles(row)),
    );
  return grid(
    t("Ranking"),
    [
      { title: t("Rank"), number: true, cell: (row) => String(row.rank) },
      {
        title: t("Player"),
        key: true,
        cell: (row) => [
          h("span", { class: "name", title: row.name }, row.name),
          " ",
          row.dialect ? h("span", { class: "badge" }, dialectName(row.dialect)) : null,
        ],
      },
      { title: t("Chips"), number: true, cell: (row) => chips(row.chips) },
      { title: t("bb/100"), number: true, cell: (row) => signed(row.bb_per_100) },
      rows.some((row) => row.ci95 !== null) && {
        title: t("95 % interval"),
        cell: (row) => interval(row.bb_per_100, row.ci95, reach),
      },
      { title: t("Hands"), number: true, cell: (row) => count(row.hands) },
      // Only decisions over a connection are counted and timed.
      rows.some((row) => row.decisions) && {
        title: t("Decisions"),
        number: true,
        cell: (row) => (row.decisions ? count(row.decisions) : "–"),
      },
      { title: t("Timeouts"), number: true, cell: (row) => count(row.timeouts) },
      { title: t("Faults"), number: true, cell: faults },
      ...[
        { title: t("Mean time"), number: true, cell: (row) => seconds(row.mean_seconds) },
        { title: t("99 % within"), number: true, cell: (row) => seconds(row.p99_seconds) },
      ].filter(() => rows.some((row) => row.decisions)),
    ].filter(Boolean),
    rows,
  );
}

function facts(detail) {
  const { match, commitment, seed, salt } = detail;
  const running = match.status === "running";
  const outcome = running
    ? h(
        "span",
        {},
        t("Still playing. "),
        match.watch ? h("a", { href: match.watch }, t("Watch it live")) : null,
      )
    : t("{winners} won.", { winners: listed(match.winners) || t("Nobody") });
  const fixture = fixtureLink(match);
  const deals = [
    [t("Commitment"), commitment],
    [t("Seed"), seed],
    [t("Salt"), salt],
    [t("Opening"), detail.opening === null ? "" : String(detail.opening)],
    [t("Nonces"), detail.nonces.join(" ")],
    [t("Beacon"), detail.announced],
    [t("Value of the beacon"), detail.beacon],
    [t("Seed of the deals"), detail.deal_seed === seed ? "" : detail.deal_seed],
  ].filter(([, value]) => value);
  return {
    lead: h(
      "p",
      { class: "lead" },
      outcome,
      " ",
      t("{what}.", {
        what: clauses(
          tn(match.hands, "{n} hand", "{n} hands"),
          fixture
            ? t("{rules} rules", { rules: match.rules })
            : t("{rules} rules at table {table}", { rules: match.rules, table: placeName(match) }),
          match.ended
            ? t("{began} to {ended}", { began: moment(match.began), ended: moment(match.ended) })
            : moment(match.began),
        ),
      }),
      fixture ? [" ", t("In the contest: "), fixture] : null,
      match.friendly ? ` ${t("A friendly match, which counts nowhere.")}` : null,
    ),
    deals: deals.length
      ? h(
          "dl",
          { class: "deals" },
          deals.map(([name, value]) => [h("dt", {}, name), h("dd", {}, h("code", {}, value))]),
        )
      : h("p", { class: "muted" }, t("The deals of this match carry no commitment.")),
  };
}

const FORMATS = {
  phh: t("Hands (PHH)"),
  jsonl: t("Hands (JSON lines)"),
  pokerstars: t("Hands (PokerStars)"),
  ohh: t("Hands (OHH)"),
};

function downloads(match, formats) {
  const file = (name, text) =>
    h("a", { class: "button", href: download(match, name), download: "" }, text);
  return h(
    "p",
    { class: "row-of" },
    file("results.csv", t("Results (CSV)")),
    formats.map((name) => file(`export.${name}`, FORMATS[name] ?? t("Log ({name})", { name }))),
  );
}

/** The chart, or a sentence if there is nothing to draw yet. */
async function curves(match, onpick) {
  const data = await api.chips(match);
  if (data.hands.length < 2)
    return blank(t("Too few hands"), t("Curves appear after the second hand."));
  return new Chart(data, onpick).element;
}

export async function start(main, { match }) {
  let detail;
  try {
    detail = await api.match(match);
  } catch (error) {
    main.replaceChildren(
      h("h1", {}, t("Match")),
      failed(error, t("match"), () => start(main, { match })),
    );
    return;
  }
  const { lead, deals } = facts(detail);
  const replay = new Replay(match);
  const seat = panel(t("Replay"), { class: "replayer" }, replay.element);
  const open = (hand) => {
    replay.stop();
    replay.open(hand);
    seat.scrollIntoView({ block: "start" });
  };
  const hands = new HandList(match, open);
  replay.element.append(
    h(
      "div",
      { class: "beside" },
      h("div", {}, h("h3", {}, t("This hand")), replay.steps),
      h("div", {}, h("h3", {}, t("All hands")), hands.element),
    ),
  );
  const chart = h("div", {});
  main.replaceChildren(
    h(
      "div",
      { class: "heading" },
      h(
        "h1",
        {},
        detail.match.players.length > 4
          ? t("Match of {n} players", { n: String(detail.match.players.length) })
          : listed(detail.match.players),
      ),
      lead,
    ),
    h(
      "div",
      { class: "match" },
      panel(
        t("Ranking"),
        { class: "ranking" },
        ranking(detail),
        h(
          "p",
          { class: "muted small" },
          t(
            "Chips are those at the end, with reserve and winnings. bb/100 counts what each hand won or lost, in the big blind of that hand, so a player without chips can have any rate.",
          ),
          detail.unit === "match"
            ? ` ${t("Where stacks carry over, the interval is over matches, so one match has none.")}`
            : null,
        ),
      ),
      panel(t("Chips"), { class: "chips" }, chart),
      seat,
      panel(
        t("Downloads and proof"),
        { class: "proof" },
        downloads(match, detail.formats),
        h(
          "p",
          {},
          t(
            "Every deck follows from the seed, and from nonces and beacon if there are any; the commitment was published before the first player joined. ",
          ),
          h("a", { href: to("/docs/deals") }, t("How to verify")),
          fullStop,
        ),
        deals,
      ),
    ),
  );
  const linked = fromHash();
  const filled = hands.load();
  curves(match, open).then(
    (made) => chart.replaceChildren(made),
    (error) => chart.replaceChildren(failed(error, t("chart"))),
  );
  const first = linked.hand ?? (await filled);
  if (first === null) {
    replay.element.replaceChildren(
      blank(
        t("No hand to replay yet"),
        t("Hands appear here as soon as the audience may see them."),
      ),
    );
    return;
  }
  await replay.open(first, linked.step);
  if (linked.hand !== null) seat.scrollIntoView({ block: "start" });
}
