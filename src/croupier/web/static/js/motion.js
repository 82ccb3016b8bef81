// The few movements there are: short, and none for those who ask for none.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const MOVE_MS = 220;

/** Whether things may move now; what a hidden tab missed is not played later. */
function moves() {
  return !STILL.matches && !document.hidden;
}

/** Let a new card or label come in. */
export function enter(element, delay = 0) {
  if (!moves()) return;
  element.animate(
    [
      { opacity: 0, transform: "translateY(-0.4em)" },
      { opacity: 1, transform: "none" },
    ],
    { duration: MOVE_MS, delay, easing: "ease-out", fill: "backwards" },
  );
}

/** Let an element that was just placed come from where another one is. */
export function arrive(element, from) {
  if (!moves()) return;
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

/** Let a copy of an element go to where another one is, and vanish there. */
export function depart(element, to, within) {
  if (!moves()) return;
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
