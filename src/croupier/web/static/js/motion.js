// Short animations, disabled for users who prefer reduced motion.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const MOVE_MS = 220;

/** Whether to animate now; a hidden tab skips animations rather than queueing them. */
function motionAllowed() {
  return !STILL.matches && !document.hidden;
}

/** Fade in a new card or label. */
export function fadeIn(element, delay = 0) {
  if (!motionAllowed()) return;
  element.animate(
    [
      { opacity: 0, transform: "translateY(-0.4em)" },
      { opacity: 1, transform: "none" },
    ],
    { duration: MOVE_MS, delay, easing: "ease-out", fill: "backwards" },
  );
}

/** Move elements that were just placed in from others' positions, given as [element, from]. */
export function slideFrom(pairs) {
  if (!motionAllowed()) return;
  // All positions are read before anything is changed, so that there is one layout.
  const moves = pairs.map(([element, from]) => [
    element,
    between(element.getBoundingClientRect(), from.getBoundingClientRect()),
  ]);
  for (const [element, move] of moves)
    element.animate(
      [
        { transform: move, opacity: 0.3 },
        { transform: "none", opacity: 1 },
      ],
      { duration: MOVE_MS, easing: "ease-out" },
    );
}

/** The transformation that moves the middle of one rectangle to that of another. */
function between(one, other) {
  const x = other.x + other.width / 2 - one.x - one.width / 2;
  const y = other.y + other.height / 2 - one.y - one.height / 2;
  return `translate(${x}px, ${y}px)`;
}

/** Move copies of elements to others' positions, given as [element, to], and remove them there. */
export function flyTo(pairs, within) {
  if (!motionAllowed()) return;
  const frame = within.getBoundingClientRect();
  const flights = pairs.map(([element, to]) => [
    element,
    element.getBoundingClientRect(),
    to.getBoundingClientRect(),
  ]);
  for (const [element, start, end] of flights)
    if (start.width && end.width) fly(element, start, end, frame, within);
}

function fly(element, start, end, frame, within) {
  const ghost = element.cloneNode(true);
  ghost.classList.add("ghost");
  ghost.setAttribute("aria-hidden", "true");
  ghost.style.setProperty("left", `${start.x - frame.x}px`);
  ghost.style.setProperty("top", `${start.y - frame.y}px`);
  within.append(ghost);
  ghost
    .animate([{ transform: "none" }, { transform: between(start, end), opacity: 0.3 }], {
      duration: MOVE_MS,
      easing: "ease-in",
    })
    .finished.catch(() => {})
    .finally(() => ghost.remove());
}
