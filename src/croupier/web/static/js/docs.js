// Documents arrive as complete HTML; this adds a copy button to each example.

import { copyButton, h } from "./dom.js";
import { t } from "./words.js";

export async function start(main) {
  for (const block of main.querySelectorAll("pre")) {
    block.tabIndex = 0; // lets the keyboard scroll wide examples
    const holder = h("div", { class: "example" });
    block.replaceWith(holder);
    holder.append(
      block,
      h(
        "span",
        { class: "copy" },
        copyButton(() => block.textContent, t("this example")),
      ),
    );
  }
  for (const table of main.querySelectorAll("table")) {
    const holder = h("div", {
      class: "scroll",
      tabindex: "0",
      role: "region",
      "aria-label": t("Table"),
    });
    table.replaceWith(holder);
    holder.append(table);
  }
}
