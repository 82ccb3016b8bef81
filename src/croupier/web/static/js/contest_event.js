// The contest around a live table: its stage, its standing and its latest results, for the screen.

import { api } from "./api.js";
import { chips } from "./format.js";
import { score } from "./standing.js";
import { contestOf } from "./table_names.js";
import { sentence, t } from "./words.js";

const LOOK_MS = 5000;

/** Keeps asking for the contest of the table that is shown; `changed` is called with news. */
export class ContestEvent {
  constructor(changed) {
    this.changed = changed;
    this.detail = null;
    this.look();
  }

  /** Follow the contest of a table; a table without one has no event. */
  at(table) {
    this.table = table;
    const { contest, stage, fixture } = contestOf(table);
    this.stage = stage;
    this.fixture = fixture;
    if (contest === this.contest) return;
    this.contest = contest;
    this.detail = null;
    this.refresh();
  }

  /** Follow the newest contest while no table is shown. */
  async newest() {
    this.table = null;
    try {
      const [found] = (await api.contests({ per_page: 1 })).items;
      if (!found || this.table !== null) return;
      this.contest = String(found.contest);
      await this.refresh();
    } catch {
      // There is nothing to show anyway.
    }
  }

  async look() {
    await this.refresh();
    setTimeout(() => this.look(), LOOK_MS);
  }

  async refresh() {
    const { contest } = this;
    if (!contest) return;
    try {
      const detail = await api.contest(contest);
      if (contest !== this.contest) return;
      this.detail = detail;
      this.changed();
    } catch {
      // The line about the connection says it already.
    }
  }

  isHere({ stage, fixture }) {
    return stage === this.stage && fixture === this.fixture;
  }

  /** Where in the contest the table plays, such as "final · semi-final"; empty for a friendly match. */
  get where() {
    const found = this.detail?.now.find((one) => this.isHere(one));
    return found ? `${this.stage} · ${labelOf(found)}` : (this.stage ?? "");
  }

  /** The standing as lines of the rail; those who play at the table are marked. */
  lines(here) {
    return this.detail.standing.map((line) => ({
      rank: line.rank,
      name: line.team,
      value: score(line),
      out: line.note.includes("withdrawn"),
      here: here.includes(line.team),
    }));
  }

  /** The latest results and what else is being played, one text each. */
  get news() {
    if (!this.detail) return [];
    const results = this.detail.latest.map((result) => {
      const teams = result.teams.map((team, at) => {
        const won = result.chips[at];
        return `${team} ${won > 0 ? "+" : ""}${chips(won)}`;
      });
      return t("{where}: {result}", { where: labelOf(result), result: teams.join(" · ") });
    });
    const others = this.detail.now.filter((one) => !this.isHere(one));
    return [
      ...results,
      ...others.map((one) => t("Now: {teams}", { teams: one.teams.join(" · ") })),
    ];
  }
}

function labelOf({ label, round, stage }) {
  if (label) return sentence(label);
  return round ? t("Round {n}", { n: String(round) }) : stage;
}
