// Bets and buttons of an upright table, which has no room to spare: each takes the first place near
// its plate that covers nothing.
//
// Measured in em of the felt, from the sizes of table.css and play.css.

const WIDTH = 1 / 0.0325;
const CARDS = { width: 4.4, height: 2.6 };
const LARGE_CARDS = { width: 8.4, height: 5.3 };
const PLATE = { width: 8, height: 3.9 };
const LABEL = { width: 6, height: 1.1 };
const CENTRE = { width: 14.6, height: 7.8 };
const BET = { width: 5, height: 1.4 };
const BUTTON = 1.5;
const RIM = { x: 0.09, y: 0.08, rx: 0.46, ry: 0.26, border: 0.55 };

/** A box by its middle and size. */
function box(x, y, { width, height }) {
  return { x, y, left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

/** How much of a box is covered by another one. */
function covered(one, other) {
  const x = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const y = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return x > 0 && y > 0 ? x * y : 0;
}

/** The cards, plate and label of a seat; `sign` says on which side of it the table's middle is. */
function parts(x, y, large) {
  const cards = large ? LARGE_CARDS : CARDS;
  const top = y - (cards.height + PLATE.height) / 2;
  const bottom = top + cards.height + PLATE.height;
  return {
    sign: x < WIDTH / 2 - 1 ? 1 : -1,
    cards: box(x, top + cards.height / 2, cards),
    plate: box(x, bottom - PLATE.height / 2, PLATE),
    label: box(x, bottom + LABEL.height / 2, LABEL),
  };
}

/** Places for a bet, the best one first: beside the cards, below, beside the plate, above. */
function betPlaces({ sign, cards, plate, label }) {
  const beside = (one, way) => one.x + way * ((one.right - one.left) / 2 + 0.3 + BET.width / 2);
  const inner = cards.y - (cards.bottom - cards.top) / 2 + BET.height;
  return [
    [beside(cards, sign), inner],
    [beside(cards, sign), cards.bottom - BET.height / 2],
    [plate.x, label.bottom + BET.height / 2],
    [plate.x + sign * 2, label.bottom + BET.height / 2],
    [beside(plate, sign), plate.y],
    [plate.x, cards.top - BET.height / 2],
    [beside(label, sign), label.y],
    [beside(cards, -sign), inner],
  ].map(([x, y]) => box(x, y, BET));
}

/** Places for the dealer button: beside the cards, on the side where no bet lies. */
function buttonPlaces({ sign, cards, plate }) {
  const size = { width: BUTTON, height: BUTTON };
  const aside = (cards.right - cards.left) / 2 + BUTTON / 2 + 0.1;
  return [
    [cards.x - sign * aside, cards.y],
    [cards.x + sign * aside, cards.y],
    [plate.x + sign * (PLATE.width / 2 + BUTTON / 2 + 0.1), plate.y],
  ].map(([x, y]) => box(x, y, size));
}

/** Whether a box lies within the rim of the felt, the only ground on which a bet can be read. */
function isOnFelt(one, height) {
  const inset = { x: RIM.x * WIDTH + RIM.border, y: RIM.y * height + RIM.border };
  const corner = { x: RIM.rx * (WIDTH - 2 * inset.x), y: RIM.ry * (height - 2 * inset.y) };
  /** How far into a corner something is, of the corner's radius. */
  const into = (at, size, key) =>
    Math.max(inset[key] + corner[key] - at, at - (size - inset[key] - corner[key]), 0) / corner[key];
  const x = Math.max(into(one.left, WIDTH, "x"), into(one.right, WIDTH, "x"));
  const y = Math.max(into(one.top, height, "y"), into(one.bottom, height, "y"));
  return Math.hypot(x, y) <= 1;
}

/** The first place that covers nothing and lies on the table, or the one that covers least. */
function free(found, taken, height, ground = () => true) {
  const inside = { left: 0, right: WIDTH, top: 0, bottom: height };
  const cost = (one) => {
    const area = (one.right - one.left) * (one.bottom - one.top);
    const outside = ground(one) ? area - covered(one, inside) : 2 * area;
    return outside + taken.reduce((sum, other) => sum + covered(one, other), 0);
  };
  return found.reduce((best, one) => (cost(one) < cost(best) - 0.01 ? one : best));
}

/** The positions of seats on a table whose height is `ratio` times its width. */
export function uprightPlaces(seats, footed, ratio) {
  const height = WIDTH * ratio;
  const all = seats.map(([x, y], at) => parts(x * WIDTH, y * height, footed && at === 0));
  const taken = [
    box(WIDTH / 2, height / 2, CENTRE),
    ...all.flatMap(({ cards, plate, label }) => [cards, plate, label]),
  ];
  const bets = all.map((seat) => {
    const bet = free(betPlaces(seat), taken, height, (one) => isOnFelt(one, height));
    taken.push(bet);
    return bet;
  });
  return seats.map((seat, at) => {
    const bet = bets[at];
    const button = free(buttonPlaces(all[at]), taken, height);
    const aside = bet.x - all[at].plate.x;
    const from = Math.abs(aside) < 1 ? "middle" : aside > 0 ? "left" : "right";
    const x = { left: bet.left, right: bet.right, middle: bet.x }[from];
    return {
      seat,
      bet: [x / WIDTH, bet.y / height],
      from,
      button: [button.x / WIDTH, button.y / height],
    };
  });
}
