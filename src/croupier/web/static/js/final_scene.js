// Keep the end of a match visible for a while, however soon the next one starts at its table.

const STAY_MS = 6000;

/** Pass scenes to `draw(scene, how)`, delaying those of the next match after the end of one. */
export class FinalSceneHold {
  constructor(draw) {
    this.draw = draw;
    this.shown = null;
    this.endedAt = 0;
  }

  show(scene, how) {
    this.waiting = null;
    const left = this.endedAt + STAY_MS - performance.now();
    const isNext = this.shown?.state === "over" && this.shown.match !== scene.match;
    if (isNext && left > 0) {
      // Only the newest delayed scene is drawn.
      this.waiting = () => this.pass(scene, { ...how, jump: true });
      this.timer ??= setTimeout(() => {
        this.timer = null;
        this.waiting?.();
      }, left);
      return;
    }
    this.pass(scene, how);
  }

  pass(scene, how) {
    const isEnd = scene.state === "over" && !this.isSame(scene);
    if (isEnd) this.endedAt = performance.now();
    this.shown = scene;
    this.draw(scene, how);
  }

  isSame(scene) {
    return this.shown?.state === "over" && this.shown.match === scene.match;
  }

  stop() {
    clearTimeout(this.timer);
    this.waiting = null;
  }
}
