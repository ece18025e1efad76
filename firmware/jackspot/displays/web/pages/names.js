// What pieces and tallies are called: the live state has them as plain keys.

import { say } from "./words.js";

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

const TALLIES = { games: say("games"), boards: say("boards"), points: say("points") };

const RULES = {
  hikone: say("Hikone carom"),
  japan: say("Japanese championship"),
  kagw: say("KAGW carroms"),
  grundregeln: say("Carrom Grundregeln"),
  points: say("Points carrom"),
  icf: say("International carrom"),
};

/** A rule system, as people call it. */
export function rulesName(rules) {
  return RULES[rules] ?? rules;
}

/** A kind of piece in the reader's language. */
export function pieceName(piece) {
  return PIECES[piece] ?? piece;
}

/** What is counted beyond the running board. */
export function tallyName(tally) {
  return TALLIES[tally] ?? tally;
}
