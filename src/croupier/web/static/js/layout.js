// The positions of seats: evenly spaced along a superellipse.
//
// All positions are fractions of the table's box (0 to 1), so that one stylesheet fits every size.

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
 * A wide table is symmetric about its vertical axis; an upright one has a seat at its foot and, if
 * the number is even, one at its head, so that the sides stay free. `footed` puts a seat at the foot
 * of a wide table, too.
 */
export function places(count, upright, footed = false) {
  const rim = upright ? { rx: 0.365, ry: 0.415 } : { rx: 0.41, ry: 0.37 };
  const aspect = upright ? 2 / 3 : 16 / 10;
  const half = !upright && !footed && count % 2 === 0;
  const spots = angles(count, rim.rx, rim.ry, aspect, half).map((angle) => {
    const [x, y] = around(angle, rim.rx, rim.ry);
    if (upright) return besidePlate(x, y);
    const side = Math.abs(x - 0.5) / rim.rx; // 1 for a seat at the far left or right
    const bet = [x + (0.5 - x) * (0.36 + 0.04 * side), y + (0.5 - y) * 0.5];
    return { seat: [x, y], bet, from: "middle", button: beforeSeat([x, y], bet) };
  });
  if (footed) spots[0] = atTheFoot(spots[0], upright);
  return spots;
}

/** The seat at the foot has large cards, with its bet above them and the button beside them. */
function atTheFoot({ seat: [x, y], bet, from }, upright) {
  return {
    seat: [x, y],
    bet: upright ? [x, y - 0.16] : bet,
    from,
    button: [x - (upright ? 0.2 : 0.125), y],
  };
}

/** The dealer button lies in front of the seat, slightly to the side of its bet. */
function beforeSeat([x, y], [bx, by]) {
  const dx = bx - x;
  const dy = by - y;
  const size = Math.hypot(dx, dy) || 1;
  return [x + dx * 0.82 - (dy / size) * 0.055, y + dy * 0.82 + (dx / size) * 0.0825];
}

/** On an upright table the board needs the centre, so bets stay close to the plates. */
function besidePlate(x, y) {
  const seat = [x, y];
  const above = y < 0.5;
  const aside = Math.abs(x - 0.5);
  if (aside < 0.1) {
    const inner = above ? y + 0.105 : y - 0.09;
    return {
      seat,
      bet: [0.5, inner],
      from: "middle",
      button: [0.395, above ? y + 0.09 : y - 0.06],
    };
  }
  const sign = x < 0.5 ? 1 : -1;
  const from = x < 0.5 ? "left" : "right";
  const corner = aside < 0.3; // close to the seat at the head or foot, which needs the room
  const bet = corner
    ? [x + sign * 0.03, above ? y + 0.09 : y - 0.092]
    : Math.abs(y - 0.5) < 0.06
      ? [x - sign * 0.06, y + 0.115] // below its plate: the middle of the table has text
      : [x + sign * 0.145, y - (above ? 0.062 : 0.042)];
  return { seat, bet, from, button: [x + sign * 0.175, y + 0.028] };
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
