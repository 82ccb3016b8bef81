// The streets along the scrubber: a tick where each begins, and a label that never gives way.

import { h } from "./dom.js";

/** Positions from 0 to 1 as near to the wanted ones as the gap between them allows, in order. */
export function spread(wanted, room) {
  const places = [];
  for (const at of wanted) places.push(Math.max(at, (places.at(-1) ?? -room) + room));
  let end = 1;
  for (let index = places.length - 1; index >= 0; index -= 1) {
    end -= room;
    places[index] = Math.min(places[index], Math.max(0, end));
  }
  return places;
}

/** The ticks and labels of streets, given as [position, text]; a label takes that much of the width. */
export function streetMarks(streets, room) {
  const places = spread(
    streets.map(([at]) => at),
    room,
  );
  return streets.flatMap(([at, text], index) => [
    h("i", { vars: { "--at": String(at) } }),
    h("span", { vars: { "--at": String(places[index]) } }, text),
  ]);
}
