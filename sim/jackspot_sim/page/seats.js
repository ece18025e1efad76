// The board as each player sees it: "out" from the middle towards the player, "along" to the
// player's right. In millimetres, y to the south.

import { say } from "/words.js";

const NAMES = { N: say("North"), E: say("East"), S: say("South"), W: say("West") };

/** A seat in words. */
export function seatName(seat) {
  return NAMES[seat];
}

const OUTWARDS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };

/** Whether a player's right is the right of the page (1) or its left (-1), as the board is seen. */
export function rightwards(seat) {
  return seat === "N" ? -1 : 1;
}

/** Turn a player's along and out into x and y. */
export function seenFrom(seat, along, out) {
  const [x, y] = OUTWARDS[seat];
  return [x * out + y * along, y * out - x * along];
}

/** Turn x and y into along and out as a player sees them. */
export function asSeen(seat, x, y) {
  const [to_x, to_y] = OUTWARDS[seat];
  return [to_y * x - to_x * y, to_x * x + to_y * y];
}

/** The direction of a shot: 0 is straight away from the player, growing to the player's right. */
export function towards(seat, turn) {
  return seenFrom(seat, Math.sin(turn), -Math.cos(turn));
}
