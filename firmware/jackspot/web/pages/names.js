// What pieces, sides, tallies and phases are called: the live state has them as plain keys.

import { letters, say, systems } from "./words.js";

const PIECES = {
  red: say("red"),
  green: say("green"),
  white: say("white"),
  black: say("black"),
  brown: say("brown"),
  jack: say("jack"),
  queen: say("queen"),
  striker: say("striker"),
};

const SIDES = {
  red: say("Red"),
  green: say("Green"),
  white: say("White"),
  black: say("Black"),
  one: say("Side one"),
  two: say("Side two"),
};

const TALLIES = { games: say("games"), boards: say("boards"), points: say("points") };

const PHASES = {
  setup: say("set-up"),
  ready: say("ready"),
  falling: say("falling"),
  review: say("review"),
  placing: say("put back"),
  paused: say("paused"),
  board_over: say("board over"),
  match_over: say("match over"),
};

/** A rule system, as people call it. */
export function rulesName(rules) {
  return systems[rules]?.name ?? rules;
}

/** A kind of piece in the reader's language. */
export function pieceName(piece) {
  return PIECES[piece] ?? piece;
}

/** The letter on a disc of a piece or a side. */
export function discLetter(kind) {
  return letters[kind] ?? "";
}

/** A side by its colour, or by its number where it has none. */
export function colour(side) {
  return SIDES[side] ?? side;
}

/** What to call a side: its players, else its colour; always its colour in free play. */
export function sideName(side, { free }) {
  const players = free === null ? side.names.filter(Boolean) : [];
  return players.join(" & ") || colour(side.side);
}

/** What is counted beyond the running board. */
export function tallyName(tally) {
  return TALLIES[tally] ?? tally;
}

/** What the board does just now. */
export function phaseName(phase) {
  return PHASES[phase] ?? phase;
}
