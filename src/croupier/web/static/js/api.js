// All requests to the server: JSON in, JSON out, and every failure as a sentence to display.

import { answerAddress, answerText, downloadAddress, root, selected } from "./files.js";
import { sentence, t } from "./words.js";

/** A request that failed; `status` is 0 when the server could not be reached at all. */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

let skew = 0;

/** Seconds since the epoch by the server's clock, as spectators' clocks are often wrong. */
export function serverNow() {
  return Date.now() / 1000 - skew;
}

function keepTime(response) {
  const date = Date.parse(response.headers.get("Date") ?? "");
  if (Number.isNaN(date)) return;
  const difference = (Date.now() - date) / 1000;
  // The header has a resolution of one second, so a small difference means nothing.
  skew = Math.abs(difference) > 2 ? difference : 0;
}

async function request(method, path, body, type = "text/csv") {
  const options = { method, headers: { Accept: "application/json" } };
  if (method !== "GET") options.headers["X-Croupier"] = "1"; // a form on another site cannot send this
  if (body instanceof Blob || typeof body === "string") {
    options.body = body;
    options.headers["Content-Type"] = type;
  } else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let response;
  try {
    response = await fetch(answerAddress(path), options);
  } catch {
    throw new ApiError(0, t("The server cannot be reached. Check the network, then try again."));
  }
  keepTime(response);
  const text = await answerText(response);
  let answer = null;
  try {
    answer = text ? JSON.parse(text) : null;
  } catch {
    throw new ApiError(response.status, t("The server answered with something that is not JSON."));
  }
  if (!response.ok) {
    const status = String(response.status);
    throw new ApiError(
      response.status,
      answer?.error ? sentence(answer.error) : t("The server answered {status}.", { status }),
    );
  }
  const found = selected(path, answer);
  if (found === undefined) throw new ApiError(404, t("There is nothing at this address."));
  return found;
}

/** The query part of a URL, without empty parameters. */
export function query(parameters) {
  const pairs = Object.entries(parameters).filter(
    ([, value]) => value !== "" && value !== null && value !== undefined,
  );
  return pairs.length ? `?${new URLSearchParams(pairs)}` : "";
}

const part = encodeURIComponent;

export const api = {
  status: () => request("GET", "/status"),
  tables: () => request("GET", "/tables"),
  table: (table) => request("GET", `/tables/${part(table)}`),
  openings: (filter) => request("GET", `/openings${query(filter)}`),
  matches: (filter) => request("GET", `/matches${query(filter)}`),
  rules: () => request("GET", "/rules"),
  match: (match) => request("GET", `/matches/${part(match)}`),
  chips: (match) => request("GET", `/matches/${part(match)}/chips`),
  hands: (match, filter) => request("GET", `/matches/${part(match)}/hands${query(filter)}`),
  hand: (match, number) => request("GET", `/matches/${part(match)}/hands/${number}`),
  contests: (filter) => request("GET", `/contests${query(filter)}`),
  contest: (contest) => request("GET", `/contests/${part(contest)}`),
  stage: (contest, stage) => request("GET", `/contests/${part(contest)}/stages/${part(stage)}`),
  team: (contest, team) => request("GET", `/contests/${part(contest)}/teams/${part(team)}`),
  teamPlay: (contest, team) => request("GET", `/contests/${part(contest)}/play/${part(team)}`),
  players: (filter) => request("GET", `/players${query(filter)}`),
  rank: (cards) => request("GET", `/tools/rank${query({ cards })}`),
  equity: (hands, board) => request("GET", `/tools/equity${query({ hands, board })}`),
  own: {
    state: (contest, team) => request("GET", `/team/state${query({ contest, team })}`),
    login: (contest, team, key) =>
      request("POST", "/team/login", { contest: Number(contest), team, key }),
    logout: () => request("POST", "/team/logout", {}),
    matches: (filter) => request("GET", `/team/matches${query(filter)}`),
    programs: () => request("GET", "/team/programs"),
    friendlies: () => request("GET", "/team/friendlies"),
    askForFriendly: (opponent, house) => request("POST", "/team/friendlies", { opponent, house }),
    answerFriendly: (friendly, act) => request("POST", `/team/friendlies/${friendly}`, { act }),
    upload: (file) => request("POST", "/team/programs", file, "application/octet-stream"),
  },
  admin: {
    state: () => request("GET", "/admin/state"),
    login: (token) => request("POST", "/admin/login", { token }),
    logout: () => request("POST", "/admin/logout", {}),
    players: () => request("GET", "/admin/players"),
    add: (player) => request("POST", "/admin/players", player),
    importCsv: (csv) => request("POST", "/admin/players/import", csv),
    reset: (token) => request("POST", `/admin/players/${part(token)}/reset`, {}),
    remove: (token) => request("DELETE", `/admin/players/${part(token)}`),
    assign: (token, table) => request("POST", `/admin/players/${part(token)}/assign`, { table }),
    table: (table, act) => request("POST", `/admin/tables/${part(table)}/${act}`, {}),
    withdraw: (table, player) =>
      request("POST", `/admin/tables/${part(table)}/withdraw`, { player }),
  },
};

/** The URL of a download. */
export function download(match, file) {
  return downloadAddress(match, file);
}

/** The URL of one of a team's own files. */
export function ownFile(match, kind, download = false) {
  return answerAddress(`/team/file${query({ match, kind, download: download ? "1" : "" })}`);
}

/** The URL of a seat at a table. */
export function seatAddress(table) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}${root}api/v1/tables/${part(table)}/seat`;
}

/** The URL of a table's live feed, continuing after the last known line. */
export function liveAddress(table, after) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const tail = after === null ? "" : `?after=${after}`;
  return `${scheme}//${location.host}${root}api/v1/tables/${part(table)}/live${tail}`;
}
