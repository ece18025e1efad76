// What is going on, told to somebody who sees it for the first time.

const TOLD = {
  setup: "A referee's box, four pockets with light beams, a small display. A match begins.",
  falling: "A beam is broken: something fell. A beam never sees a colour.",
  review: "So the board proposes what it was, and the referee confirms with OK, or asks for the next reading with FIX.",
  placing: "These pieces go back to the middle, and OK says that it is done.",
};

const WON = {
  hikone: "Twelve pucks in, then the jack: the match is won.",
  japan: "Twelve pucks in, then the jack: 100 points and one for each puck.",
  kagw: "Nine in and the queen covered: a point for each piece that is left, five for the queen.",
  grundregeln: "Nine in and the queen confirmed: a point for each piece that is left, three for the queen.",
  icf: "Nine in and the queen covered: a point for each piece that is left, three for the queen.",
  points: "All are in: five for black, ten for brown, fifty for the queen.",
};
const NOW_YOU = "Now you: press New match, choose what falls, and click a pocket.";

/** The caption for this state of the show. */
export function told(state) {
  if (state.phase === "board_over" || state.phase === "match_over") {
    return `${WON[state.rules]} ${state.phase === "match_over" ? NOW_YOU : ""}`.trim();
  }
  if (state.centre_piece.place === "pending" && state.phase === "ready") {
    return "The queen is in, but must be covered: the next stroke has to pocket a piece, or she comes back.";
  }
  if (state.phase === "ready") {
    const side = state.sides.find((one) => one.shoots);
    const who = side ? side.name : "the next side";
    return `${who[0].toUpperCase()}${who.slice(1)} to shoot. What counts is on the display; the lamp shows whose turn it is.`;
  }
  return TOLD[state.phase] ?? state.prompts.headline;
}
