// Where things are: on a running site, or among the files that `croupier site build` has written.
//
// A published site has the same pages and scripts, may lie under any path, and has the answers of
// the API as files: web/published writes them by the same names that this module asks for.

const ROOT = new URL("../../", import.meta.url).pathname;

/** On a published site the folder of the pages in this language, such as "zh/"; else undefined. */
const pages = document.documentElement.dataset.files;

export const published = pages !== undefined;
export const root = ROOT;

const HANDS_IN_A_FILE = 50;

/** The name of a file or folder for a part of an address: the same as in published/names.py. */
function fileName(part) {
  return decodeURIComponent(part).replace(
    /[\x00-\x7f]/g,
    (char) =>
      /[A-Za-z0-9-]/.test(char) ? char : `_${char.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

function inFiles(address) {
  return address
    .split("/")
    .filter(Boolean)
    .map((part) => encodeURIComponent(fileName(part)));
}

/** The link to an address of the site, such as "/docs/deals" or "/games?player=Ada". */
export function to(address) {
  if (!published) return ROOT + address.slice(1);
  const [, place, rest] = /^([^?#]*)(.*)$/.exec(address);
  const parts = inFiles(place).map((part) => `${part}/`);
  return ROOT + pages + parts.join("") + rest;
}

/** This page in another language, on a published site. */
export function inLanguage(code) {
  const folder = code === "en" ? "" : `${code}/`;
  const page = location.pathname.slice((ROOT + pages).length);
  return ROOT + folder + page + location.search + location.hash;
}

const HAND = /^\/matches\/[^/]+\/hands\/(\d+)$/;

/** Where the answer to a request is, given below /api/v1. */
export function answerAddress(path) {
  if (!published) return `${ROOT}api/v1${path}`;
  const [place] = path.split("?");
  const hand = HAND.exec(place);
  const parts = inFiles(place);
  if (!hand) return `${ROOT}api/v1/${parts.join("/")}.json`;
  const number = Math.floor((Number(hand[1]) - 1) / HANDS_IN_A_FILE);
  return `${ROOT}api/v1/${[...parts.slice(0, -1), number].join("/")}.json.gz`;
}

/** The text of an answer; replays are compressed, unless the web server has undone that already. */
export async function answerText(response) {
  if (!published) return response.text();
  if (!response.ok) return "";
  const bytes = await response.arrayBuffer();
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  const body = new Blob([bytes]);
  const plain =
    first === 0x1f && second === 0x8b
      ? body.stream().pipeThrough(new DecompressionStream("gzip"))
      : body;
  return new Response(plain).text();
}

/** Where a download of a match is. */
export function downloadAddress(match, file) {
  const id = encodeURIComponent(match);
  return `${ROOT}api/v1/matches/${published ? inFiles(id)[0] : id}/${file}`;
}

const FILTERS = {
  rules: (item, value) => item.rules === value,
  player: (item, value) => item.players.includes(value),
  status: (item, value) => item.status === value,
};

/** What was asked for of a file, which has a whole list or several hands; undefined if it is not there. */
export function selected(path, answer) {
  if (!published) return answer;
  const [place, text] = path.split("?");
  const hand = HAND.exec(place);
  if (hand) return answer[hand[1]];
  if (!answer.items) return answer;
  const asked = new URLSearchParams(text ?? "");
  const items = answer.items.filter((item) =>
    Object.entries(FILTERS).every(([key, fits]) => !asked.get(key) || fits(item, asked.get(key))),
  );
  if (asked.get("order") === "pot") items.sort((one, other) => other.pot - one.pot);
  const total = items.length;
  const size = Number(asked.get("per_page")) || 50;
  const page = Number(asked.get("page")) || 1;
  return {
    items: items.slice((page - 1) * size, page * size),
    page,
    pages: Math.max(1, Math.ceil(total / size)),
    total,
  };
}
