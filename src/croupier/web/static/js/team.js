// The page of a team: its results by opponent and round, its faults, times, style and big pots.

import { api } from "./api.js";
import { formatName } from "./contest.js";
import { grid, h, panel, path } from "./dom.js";
import { fixtureList } from "./fixtures.js";
import { chips, clauses, comma, count, percent, seconds, signed, withMargin } from "./format.js";
import { interval, reachOf, withoutLuck } from "./interval.js";
import { ownPart } from "./own.js";
import { roundChart } from "./rounds.js";
import { blank, failed, load } from "./state.js";
import { sentence, series, t, tn } from "./words.js";

const Z95 = 1.96;

const CAUSES = {
  absent: t("not there when its turn came"),
  late: t("no answer in time"),
  other: t("other causes"),
};

function playsBy(team) {
  if (team.house) return t("house bot {bot}", { bot: team.plays_by });
  if (team.plays_by === "Python class") return t("a Python class");
  return t("over {dialect}", { dialect: team.plays_by });
}

/** What the standing says of a team without luck, beside its rate as it was. */
function adjusted({ rate: raw, ci95, adjusted: without }) {
  if (!without || raw === null) return null;
  const values = { rate: withMargin(raw, ci95), adjusted: withMargin(without.bb_per_100, without.ci95) };
  return ` ${t("{rate} bb/100, {adjusted} without the luck of the cards.", values)}`;
}

function opponents(stage, to) {
  const reach = reachOf(stage.opponents);
  const lucky = withoutLuck(stage.opponents, reach);
  return grid(
    t("Results by opponent in {stage}", { stage: stage.stage }),
    [
      {
        title: t("Opponent"),
        key: true,
        cell: (row) => h("a", { class: "name", href: to.team(row.opponent) }, row.opponent),
      },
      stage.by_places && {
        title: t("Points"),
        number: true,
        cell: (row) => `${row.points} : ${row.matches - row.points}`,
      },
      { title: t("bb/100"), number: true, cell: (row) => signed(row.rate) },
      { title: t("95 % interval"), cell: (row) => interval(row.rate, row.ci95, reach) },
      ...lucky,
      // There is room for either.
      !lucky.length && { title: t("Chips"), number: true, cell: (row) => chips(row.chips) },
      { title: t("Hands"), number: true, cell: (row) => count(row.hands) },
    ].filter(Boolean),
    [...stage.opponents].sort((one, other) => other.rate - one.rate),
  );
}

function ofStage(stage, to) {
  const { line } = stage;
  const where = line
    ? line.matches &&
      tn(line.matches, "Rank {rank} after one match.", "Rank {rank} after {n} matches.", {
        rank: String(line.rank),
      })
    : t("Without a place in the standing.");
  return panel(
    `${stage.stage} (${formatName(stage.format)})`,
    { class: "team-stage" },
    h(
      "p",
      {},
      where || null,
      line?.matches ? adjusted(line) : null,
      line?.note ? ` ${sentence(line.note)}` : null,
    ),
    stage.rounds.length > 1 ? roundChart(stage) : null,
    stage.opponents.length
      ? opponents(stage, to)
      : blank(t("No result yet"), t("Results appear here after the first match.")),
    h("details", {}, h("summary", {}, t("Fixtures")), fixtureList(stage.fixtures, to.team)),
  );
}

/** A share with its 95 % interval (Wilson's) and the number of chances. */
function share(name, about, { done, chances }) {
  const low = h("span", { class: "muted" }, t("no chance yet"));
  if (!chances) return h("div", {}, h("dt", { title: about }, name), h("dd", {}, low));
  const rate = done / chances;
  const square = Z95 ** 2 / chances;
  const middle = (rate + square / 2) / (1 + square);
  const half =
    (Z95 * Math.sqrt((rate * (1 - rate)) / chances + square / chances / 4)) / (1 + square);
  return h(
    "div",
    {},
    h("dt", {}, name, h("span", { class: "vh" }, ` (${about})`)),
    h(
      "dd",
      { title: about },
      h("span", { class: "figure" }, percent(rate)),
      " ",
      h("span", { class: "muted" }, tn(chances, "of {n} chance", "of {n} chances")),
      h("span", {
        class: "share-bar",
        vars: {
          "--mean": String(rate),
          "--low": String(Math.max(0, middle - half)),
          "--high": String(Math.min(1, middle + half)),
        },
      }),
    ),
  );
}

function style(play) {
  if (!play.style)
    return blank(t("No style"), t("These figures are about hold'em hands on record."));
  const of = play.style;
  return h(
    "dl",
    { class: "shares" },
    share(t("VPIP"), t("put chips in before the flop by choice"), of.vpip),
    share(t("PFR"), t("raised before the flop"), of.pfr),
    share(t("3-bet"), t("raised again when facing one raise before the flop"), of.three_bet),
    share(
      t("Aggression"),
      t("bets and raises after the flop, of all decisions but checks"),
      of.aggression,
    ),
    share(t("WTSD"), t("went to showdown after seeing the flop"), of.to_showdown),
    share(t("W$SD"), t("won chips at showdown"), of.won_showdown),
  );
}

function faults(play) {
  const causes = Object.entries(play.faults);
  if (!causes.length) return h("p", {}, t("No faults."));
  return [
    grid(
      t("Faults by cause"),
      [
        { title: t("Cause"), cell: ([cause]) => CAUSES[cause] ?? sentence(cause) },
        { title: t("Times"), number: true, cell: ([, number]) => count(number) },
      ],
      causes,
    ),
    play.fault_lines.length
      ? h(
          "ul",
          { class: "fault-lines", tabindex: "0", "aria-label": t("From the log") },
          play.fault_lines.map((line) =>
            h(
              "li",
              {},
              h(
                "a",
                { href: `${path("games", line.match)}#hand=${line.hand}` },
                t("Hand {n}", { n: String(line.hand) }),
              ),
              ` ${line.text || CAUSES[line.cause] || line.cause}`,
            ),
          ),
        )
      : null,
  ];
}

function times(play) {
  if (!play.decisions)
    return h("p", { class: "muted" }, t("Times are taken over connections only."));
  return h(
    "p",
    {},
    t("{mean} on average and {p99} in 99 of 100 cases, over {n} decisions.", {
      mean: seconds(play.mean_seconds),
      p99: seconds(play.p99_seconds),
      n: count(play.decisions),
    }),
  );
}

function pots(play) {
  if (!play.pots.length) return blank(t("No pot on record"), "");
  return grid(
    t("Biggest pots"),
    [
      {
        key: true,
        title: t("Replay"),
        cell: (row) =>
          h(
            "a",
            { href: `${path("games", row.match)}#hand=${row.hand}` },
            t("Hand {n}", { n: count(row.hand) }),
          ),
      },
      {
        title: t("Against"),
        cell: (row) => h("span", { class: "names" }, series(row.opponents)),
      },
      { title: t("Pot"), number: true, cell: (row) => chips(row.pot) },
      { title: t("Big blinds"), number: true, cell: (row) => count(Math.round(row.big_blinds)) },
      { title: t("Outcome"), cell: (row) => (row.won ? t("won") : t("lost")) },
    ],
    play.pots,
    { stacked: true },
  );
}

async function playPanels(contest, team) {
  const play = await api.teamPlay(contest, team);
  const about =
    play.hands < play.of_hands
      ? t("From the latest {hands} of its {all} hands on record.", {
          hands: count(play.hands),
          all: count(play.of_hands),
        })
      : t("From all {hands} hands on record.", { hands: count(play.hands) });
  return [
    panel(
      t("Style"),
      { class: "wide" },
      style(play),
      play.hands ? h("p", { class: "muted small" }, about) : null,
    ),
    panel(t("Biggest pots"), {}, pots(play)),
    panel(t("Faults and times"), {}, faults(play), times(play)),
  ];
}

export async function start(main, { contest, team }) {
  const to = { team: (name) => path("contests", contest, "teams", name) };
  let detail;
  try {
    detail = await api.team(contest, team);
  } catch (error) {
    main.replaceChildren(
      h("h1", {}, team),
      failed(error, t("team"), () => start(main, { contest, team })),
    );
    return;
  }
  const play = h("div", { class: "team" });
  const own = h("div", {});
  main.replaceChildren(
    h(
      "div",
      { class: "heading" },
      h("h1", {}, detail.team),
      h(
        "p",
        { class: "lead" },
        h("a", { href: path("contests", contest) }, detail.title),
        comma,
        clauses(playsBy(detail), ...detail.remarks.map(sentence)),
      ),
    ),
    h(
      "div",
      { class: "stage-view" },
      detail.stages.length
        ? h(
            "div",
            { class: "team" },
            [...detail.stages].reverse().map((stage) => ofStage(stage, to)),
          )
        : blank(t("No result yet"), t("Results appear here after the first match.")),
      play,
      own,
    ),
  );
  ownPart(own, contest, team);
  await load(play, t("how it played"), () => playPanels(contest, team));
}
