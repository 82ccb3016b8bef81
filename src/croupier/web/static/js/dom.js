// Build elements without markup: foreign text only ever becomes a text node, never HTML.

import { to } from "./files.js";
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, options, children) {
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.setAttribute("class", value);
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key === "vars") {
      for (const [name, setting] of Object.entries(value)) element.style.setProperty(name, setting);
    } else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** An HTML element with attributes, listeners (onclick), CSS variables (vars) and children. */
export function h(tag, options = {}, ...children) {
  return fill(document.createElement(tag), options, children);
}

/** An SVG element with the same options. */
export function s(tag, options = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), options, children);
}

/** Text for screen readers only. */
export function hidden(text) {
  return h("span", { class: "vh" }, text);
}

/** Set a text only if it changed, to avoid a new layout or announcement. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A path on this site, with each part encoded. */
export function path(...parts) {
  return to(`/${parts.map((part) => encodeURIComponent(part)).join("/")}`);
}

let panels = 0;

/** A section labelled by its heading. */
export function panel(title, options, ...children) {
  panels += 1;
  const id = `h-${panels}`;
  const { class: name = "", ...rest } = options;
  return h(
    "section",
    { class: `panel ${name}`, "aria-labelledby": id, ...rest },
    h("h2", { id }, title),
    ...children,
  );
}

function columnClass(column) {
  const kinds = ["number", "key", "wide"].filter((kind) => column[kind]);
  return kinds.join(" ") || undefined;
}

/**
 * A table that scrolls within itself if it is too wide; its `key` column then stays in view. What
 * a heading's `hint` says under the pointer stands elsewhere on the page as well. On a phone, the
 * cells of a `stacked` table follow each other, each with its heading; a `wide` one has a line.
 */
export function grid(caption, columns, rows, { stacked = false } = {}) {
  const head = columns.map((column) =>
    h("th", { scope: "col", class: columnClass(column), title: column.hint }, column.title),
  );
  return h(
    "div",
    { class: stacked ? "scroll stacked" : "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", { class: "vh" }, caption),
      h("thead", {}, h("tr", {}, head)),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            columns.map((column) =>
              h(
                "td",
                { class: columnClass(column), dataset: stacked ? { title: column.title } : {} },
                column.cell(row),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A button that copies a text and confirms it. */
export function copyButton(text, what, title = t("Copy")) {
  const label = h("span", {}, title);
  const source = typeof text === "function" ? text : () => text;
  const button = h("button", { type: "button", class: "quiet" }, label, hidden(` ${what}`));
  const said = h("span", { class: "vh", role: "status" });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source());
      label.textContent = t("Copied");
    } catch {
      label.textContent = t("Not allowed"); // some browsers have no clipboard without HTTPS
    }
    said.textContent = label.textContent;
    setTimeout(() => {
      label.textContent = title;
      said.textContent = "";
    }, 1600);
  });
  return [button, said];
}
