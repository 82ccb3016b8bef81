// The page of a contest: what is on, what is next, who leads; and each of its stages as a tab.

import { api } from "./api.js";
import { bracket } from "./bracket.js";
import { crosstable } from "./crosstable.js";
import { grid, h, panel, path } from "./dom.js";
import { to as onSite } from "./files.js";
import { byRounds, fixtureList, forfeitMark, longList, progress } from "./fixtures.js";
import { count, gain, moment, shortMoment } from "./format.js";
import { readQuery } from "./pager.js";
import { standing } from "./standing.js";
import { blank, load } from "./state.js";
import { sentence, t } from "./words.js";

const REFRESH_MS = 15_000;
const SMALL_FIELD = 9; // teams whose crosstable leaves room for the standing beside it

export const contestStates = {
  waiting: t("waiting for its start"),
  running: t("running"),
  paused: t("paused"),
  complete: t("complete"),
};

const FORMATS = {
  "round-robin": t("round robin"),
  swiss: t("Swiss"),
  knockout: t("knockout"),
  groups: t("groups"),
  gauntlet: t("gauntlet"),
  ladder: t("ladder"),
};

export function formatName(format) {
  return FORMATS[format] ?? format;
}

function links(contest) {
  return {
    team: (team) => path("contests", contest, "teams", team),
    stage: (stage) => `${path("contests", contest)}?stage=${encodeURIComponent(stage)}`,
  };
}

/** A sentence about how far a contest is. */
function lead(detail) {
  const stage = detail.stages.find((one) => one.name === detail.stage);
  const next = detail.stages.find((one) => one.state !== "complete" && one.start);
  const waits = next && next.start > Date.now() / 1000;
  return h(
    "p",
    { class: "lead" },
    h("span", { class: `state ${detail.state}` }, contestStates[detail.state]),
    " ",
    detail.state === "complete"
      ? t("Began {began}.", { began: moment(detail.began) })
      : t("{stage}: {progress}. ", { stage: stage.name, progress: progress(stage) }),
    waits ? t("{stage} begins {when}.", { stage: next.name, when: moment(next.start) }) : null,
  );
}

function winner(detail) {
  const first = detail.standing.filter((row) => row.rank === 1 && !row.group);
  if (detail.state !== "complete" || first.length !== 1) return null;
  return h("p", { class: "champion" }, t("{team} has won.", { team: first[0].team }));
}

function nowAndNext(detail, to) {
  const parts = [];
  if (detail.now.length)
    parts.push(panel(t("On now"), { class: "on-now" }, fixtureList(detail.now, to.team)));
  if (detail.next.length)
    parts.push(panel(t("Next"), { class: "next" }, fixtureList(detail.next, to.team)));
  return parts;
}

function latest(rows, to) {
  if (!rows.length)
    return blank(t("No result yet"), t("Results appear here after the first match."));
  return grid(
    t("Latest results"),
    [
      {
        key: true,
        title: t("Match"),
        cell: (row) =>
          row.match
            ? h("a", { class: "when", href: path("games", row.match) }, shortMoment(row.ended))
            : shortMoment(row.ended),
      },
      {
        title: t("Stage"),
        cell: (row) =>
          h(
            "a",
            { class: "when", href: to.stage(row.stage) },
            row.label ? sentence(row.label) : row.stage,
          ),
      },
      {
        wide: true,
        title: t("Result"),
        cell: (row) =>
          h(
            "span",
            { class: "outcome scored" },
            row.teams.map((team, at) =>
              h(
                "span",
                { class: row.chips[at] === Math.max(...row.chips) ? "won" : undefined },
                h("span", {}, team, forfeitMark(team, row.forfeits)),
                " ",
                h("span", { class: "chips muted" }, gain(row.chips[at])),
              ),
            ),
          ),
      },
      { title: t("Hands"), number: true, cell: (row) => count(row.hands) },
    ],
    rows,
    { stacked: true },
  );
}

function overview(detail, to) {
  return [
    winner(detail),
    h(
      "div",
      { class: "contest" },
      h(
        "div",
        {},
        ...nowAndNext(detail, to),
        panel(
          t("Standing: {stage}", { stage: detail.stage }),
          { class: "standing" },
          detail.standing.some((row) => row.matches)
            ? standing(detail.standing, detail.score_counts, to.team, { brief: true })
            : blank(t("No result yet"), t("The first match decides who leads.")),
          h(
            "p",
            { class: "muted small" },
            t("Ordered by {order}.", { order: sentence(detail.ordered_by) }),
          ),
        ),
        panel(
          t("Proof"),
          {},
          h(
            "p",
            {},
            detail.seed
              ? t("The commitment to the seed was published before the first match; here is the seed.")
              : t(
                  "The commitment to the seed was published before the first match; the seed follows when the contest is complete.",
                ),
            " ",
            h("a", { href: onSite("/docs/deals") }, t("How to verify")),
          ),
          h(
            "dl",
            { class: "deals" },
            [
              [t("Commitment"), detail.commitment],
              [t("Seed"), detail.seed],
              [t("Salt"), detail.salt],
              [t("Coefficients of luck"), detail.coefficients],
            ]
              .filter(([, value]) => value)
              .map(([name, value]) => [h("dt", {}, name), h("dd", {}, h("code", {}, value))]),
          ),
        ),
      ),
      h("div", {}, panel(t("Latest results"), { class: "latest" }, latest(detail.latest, to))),
    ),
  ];
}

/** The crosstables of a stage: one, or one for each group. */
function crosstables(stage, to) {
  const groups = new Map();
  for (const row of stage.standing) {
    if (!groups.has(row.group)) groups.set(row.group, []);
    groups.get(row.group).push(row);
  }
  const href = (team, opponent) =>
    `${to.stage(stage.name)}&team=${encodeURIComponent(team)}&against=${encodeURIComponent(opponent)}#fixtures`;
  return h(
    "div",
    { class: groups.size > 1 ? "groups" : undefined },
    [...groups].map(([group, rows]) =>
      h(
        "div",
        {},
        group ? h("h3", {}, t("Group {group}", { group })) : null,
        crosstable(
          group ? t("Crosstable of group {group}", { group }) : t("Crosstable"),
          rows,
          stage.cells,
          { byPlaces: stage.by_places, href, teamHref: to.team },
        ),
      ),
    ),
  );
}

/** The fixtures of a stage, or those between two teams that the address names. */
function chosen(stage, to) {
  const { team, against } = readQuery("team", "against");
  if (!team || !against) return byRounds(stage.fixtures, to.team);
  const own = stage.fixtures.filter(
    (one) => one.teams.includes(team) && one.teams.includes(against),
  );
  return [
    h(
      "p",
      {},
      t("Only {team} against {opponent}.", { team, opponent: against }),
      " ",
      h("a", { href: `${to.stage(stage.name)}#fixtures` }, t("Show all fixtures")),
    ),
    longList(own, to.team),
  ];
}

function stageView(stage, to) {
  const hasCells = stage.cells.length && !stage.bracket;
  // Rates without luck make both tables wider.
  const beside = hasCells && !stage.luck && stage.standing.length <= SMALL_FIELD;
  const narrow = beside && stage.format !== "ladder"; // which has to say how sure its ratings are
  return [
    h(
      "p",
      { class: "lead" },
      t("{format}, {rules} rules. Ordered by {order}.", {
        format: formatName(stage.format),
        rules: stage.rules,
        order: sentence(stage.ordered_by),
      }),
      stage.note ? ` ${t("({what})", { what: sentence(stage.note) })}` : null,
    ),
    stage.bracket
      ? panel(
          t("Bracket"),
          {},
          bracket(stage.bracket, stage.fixtures, {
            href: (fixture) => `#f-${stage.name}-${fixture}`,
            teamHref: to.team,
          }),
        )
      : null,
    h(
      "div",
      {
        class: `table-and-standing ${beside ? "small-field" : ""}`,
      },
      hasCells
        ? panel(
            t("Crosstable"),
            { class: "crosstable-panel" },
            crosstables(stage, to),
            h(
              "p",
              { class: "muted small" },
              stage.by_places
                ? t(
                    "Points of the row against the column. Strong colour: more than chance between equals would give.",
                  )
                : t(
                    "bb/100 of the row against the column, with half the width of the 95 % interval. Strong colour: the sign is certain.",
                  ),
              stage.luck && !stage.by_places
                ? ` ${t("The last line is the rate without the luck of the cards; the colour goes by it.")}`
                : null,
            ),
          )
        : null,
      panel(
        t("Standing"),
        { class: "standing" },
        stage.standing.some((row) => row.matches)
          ? standing(stage.standing, stage.score_counts, to.team, { brief: beside, narrow })
          : blank(t("No result yet"), t("The first match decides who leads.")),
      ),
    ),
    panel(
      t("Fixtures"),
      { class: "all-fixtures", id: "fixtures" },
      stage.fixtures.length
        ? chosen(stage, to)
        : blank(t("Not known yet"), t("The fixtures follow from the stage before.")),
    ),
  ];
}

class ContestPage {
  constructor(main, contest) {
    this.contest = contest;
    this.to = links(contest);
    this.title = h("h1", {}, document.body.dataset.event); // as the server knew it
    this.lead = h("div", {});
    this.tabs = h("nav", { class: "tabs", "aria-label": t("Stages") });
    this.place = h("div", { class: "stage-view" });
    main.replaceChildren(
      h("div", { class: "heading" }, this.title, this.lead),
      this.tabs,
      this.place,
    );
  }

  /** Ask how far the contest is, and return what is below the tabs. */
  async parts() {
    const { stage } = readQuery("stage");
    const detail = await api.contest(this.contest);
    const known = detail.stages.find((one) => one.name === stage);
    const found = known && known.state !== "to come" ? await api.stage(this.contest, stage) : null;
    this.title.textContent = detail.title;
    this.lead.replaceChildren(lead(detail));
    this.over = detail.state === "complete";
    this.drawTabs(detail, known);
    if (!known) return overview(detail, this.to).filter(Boolean);
    return found ? stageView(found, this.to).filter(Boolean) : this.notBegun(known);
  }

  drawTabs(detail, known) {
    const tab = (href, text, here) =>
      h("a", { href, "aria-current": here ? "page" : undefined }, text);
    this.tabs.replaceChildren(
      tab(path("contests", this.contest), t("Overview"), !known),
      ...detail.stages.map((one) => tab(this.to.stage(one.name), one.name, one === known)),
    );
  }

  notBegun({ start: begins }) {
    return blank(
      t("This stage has not begun"),
      begins
        ? t("It begins {when}.", { when: moment(begins) })
        : t("Its teams come from the stage before."),
      h(
        "a",
        { class: "button", href: path("contests", this.contest) },
        t("See how far the contest is"),
      ),
    );
  }
}

export async function start(main, { contest }) {
  const page = new ContestPage(main, contest);
  await load(page.place, t("contest"), () => page.parts());
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  setInterval(async () => {
    // Before it is found there is nothing to follow, and after its end there is no news. Redrawing
    // would take the focus away from a keyboard user.
    const busy = () => document.hidden || page.place.contains(document.activeElement);
    if (page.over !== false || busy()) return;
    try {
      const parts = [await page.parts()].flat();
      if (!busy()) page.place.replaceChildren(...parts);
    } catch {
      // What is shown stays until the site answers again.
    }
  }, REFRESH_MS);
}
