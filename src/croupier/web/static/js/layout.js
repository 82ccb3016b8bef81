// The positions of seats: evenly spaced along a superellipse.
//
// All positions are fractions of the table's box (0 to 1), so that one stylesheet fits every size.

import { uprightPlaces } from "./upright_layout.js";

const SQUARENESS = 2.7; // 2 is an ellipse; more fills the corners, which have room for wide plates
const STEPS = 720;

function around(angle, rx, ry) {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const power = 2 / SQUARENESS;
  return [
    0.5 + rx * Math.sign(c) * Math.abs(c) ** power,
    0.5 + ry * Math.sign(s) * Math.abs(s) ** power,
  ];
}

/** The angles of `count` seats, clockwise from the bottom, evenly spaced along the rim. */
function angles(count, rx, ry, aspect, half) {
  const length = [0];
  let [x, y] = around(Math.PI / 2, rx, ry);
  for (let i = 1; i <= STEPS; i += 1) {
    const [nx, ny] = around(Math.PI / 2 + (2 * Math.PI * i) / STEPS, rx, ry);
    length.push(length[i - 1] + Math.hypot((nx - x) * aspect, ny - y));
    [x, y] = [nx, ny];
  }
  const found = [];
  let at = 0;
  for (let seat = 0; seat < count; seat += 1) {
    const target = (length[STEPS] * (seat + (half ? 0.5 : 0))) / count;
    while (length[at] < target) at += 1;
    found.push(Math.PI / 2 + (2 * Math.PI * at) / STEPS);
  }
  return found;
}

/**
 * The positions of `count` seats: for each the centre of its plate, bet and dealer button.
 *
 * A wide table is symmetric about its vertical axis; an upright one, whose height is `ratio` times
 * its width, has a seat at its foot and, if the number is even, one at its head, so that the sides
 * stay free. `footed` puts a seat at the foot of a wide table, too.
 */
export function places(count, upright, footed = false, ratio = 3 / 2) {
  const rim = upright ? { rx: 0.365, ry: 0.415 } : { rx: 0.41, ry: 0.37 };
  const aspect = upright ? 1 / ratio : 16 / 10;
  const half = !upright && !footed && count % 2 === 0;
  const seats = angles(count, rim.rx, rim.ry, aspect, half).map((angle) =>
    around(angle, rim.rx, rim.ry),
  );
  if (upright) return uprightPlaces(seats, footed, ratio);
  const spots = seats.map(([x, y]) => {
    const side = Math.abs(x - 0.5) / rim.rx; // 1 for a seat at the far left or right
    const bet = [x + (0.5 - x) * (0.36 + 0.01 * side), y + (0.5 - y) * 0.5];
    return { seat: [x, y], bet, from: "middle", button: beforeSeat([x, y], bet) };
  });
  // The seat at the foot has large cards, with the button beside them.
  if (footed) spots[0].button = [spots[0].seat[0] - 0.125, spots[0].seat[1]];
  return spots;
}

/** The dealer button lies in front of the seat, slightly to the side of its bet. */
function beforeSeat([x, y], [bx, by]) {
  const dx = bx - x;
  const dy = by - y;
  const size = Math.hypot(dx, dy) || 1;
  return [x + dx * 0.8 - (dy / size) * 0.062, y + dy * 0.8 + (dx / size) * 0.095];
}

/**
 * The stable order of the players around the table.
 *
 * The seats of a scene rotate with the button, while players stay where they are. The known circle
 * is kept while the active players' order is unchanged; eliminated players keep their place.
 */
export function circleOf(seats, known) {
  const playing = seats.filter((seat) => !seat.out).map((seat) => seat.player);
  const all = seats.map((seat) => seat.player);
  if (known.length === all.length && all.every((player) => known.includes(player))) {
    const order = known.filter((player) => playing.includes(player));
    if (sameCircle(order, playing)) return known;
  }
  const first = playing.indexOf(Math.min(...playing));
  const out = all.filter((player) => !playing.includes(player));
  return [...playing.slice(first), ...playing.slice(0, Math.max(first, 0)), ...out];
}

function sameCircle(one, other) {
  const shift = other.indexOf(one[0]);
  return one.every((player, index) => player === other[(index + shift) % other.length]);
}
