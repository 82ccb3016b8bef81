// New versions of a team's program: what was uploaded, what the check said, and the next one.

import { showOutcome } from "./acts.js";
import { api } from "./api.js";
import { h, panel } from "./dom.js";
import { bytes, clauses, labelled, moment } from "./format.js";
import { load } from "./state.js";
import { sentence, t } from "./words.js";

const LOOK_MS = 3000;

const STATES = {
  waiting: t("waits for its check, or is being checked"),
  done: t("plays from the next match on"),
  refused: t("refused"),
};

/** Show the uploads, and look again while one is waiting; nothing where there are none to be. */
export function showVersions(place) {
  const list = h("div", { role: "status" });
  const notice = h("div", { class: "notice", role: "alert" });
  const file = h("input", { type: "file", name: "program", required: true });
  const send = h("button", { type: "submit" }, t("Upload"));
  let timer;
  const draw = ({ items }) => {
    list.replaceChildren(
      items.length
        ? h("ol", { class: "own-list" }, items.map(version))
        : h("p", { class: "muted" }, t("Nothing was uploaded yet.")),
    );
    clearTimeout(timer);
    if (!items.some((one) => one.state === "waiting")) notice.replaceChildren();
    else if (place.isConnected)
      timer = setTimeout(async () => draw(await api.own.programs().catch(() => ({ items }))), LOOK_MS);
  };
  const submit = async (event) => {
    event.preventDefault();
    send.disabled = true;
    try {
      draw(await api.own.upload(file.files[0]));
      showOutcome(notice, t("It is stored, and is checked while the contest is running."));
    } catch (error) {
      showOutcome(notice, error);
    }
    send.disabled = false;
  };
  return load(place, t("your versions"), async () => {
    const found = await api.own.programs();
    if (found.problem && !found.items.length) return [];
    draw(found);
    return panel(
      t("A new version of your program"),
      {},
      h(
        "p",
        {},
        t(
          "A zip archive with an executable file “run” at its top, or that file itself, up to 10 MB. It is started with host, port, pid, name and key, and speaks {dialect}. It plays from your next match on, once it has passed every scenario of croupier check in the box.",
          { dialect: found.dialect },
        ),
      ),
      notice,
      found.problem
        ? h("p", {}, sentence(found.problem))
        : h("form", { class: "row", onsubmit: submit }, h("label", {}, t("File"), file), send),
      list,
    );
  });
}

function version(one) {
  const failed = one.checks.filter((check) => !check.ok);
  return h(
    "li",
    {},
    h("strong", {}, labelled(clauses(moment(one.at), bytes(one.size)), STATES[one.state])),
    one.why ? h("p", {}, sentence(one.why)) : null,
    h("p", { class: "muted small digest" }, `SHA-256 ${one.sha256}`),
    failed.length
      ? h(
          "details",
          {},
          h("summary", {}, t("What the check said")),
          h(
            "ul",
            {},
            one.checks.map((check) =>
              h(
                "li",
                {},
                `${check.ok ? "✓" : "✗"} ${labelled(check.scenario, check.text)}`,
                check.ok || !check.lines.length
                  ? null
                  : h("pre", { tabindex: "0" }, check.lines.join("\n")),
              ),
            ),
          ),
        )
      : null,
  );
}
