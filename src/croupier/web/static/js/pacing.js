// Draws a few times a second: what follows faster is seen together, which spares the machine.

const GAP_MS = 400;

/**
 * Passes scenes on to `draw(scene, lines, {jump, gap})`: the first one at once, those that follow
 * too soon together. The end of a hand is never left out, nor is any line.
 */
export class Pacer {
  constructor(draw) {
    this.draw = draw;
    this.waiting = null;
    this.drawnAt = -GAP_MS;
  }

  show(scene, lines, how) {
    const before = this.waiting;
    if (before && before.scene.over && before.scene.hand !== scene.hand) this.flush();
    this.waiting = this.waiting
      ? {
          scene,
          lines: [...this.waiting.lines, ...lines],
          how: { jump: this.waiting.how.jump || how.jump, gap: this.waiting.how.gap || how.gap },
        }
      : { scene, lines, how };
    // Timers of a hidden tab are slow.
    if (document.hidden) this.flush();
    else this.schedule();
  }

  schedule() {
    if (this.timer) return;
    const left = this.drawnAt + GAP_MS - performance.now();
    // Before a frame rather than in it: scrolling the log in it would take another one for its event.
    this.timer = setTimeout(() => this.flush(), Math.max(0, left));
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    const { waiting } = this;
    if (!waiting) return;
    this.waiting = null;
    this.drawnAt = performance.now();
    this.draw(waiting.scene, waiting.lines, waiting.how);
  }

  stop() {
    clearTimeout(this.timer);
    this.waiting = null;
  }
}
