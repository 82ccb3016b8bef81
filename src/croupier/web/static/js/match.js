// The page of a match: its ranking, chip chart, hands and replayer.

import { api, download } from "./api.js";
import { Chart } from "./chart.js";
import { grid, h, panel, path } from "./dom.js";
import { chips, count, listed, moment, plural, seconds, signed } from "./format.js";
import { HandList } from "./hands.js";
import { fromHash, Replay } from "./replay.js";
import { blank, failed } from "./state.js";

/** A result with its 95 % interval as a bar around zero, on the same scale for all players. */
function interval(row, reach) {
  if (row.ci95 === null) return h("span", { class: "muted" }, "too few hands");
  const share = (value) => String((value / reach + 1) / 2);
  return h(
    "span",
    {
      class: "interval",
      role: "img",
      "aria-label": `between ${signed(row.bb_per_100 - row.ci95)} and ${signed(row.bb_per_100 + row.ci95)}`,
      vars: {
        "--low": share(row.bb_per_100 - row.ci95),
        "--high": share(row.bb_per_100 + row.ci95),
        "--mean": share(row.bb_per_100),
      },
    },
    h("span", { class: "bar" }),
  );
}

function ranking(rows) {
  const reach = Math.max(1, ...rows.map((row) => Math.abs(row.bb_per_100) + (row.ci95 ?? 0)));
  const troubles = (row) => Object.values(row.faults).reduce((sum, number) => sum + number, 0);
  const faults = (row) =>
    h(
      "span",
      {
        title: Object.entries(row.faults)
          .map(([reason, number]) => `${reason}: ${number}`)
          .join("\n"),
      },
      count(troubles(row)),
    );
  return grid(
    "Ranking",
    [
      { title: "Rank", number: true, cell: (row) => String(row.rank) },
      {
        title: "Player",
        key: true,
        cell: (row) => [
          h("span", { class: "name", title: row.name }, row.name),
          " ",
          row.dialect ? h("span", { class: "badge" }, row.dialect) : null,
        ],
      },
      { title: "Chips", number: true, cell: (row) => chips(row.chips) },
      { title: "bb/100", number: true, cell: (row) => signed(row.bb_per_100) },
      { title: "95 % interval", cell: (row) => interval(row, reach) },
      { title: "Hands", number: true, cell: (row) => count(row.hands) },
      { title: "Decisions", number: true, cell: (row) => count(row.decisions) },
      { title: "Timeouts", number: true, cell: (row) => count(row.timeouts) },
      { title: "Faults", number: true, cell: faults },
      { title: "Mean time", number: true, cell: (row) => seconds(row.mean_seconds) },
      { title: "99 % within", number: true, cell: (row) => seconds(row.p99_seconds) },
    ],
    rows,
  );
}

function facts({ match, commitment, seed, salt }) {
  const running = match.status === "running";
  const outcome = running
    ? h(
        "span",
        {},
        "Still playing. ",
        match.table ? h("a", { href: path("live", match.table) }, "Watch it live") : null,
      )
    : `${listed(match.winners) || "Nobody"} won.`;
  const deals = [
    ["Commitment", commitment],
    ["Seed", seed],
    ["Salt", salt],
  ].filter(([, value]) => value);
  return {
    lead: h(
      "p",
      { class: "lead" },
      outcome,
      ` ${plural(match.hands, "hand")}, ${match.rules} rules at table ${match.table}, ${moment(match.began)}${match.ended ? ` to ${moment(match.ended)}` : ""}.`,
    ),
    deals: deals.length
      ? h(
          "dl",
          { class: "deals" },
          deals.map(([name, value]) => [h("dt", {}, name), h("dd", {}, h("code", {}, value))]),
        )
      : h("p", { class: "muted" }, "The deals of this match carry no commitment."),
  };
}

function downloads(match) {
  const file = (name, text) =>
    h("a", { class: "button", href: download(match, name), download: "" }, text);
  return h(
    "p",
    { class: "row-of" },
    file("results.csv", "Results (CSV)"),
    file("export.phh", "Hands (PHH)"),
    file("export.jsonl", "Hands (JSON lines)"),
  );
}

/** The chart, or a sentence if there is nothing to draw yet. */
async function curves(match, onpick) {
  const data = await api.chips(match);
  if (data.hands.length < 2) return blank("Too few hands", "Curves appear after the second hand.");
  return new Chart(data, onpick).element;
}

export async function start(main, { match }) {
  let detail;
  try {
    detail = await api.match(match);
  } catch (error) {
    main.replaceChildren(
      h("h1", {}, "Match"),
      failed(error, "match", () => start(main, { match })),
    );
    return;
  }
  const { lead, deals } = facts(detail);
  const replay = new Replay(match);
  const seat = panel("Replay", { class: "replayer" }, replay.element);
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
      h("div", {}, h("h3", {}, "This hand"), replay.steps),
      h("div", {}, h("h3", {}, "All hands"), hands.element),
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
          ? `Match of ${detail.match.players.length} players`
          : listed(detail.match.players),
      ),
      lead,
    ),
    h(
      "div",
      { class: "match" },
      panel("Ranking", { class: "ranking" }, ranking(detail.ranking)),
      panel("Chips", { class: "chips" }, chart),
      seat,
      panel(
        "Downloads and proof",
        { class: "proof" },
        downloads(match),
        h(
          "p",
          {},
          "Every deck follows from seed and salt; the commitment was published before the first hand. ",
          h("a", { href: "/docs/deals" }, "How to verify"),
          ".",
        ),
        deals,
      ),
    ),
  );
  const linked = fromHash();
  const filled = hands.load();
  curves(match, open).then(
    (made) => chart.replaceChildren(made),
    (error) => chart.replaceChildren(failed(error, "chart")),
  );
  const first = linked.hand ?? (await filled);
  if (first === null) {
    replay.element.replaceChildren(
      blank("No hand to replay yet", "Hands appear here as soon as the audience may see them."),
    );
    return;
  }
  await replay.open(first, linked.step);
  if (linked.hand !== null) seat.scrollIntoView({ block: "start" });
}
