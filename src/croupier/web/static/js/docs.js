// The documents come as finished HTML; what is added is only a button to copy an example.

import { copyButton, h } from "./dom.js";

export async function start(main) {
  for (const block of main.querySelectorAll("pre")) {
    block.tabIndex = 0; // wide examples scroll, also by keyboard
    const holder = h("div", { class: "example" });
    block.replaceWith(holder);
    holder.append(
      block,
      h(
        "span",
        { class: "copy" },
        copyButton(() => block.textContent, "this example"),
      ),
    );
  }
  for (const table of main.querySelectorAll("table")) {
    const holder = h("div", {
      class: "scroll",
      tabindex: "0",
      role: "region",
      "aria-label": "Table",
    });
    table.replaceWith(holder);
    holder.append(table);
  }
}
