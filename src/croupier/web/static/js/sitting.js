// A seat at a table over one WebSocket, which comes back to the same place with its token.

import { seatAddress } from "./api.js";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5000;

/** A token that nobody can guess. */
export function drawToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Call `onscene(message)` for each picture, `onrefused(kind, reason)`, `onend()` when the referee
 * closes the connection, and `onstate({name, since, retry})` when it is "open" or "lost". Before
 * each connection `isOver()` is asked: nobody is to come back into another match.
 */
export class Sitting {
  constructor(table, who, handlers) {
    this.table = table;
    this.who = who;
    this.handlers = handlers;
    this.wait = FIRST_WAIT_MS;
    this.ended = false;
    this.since = null;
    this.wake = () => this.retry();
    addEventListener("online", this.wake);
    this.connect();
  }

  async connect() {
    this.timer = null;
    if (await this.handlers.isOver()) this.stop();
    if (this.ended) return;
    const socket = new WebSocket(seatAddress(this.table));
    this.socket = socket;
    socket.onopen = () => this.send({ type: "hello", table: this.table, ...this.who });
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = () => this.lose();
  }

  receive(message) {
    if (message.type === "scene") {
      this.wait = FIRST_WAIT_MS;
      this.since = null;
      if (!this.open) this.handlers.onstate({ name: "open" });
      this.open = true;
      this.handlers.onscene(message);
    } else if (message.type === "refused") {
      this.stop();
      this.handlers.onrefused(message.kind, message.reason);
    } else if (message.type === "closed") {
      this.stop();
      this.handlers.onend();
    }
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  lose() {
    this.open = false;
    if (this.ended) return;
    this.since ??= new Date();
    this.handlers.onstate({ name: "lost", since: this.since, retry: () => this.retry() });
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  retry() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.connect();
  }

  stop() {
    this.ended = true;
    this.open = false;
    clearTimeout(this.timer);
    removeEventListener("online", this.wake);
    this.socket?.close();
  }
}
