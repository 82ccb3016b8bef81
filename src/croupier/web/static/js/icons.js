// The icons of the replayer's buttons, as SVG because fonts differ in these glyphs.

import { s } from "./dom.js";

const SHAPES = {
  previous: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M11.5 3v10L4.5 8z",
  play: "M4.5 3v10l8-5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forward: "M4.5 3v10l7-5z",
  next: "M11 3h2v10h-2zM3 3v10l7-5z",
};

export function icon(name) {
  return s(
    "svg",
    { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" },
    s("path", { d: SHAPES[name] }),
  );
}
