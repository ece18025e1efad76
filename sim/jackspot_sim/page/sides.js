// The two sides: what is confirmed to be in, solid, and what is proposed to be in, dashed.

import { discLetter, tallyName } from "/names.js";
import { say } from "/words.js";
import { make } from "./make.js";

const OPEN = ["falling", "review", "placing"];

/** One side's row; `really` is how many of its pieces are truly out of play, where it owns any. */
export function sideRow(side, state, really) {
  const row = make("li", "", `side side-${side.side}`);
  row.classList.toggle("shoots", side.shoots);
  row.classList.toggle("won", state.winner === side.side);
  const name = side.names.filter(Boolean).join(" & ") || side.seats.join(" + ");
  const who = make("span", "", "who");
  who.append(make("b", discLetter(side.side), "letter"), make("span", name, "player"));
  if (side.shoots) {
    who.append(make("span", say("to shoot"), "visually-hidden"));
  }
  const count = make("span", String(side.score), "count");
  count.setAttribute("role", "img");
  count.ariaLabel = say("{n} in, {left} left", { n: side.pocketed, left: side.left });
  row.append(who, pips(side, state), count, ...notes(side, state, really));
  return row;
}

function notes(side, state, really) {
  const line = make("p", "", "side-notes");
  if (side.owed > 0) {
    line.append(make("span", say("owes {n}", { n: side.owed }), "owed"));
  }
  const { centre_piece: centre, standing } = state;
  if (centre.side === side.side) {
    const pending = centre.place === "pending";
    line.append(make("span", pending ? say("must cover the queen") : say("has the queen"), pending ? "queen pending" : "queen"));
  }
  if (side.pieces.length > 1) {
    line.append(make("span", say("{n} in", { n: side.pocketed }), "counts"));
  }
  const index = state.sides.indexOf(side);
  for (const { tally, counts } of standing.filter((one) => one.counts.some(Boolean))) {
    line.append(make("span", `${tallyName(tally)} ${counts[index]}`, "counts"));
  }
  if (really !== undefined && really !== side.pocketed) {
    const open = OPEN.includes(state.phase) || state.waiting > 0;
    const words = open ? say("actually pocketed: {n}", { n: really }) : say("board is off by {n}", { n: Math.abs(really - side.pocketed) });
    line.append(make("span", words, open ? "really" : "really wrong"));
  }
  return line.childNodes.length > 0 ? [line] : [];
}

/** A place for each piece: filled for what is in, hatched for what is proposed to be in. */
function pips(side, state) {
  const shared = side.pieces.length > 1;
  const departures = state.proposal?.departures ?? [];
  const counts = (one) => side.pieces.includes(one.piece) && !one.flew_off && (!shared || side.shoots);
  const proposed = departures.filter(counts).length;
  const total = shared ? side.pocketed + proposed : side.pocketed + side.left;
  const row = make("span", "", "pips");
  row.setAttribute("aria-hidden", "true");
  for (let place = 0; place < total; place += 1) {
    const maybe = place >= side.pocketed && place < side.pocketed + proposed;
    row.append(make("i", "", place < side.pocketed ? "in" : maybe ? "maybe" : ""));
  }
  return row;
}
