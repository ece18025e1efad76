// The line below the score: what was played last and who shoots now, what goes back, what is open.
//
// What does not count yet is small and dashed.

import { make, renew } from "./dom.js";
import { pieceName, sideName } from "./names.js";
import { piece } from "./pieces.js";
import { inTurn } from "./side.js";
import { list, say } from "./words.js";

/** What there is to say: parts of one line, pieces and words. */
export function story(state) {
  const { phase, sides, free, prompts, last } = state;
  if (free !== null || phase === "placing") {
    return free !== null ? [make("span", prompts.headline)] : [];
  }
  if (phase === "setup") {
    return [make("span", say("The match is about to begin"))];
  }
  if (phase === "paused") {
    return [make("span", say("Pause"))];
  }
  if (phase === "board_over" || phase === "match_over") {
    const winner = sides.find((one) => one.side === state.winner);
    const name = winner ? sideName(winner, state) : "";
    const won = phase === "match_over" ? say("{name} wins", { name }) : say("{name} wins the board", { name });
    return [make("span", winner ? won : say("Drawn"))];
  }
  const at = sides.findIndex((side) => inTurn(side, state));
  if (at < 0) {
    return [];
  }
  const name = shooterName(sides[at], state);
  const pocketed = (last?.departures ?? []).filter((one) => one.piece !== "striker");
  const isAgain = sides[at].seats.includes(last?.seat) && pocketed.length > 0;
  const drawn = make("span", "", "pocketed");
  drawn.append(...pocketed.map((one) => piece(one.piece)), make("span", list(pocketed.map((one) => pieceName(one.piece))), "visually-hidden"));
  const next = isAgain ? say("{name} shoots again", { name }) : say("{name} to shoot", { name });
  const past = last?.foul ? say("Foul") : last?.departures.length === 0 ? say("missed") : "";
  return [...(pocketed.length > 0 ? [drawn] : []), ...(past ? [make("span", past, "past")] : []), make("span", next)];
}

/** Who of a side is to shoot: the player in turn of a pair, else the side. */
function shooterName(side, state) {
  return side.names[side.seats.indexOf(state.turn)] || sideName(side, state);
}

/** Show what is only proposed: a small chip with its pieces. */
export function showProposal(place, { proposal, free }) {
  place.hidden = proposal === null || free !== null;
  if (place.hidden) {
    return;
  }
  const drawn = make("span", "", "departing");
  drawn.append(...proposal.departures.map((one) => piece(one.piece, "maybe")));
  const names = make("span", list(proposal.departures.map((one) => pieceName(one.piece))), "visually-hidden");
  renew(place, [drawn, names, make("span", say("being confirmed"))]);
}

/** Show what goes back on the board, pile by pile, drawn from the bottom to the top. */
export function showPlacing(place, state) {
  const { place: pieces, placing, phase } = state;
  place.hidden = phase !== "placing" || pieces.length === 0;
  const piles = placing.length > 0 ? placing : [{ pieces, by: "", where: "" }];
  renew(place, place.hidden ? [] : piles.map((one) => pile(one, state)));
}

function pile({ pieces, by, where }, state) {
  const made = make("p", "", "pile");
  const drawn = make("span", "", "stack");
  drawn.append(...pieces.map((one) => piece(one)), make("span", list(pieces.map(pieceName)), "visually-hidden"));
  // The state names who places as displays do: by colour, in capitals, where "ß" is "SS".
  const placer = state.sides.find((side) => side.name.toUpperCase() === by.toUpperCase());
  const words = placer ? say("{name} puts back", { name: sideName(placer, state) }) : say("to be put back");
  made.append(make("span", words, "by"), drawn, make("span", where, "where"));
  return made;
}
