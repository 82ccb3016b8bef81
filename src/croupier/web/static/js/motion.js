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

/** Move an element that was just placed in from another one's position. */
export function slideFrom(element, from) {
  if (!motionAllowed()) return;
  const start = from.getBoundingClientRect();
  const end = element.getBoundingClientRect();
  const x = start.x + start.width / 2 - end.x - end.width / 2;
  const y = start.y + start.height / 2 - end.y - end.height / 2;
  element.animate(
    [
      { transform: `translate(${x}px, ${y}px)`, opacity: 0.3 },
      { transform: "none", opacity: 1 },
    ],
    { duration: MOVE_MS, easing: "ease-out" },
  );
}

/** Move a copy of an element to another one's position, and remove it there. */
export function flyTo(element, to, within) {
  if (!motionAllowed()) return;
  const start = element.getBoundingClientRect();
  const end = to.getBoundingClientRect();
  const frame = within.getBoundingClientRect();
  if (!start.width || !end.width) return;
  const ghost = element.cloneNode(true);
  ghost.classList.add("ghost");
  ghost.setAttribute("aria-hidden", "true");
  ghost.style.setProperty("left", `${start.x - frame.x}px`);
  ghost.style.setProperty("top", `${start.y - frame.y}px`);
  within.append(ghost);
  const x = end.x + end.width / 2 - start.x - start.width / 2;
  const y = end.y + end.height / 2 - start.y - start.height / 2;
  ghost
    .animate([{ transform: "none" }, { transform: `translate(${x}px, ${y}px)`, opacity: 0.3 }], {
      duration: MOVE_MS,
      easing: "ease-in",
    })
    .finished.catch(() => {})
    .finally(() => ghost.remove());
}
