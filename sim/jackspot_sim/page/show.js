// What is going on, told to somebody who sees it for the first time.

const TOLD = {
  setup: "A referee's box, four pockets with light beams, a small display. A match begins.",
  falling: "A beam is broken: something fell. A beam never sees a colour.",
  review: "So the board proposes what it was, and the referee confirms with OK, or asks for the next reading with FIX.",
  placing: "A penalty: these pieces go back to the middle, and OK says that it is done.",
  board_over: "Twelve pucks in, then the jack: the board is won.",
  match_over: "Twelve pucks in, then the jack: the match is won. Now you: press New match, choose what falls, and click a pocket.",
};

/** The caption for this state of the show. */
export function told(state) {
  if (state.phase === "ready") {
    const side = state.sides.find((one) => one.shoots);
    const who = side ? side.name : "the next side";
    return `${who[0].toUpperCase()}${who.slice(1)} to shoot. What counts is on the display; the lamp shows whose turn it is.`;
  }
  return TOLD[state.phase] ?? state.prompts.headline;
}
