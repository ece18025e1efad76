// What pieces, tallies and phases are called: the live state has them as plain keys.

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

/** What the board does just now. */
export function phaseName(phase) {
  return PHASES[phase] ?? phase;
}
