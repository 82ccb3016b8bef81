// Follow a table over one WebSocket, which reconnects and continues after the last known line.

import { liveAddress } from "./api.js";
import { Pacer } from "./pacing.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/**
 * Call `onscene(scene, lines, {jump, gap})` for what was received and `onstate(state)` when the
 * connection changes: {name: "connecting" | "open" | "lost" | "closed", since, retry}.
 */
export class Follower {
  constructor(table, { onscene, onstate }) {
    this.table = table;
    this.pacer = new Pacer((scene, lines, how) => {
      onscene(scene, lines, how);
      if (how.jump && !this.ended) this.onstate({ name: "open" });
    });
    this.onstate = onstate;
    this.seq = null;
    this.wait = FIRST_WAIT_MS;
    this.lostSince = null;
    this.ended = false;
    this.wake = () => {
      if (this.timer) this.retry();
    };
    addEventListener("online", this.wake);
    this.connect();
  }

  connect() {
    this.timer = null;
    this.fresh = true;
    if (this.lostSince === null) this.onstate({ name: "connecting" });
    const socket = new WebSocket(liveAddress(this.table, this.seq));
    this.socket = socket;
    socket.onmessage = (event) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (socket === this.socket && !this.ended) this.lose();
    };
  }

  receive(message) {
    if (message.type === "closed") {
      this.pacer.flush();
      this.onstate({ name: "closed" });
      this.stop();
      return;
    }
    if (message.type !== "scene") return;
    // A lower number means that the site was restarted: the known lines are not comparable.
    const known = message.seq < this.seq ? null : this.seq;
    this.seq = message.seq;
    this.wait = FIRST_WAIT_MS;
    this.lostSince = null;
    const lines = known === null ? message.lines : message.lines.filter((line) => line.seq > known);
    this.pacer.show(message.scene, lines, { jump: this.fresh, gap: Boolean(message.gap) });
    this.fresh = false;
  }

  lose() {
    this.pacer.flush();
    this.lostSince ??= new Date();
    this.onstate({ name: "lost", since: this.lostSince, retry: () => this.retry() });
    // Jitter: spectators who lost the server together should not all reconnect at once.
    this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  retry() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.connect();
  }

  stop() {
    this.ended = true;
    this.pacer.stop();
    clearTimeout(this.timer);
    removeEventListener("online", this.wake);
    this.socket.onclose = null;
    this.socket.close();
  }
}
