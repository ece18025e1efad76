// What is going on, told to somebody who sees it for the first time.

import { say } from "/words.js";

const TOLD = {
  setup: say("A referee's box, four pockets with light beams, a small display. A match begins."),
  falling: say("A beam is broken: something fell. A beam never sees a colour."),
  review: say("So the board proposes what it was, and the referee confirms with OK, or asks for the next reading with FIX."),
  placing: say("These pieces go back to the middle, and OK says that it is done."),
};

const WON = {
  hikone: say("Twelve pucks in, then the jack: the match is won."),
  japan: say("Twelve pucks in, then the jack: 100 points and one for each puck."),
  kagw: say("Nine in and the queen covered: a point for each piece that is left, five for the queen."),
  grundregeln: say("Nine in and the queen confirmed: a point for each piece that is left, three for the queen."),
  icf: say("Nine in and the queen covered: a point for each piece that is left, three for the queen."),
  points: say("All are in: five for black, ten for brown, fifty for the queen."),
};
const NOW_YOU = say("Now you: press New match and pull the striker.");

/** The caption for this state of the show. */
export function told(state) {
  if (state.phase === "board_over" || state.phase === "match_over") {
    return `${WON[state.rules]} ${state.phase === "match_over" ? NOW_YOU : ""}`.trim();
  }
  if (state.centre_piece.place === "pending" && state.phase === "ready") {
    return say("The queen is in, but must be covered: the next stroke has to pocket a piece, or she comes back.");
  }
  if (state.phase === "ready") {
    const side = state.sides.find((one) => one.shoots);
    return side
      ? say("{side} to shoot. What counts is on the display; the lamp shows whose turn it is.", { side: begun(side.name) })
      : say("The next side shoots. What counts is on the display; the lamp shows whose turn it is.");
  }
  return TOLD[state.phase] ?? state.prompts.headline;
}

/** A name as it stands where a sentence begins. */
function begun(name) {
  return name[0].toUpperCase() + name.slice(1);
}
