// What is asked at the board, for those who look on: proposals, what waits, questions, what to place.
//
// What does not count yet is dashed; what counts is drawn by the other modules, in solid lines.

import { make, renew } from "./dom.js";
import { pieceName } from "./names.js";
import { piece } from "./pieces.js";
import { list, say } from "./words.js";

const KINDS = { waits: say("then"), parked: say("for later"), hand: say("a hand"), kept: say("kept") };

/** Show what is proposed, else what is asked, else nothing. */
export function showAsked(place, { proposal, menu, prompts, free }) {
  const guess = free !== null && !free.sure ? free.last : "";
  place.hidden = proposal === null && menu === null && guess === "";
  place.classList.toggle("question", menu !== null);
  if (menu !== null) {
    renew(place, [make("small", menu.question ? say("question at the board") : say("menu")), make("b", menu.title)]);
  } else if (proposal !== null) {
    const parts = [
      make("small", say("proposed, not counted yet")),
      departing(proposal),
      make("b", proposal.what + (proposal.doubtful ? " ?" : "")),
      make("span", proposal.follows, "follows"),
      make("span", reasons(proposal), "why"),
    ];
    if (prompts.detail && prompts.detail !== proposal.follows) {
      parts.push(make("span", prompts.detail, "remark"));
    }
    renew(place, parts);
  } else {
    renew(place, [make("small", say("last seen, not confirmed yet")), make("b", guess)]);
  }
}

/** The pieces that are thought to have fallen, dashed. */
function departing({ departures }) {
  const made = make("span", "", "departing");
  made.append(...departures.map((one) => piece(one.piece, "maybe")));
  return made;
}

function reasons({ why, missed }) {
  const unpressed = missed.length > 0 ? say("{seats} missed, nobody pressed", { seats: list(missed) }) : "";
  return [unpressed, why].filter(Boolean).join(" · ");
}

/** Show what waits behind it, in the order in which it will be asked. */
export function showQueue(place, { queue, waiting }) {
  const more = waiting - queue.length;
  place.hidden = queue.length === 0 && more <= 0;
  const items = queue.map(({ kind, what }) => {
    const item = make("li", "", kind);
    item.append(make("small", KINDS[kind]), ` ${what}`);
    return item;
  });
  if (more > 0) {
    items.push(make("li", say("+{n} waiting", { n: more })));
  }
  renew(place, items);
}

/** Show what goes back on the board, pile by pile, drawn from the bottom to the top and in words. */
export function showPlacing(place, { place: pieces, placing }) {
  place.hidden = pieces.length === 0;
  const piles = placing.length > 0 ? placing : [{ pieces, by: "", where: "" }];
  renew(place, pieces.length === 0 ? [] : piles.map(pile));
}

function pile({ pieces, by, where }) {
  const made = make("div", "", "pile");
  const drawn = make("p", "", "stack");
  drawn.append(...pieces.map((one) => piece(one)));
  const names = list(pieces.map(pieceName));
  const words = pieces.length > 1 ? say("bottom to top: {pieces}", { pieces: names }) : names;
  made.append(drawn, make("p", [by, where].filter(Boolean).join(": "), "where"), make("p", words, "pile-words"));
  return made;
}

/** Say what else is to know: pockets entered by hand, strikers to fetch, the jack in free play. */
export function alsoToKnow({ by_hand, fetch, free, centre_piece }) {
  const words = [];
  if (fetch.length > 0) {
    words.push(say("striker in {pocket}", { pocket: list(fetch.map((pocket) => pocket ?? "?")) }));
  }
  if (by_hand.length > 0) {
    words.push(say("{pocket} manual", { pocket: list(by_hand) }));
  }
  if (free?.counts.some(({ piece: kind, count }) => kind === centre_piece.piece && count > 0)) {
    words.push(say("the {piece} is in", { piece: pieceName(centre_piece.piece) }));
  }
  return words.join(" · ");
}
