// Elements without markup: text from outside only ever becomes a text node, so no name can be HTML.

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

/** The same for SVG. */
export function s(tag, options = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), options, children);
}

/** Text that only screen readers speak. */
export function hidden(text) {
  return h("span", { class: "vh" }, text);
}

/** Set a text only when it changed, so that nothing is laid out or spoken again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A link to a page of ours with each part of its path encoded. */
export function path(...parts) {
  return `/${parts.map((part) => encodeURIComponent(part)).join("/")}`;
}

/** A box with a heading that names it for everyone. */
export function panel(title, options, ...children) {
  const id = `h-${title.toLowerCase().replace(/[^a-z]+/g, "-")}`;
  const { class: name = "", ...rest } = options;
  return h(
    "section",
    { class: `panel ${name}`, "aria-labelledby": id, ...rest },
    h("h2", { id }, title),
    ...children,
  );
}

/** A table that may scroll by itself when its columns do not fit the screen. */
export function grid(caption, columns, rows) {
  const head = columns.map((column) =>
    h("th", { scope: "col", class: column.number ? "number" : undefined }, column.title),
  );
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
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
                { class: column.number ? "number" : undefined, dataset: { title: column.title } },
                column.cell(row),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A button that copies a text and says so. */
export function copyButton(text, what, title = "Copy") {
  const label = h("span", {}, title);
  const source = typeof text === "function" ? text : () => text;
  const button = h("button", { type: "button", class: "quiet" }, label, hidden(` ${what}`));
  const said = h("span", { class: "vh", role: "status" });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source());
      label.textContent = "Copied";
    } catch {
      label.textContent = "Not allowed"; // some browsers offer no clipboard without HTTPS
    }
    said.textContent = label.textContent;
    setTimeout(() => {
      label.textContent = title;
      said.textContent = "";
    }, 1600);
  });
  return [button, said];
}
