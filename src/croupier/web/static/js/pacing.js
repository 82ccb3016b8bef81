// Draws at most a few times a second: at a fast table most scenes are gone before anyone sees them.

const GAP_MS = 400;

/**
 * Passes scenes on to `draw(scene, lines, {jump, gap})`: the first one with the next frame, those
 * that follow too soon together. The end of a hand is never left out, nor is any line.
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
    // Nothing is drawn in a hidden tab, and frames do not come there.
    if (document.hidden) this.flush();
    else this.schedule();
  }

  schedule() {
    if (this.timer) return;
    const left = this.drawnAt + GAP_MS - performance.now();
    this.timer = setTimeout(() => requestAnimationFrame(() => this.flush()), Math.max(0, left));
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
