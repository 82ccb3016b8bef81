// The page of a team: its results by opponent and round, its faults, times, style and big pots.

import { api } from "./api.js";
import { formatName } from "./contest.js";
import { grid, h, panel, path } from "./dom.js";
import { longList } from "./fixtures.js";
import {
  chips,
  clauses,
  comma,
  count,
  gain,
  percent,
  seconds,
  signed,
  whole,
  withMargin,
} from "./format.js";
import { interval, reachOf, withoutLuck } from "./interval.js";
import { ownPart } from "./own.js";
import { roundChart } from "./rounds.js";
import { blank, load } from "./state.js";
import { sentence, series, t, tn } from "./words.js";

const Z95 = 1.96;

const CAUSES = {
  absent: t("not there when its turn came"),
  late: t("no answer in time"),
  exception: t("its class raised an exception"),
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

/** What a ladder believes about a team. */
function strength({ mean, margin }) {
  return t("Strength {mean} ± {margin}.", { mean: whole(mean), margin: whole(margin) });
}

function opponents(stage, to) {
  const reach = reachOf(stage.opponents);
  const lucky = withoutLuck(stage.opponents, reach, { brief: true });
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
      !lucky.length && { title: t("Chips"), number: true, cell: (row) => gain(row.chips) },
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
  const format = formatName(stage.format);
  return panel(
    stage.stage === format ? stage.stage : `${stage.stage} (${format})`,
    { class: "team-stage" },
    h(
      "p",
      {},
      where || null,
      line?.matches ? adjusted(line) : null,
      line?.strength ? ` ${strength(line.strength)}` : null,
      line?.forfeits ? ` ${tn(line.forfeits, "One forfeit.", "{n} forfeits.")}` : null,
      line?.note ? ` ${sentence(line.note)}` : null,
    ),
    stage.rounds.length > 1 ? roundChart(stage) : null,
    stage.opponents.length
      ? opponents(stage, to)
      : blank(t("No result yet"), t("Results appear here after the first match.")),
    h("details", {}, h("summary", {}, t("Fixtures")), longList(stage.fixtures, to.team)),
  );
}

/** A share with its 95 % interval (Wilson's) and the number of chances. */
function share(name, about, { done, chances }) {
  const term = h("dt", {}, name);
  const what = h("span", { class: "about" }, about);
  const low = h("span", { class: "muted" }, t("no chance yet"));
  if (!chances) return h("div", {}, term, h("dd", {}, low, what));
  const rate = done / chances;
  const square = Z95 ** 2 / chances;
  const middle = (rate + square / 2) / (1 + square);
  const half =
    (Z95 * Math.sqrt((rate * (1 - rate)) / chances + square / chances / 4)) / (1 + square);
  return h(
    "div",
    {},
    term,
    h(
      "dd",
      {},
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
      what,
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
      : h("p", { class: "muted small" }, t("What exactly happened is in the team's own log.")),
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
  const lead = h("p", { class: "lead" });
  const stages = h("div", { class: "team-stages" });
  const play = h("div", { class: "team" });
  const own = h("div", {});
  main.replaceChildren(
    h("div", { class: "heading" }, h("h1", {}, team), lead),
    h("div", { class: "stage-view" }, stages, play, own),
  );
  const rest = () => {
    ownPart(own, contest, team);
    load(play, t("how it played"), () => playPanels(contest, team));
  };
  await load(stages, t("team"), async () => {
    const detail = await api.team(contest, team);
    lead.replaceChildren(
      h("a", { href: path("contests", contest) }, detail.title),
      comma,
      clauses(playsBy(detail), ...detail.remarks.map(sentence)),
    );
    rest();
    if (!detail.stages.length)
      return blank(t("No result yet"), t("Results appear here after the first match."));
    return [...detail.stages].reverse().map((stage) => ofStage(stage, to));
  });
}
