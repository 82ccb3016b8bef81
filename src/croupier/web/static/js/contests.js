// The list of contests.

import { api } from "./api.js";
import { contestStates } from "./contest.js";
import { h, panel, path } from "./dom.js";
import { progress } from "./fixtures.js";
import { clauses, labelled, moment } from "./format.js";
import { pager } from "./pager.js";
import { standing } from "./standing.js";
import { blank, link, load } from "./state.js";
import { t, tn } from "./words.js";

/** A contest in a few lines: how far it is and who leads. */
export function contestCard(one, { narrow = false } = {}) {
  const at = path("contests", one.contest);
  const current = one.stages.filter((stage) => stage.state === "current");
  return h(
    "div",
    { class: "contest-card" },
    h(
      "p",
      {},
      h("a", { href: at }, h("strong", {}, one.title)),
      " ",
      h("span", { class: `state ${one.state}` }, contestStates[one.state]),
    ),
    h(
      "p",
      { class: "muted" },
      clauses(
        tn(one.teams, "{n} team", "{n} teams"),
        ...current.map((stage) => labelled(stage.name, progress(stage))),
        moment(one.began),
      ),
    ),
    one.leaders.some((row) => row.matches)
      ? standing(
          one.leaders,
          one.score_counts,
          (team) => path("contests", one.contest, "teams", team),
          { brief: true, narrow, name: t("Who leads in {contest}", { contest: one.title }) },
        )
      : null,
  );
}

export async function start(main) {
  const place = h("div", {});
  const show = (page) =>
    load(place, t("the contests"), async () => {
      const found = await api.contests({ page, per_page: 10 });
      if (!found.items.length)
        return blank(
          t("No contest yet"),
          t("A contest appears here when its first match is played."),
          link("/docs/contests", t("How to run one")),
        );
      return [
        h(
          "ul",
          { class: "contests" },
          found.items.map((one) => h("li", {}, contestCard(one))),
        ),
        pager(found, show, (number) => tn(number, "{n} contest", "{n} contests")),
      ];
    });
  main.replaceChildren(
    h("div", { class: "heading" }, h("h1", {}, t("Contests"))),
    panel(t("All contests"), {}, place),
  );
  await show(1);
}
