// What is seen across a hall: read from two live states, one after the other, and shown large.

import { make, renew } from "./dom.js";
import { sideName, tallyName } from "./names.js";
import { piece } from "./pieces.js";
import { width } from "./side.js";
import { say } from "./words.js";

const SHOWN_MS = 2800;
const RAIN = 12;
const OPEN = ["setup", "falling", "review", "paused"];
const ENDED = ["setup", "board_over", "match_over"];
let timer = 0;

/** Whether a stroke was just entered, or entered anew as another; not if one was only taken back. */
function isEntered(before, after) {
  if (before === null || after.last === null || after.free !== null || ENDED.includes(before.phase) || OPEN.includes(after.phase)) {
    return false;
  }
  return after.entries > before.entries || (after.entries === before.entries && !isSameStroke(before, after));
}

function isSameStroke(before, after) {
  return JSON.stringify(before.last) === JSON.stringify(after.last);
}

/** The moment between two states: `{ kind, index, pieces }`, or null where nothing is to be shown large. */
export function momentBetween(before, after) {
  if (!isEntered(before, after) || after.phase === "match_over") {
    return null;
  }
  if (after.phase === "board_over") {
    const index = after.sides.findIndex(({ side }) => side === after.winner);
    const { piece: centre, place } = after.centre_piece;
    return index < 0 ? null : { kind: "board", index, pieces: [centre === "jack" && place === "pocketed" ? centre : after.winner] };
  }
  if (after.last.foul) {
    if (isSameStroke(before, after)) {
      return null;  // something was said after it: that its pieces are put back, that time is up
    }
    const { seat, departures } = after.last;
    const back = departures.map((one) => one.piece).filter((kind) => ["striker", "jack", "queen"].includes(kind));
    return { kind: "foul", index: after.sides.findIndex(({ seats }) => seats.includes(seat)), pieces: back };
  }
  const [was, is] = [before.centre_piece, after.centre_piece];
  const holder = after.sides.findIndex(({ side }) => side === is.side);
  if (is.place === "covered" && was.place !== "covered") {
    return { kind: "cover", index: holder, pieces: [is.piece] };
  }
  if (is.place === "pending" && was.place === "board") {
    return { kind: "queen", index: holder, pieces: [is.piece] };
  }
  return lastPiece(before, after);
}

function lastPiece(before, after) {
  const isNew = (test) => after.sides.findIndex((side, at) => side.side === before.sides[at].side && test(side) && !test(before.sides[at]));
  const ready = isNew((side) => side.all_in);
  if (ready >= 0 && after.centre_piece.place === "board") {
    return { kind: "ready", index: ready, pieces: [after.centre_piece.piece] };
  }
  const last = isNew((side) => side.pieces.length === 1 && side.left === 1);
  return last < 0 ? null : { kind: "last", index: last, pieces: [after.sides[last].side] };
}

/** Show a moment over the score for a while. */
export function showMoment(place, moment, state) {
  if (moment === null) {
    return;
  }
  const side = state.sides[moment.index];
  const name = side ? sideName(side, state) : "";
  const [title, below] = words(moment.kind, name, state);
  clearTimeout(timer);
  place.className = `moment ${moment.kind} ${side ? `side-${side.side}` : ""}`;
  const big = make("b", title);
  big.style.setProperty("--em", width(title).toFixed(1));
  const drawn = make("span", "", "drawn");
  drawn.append(...moment.pieces.map((kind) => piece(kind)));
  place.replaceChildren(drawn, big, make("span", below, "below"));
  place.hidden = false;
  timer = setTimeout(() => hideMoment(place), SHOWN_MS);
}

/** Take a moment away, where what follows must be seen. */
export function hideMoment(place) {
  clearTimeout(timer);
  place.hidden = true;
}

function words(kind, name, state) {
  switch (kind) {
    case "foul":
      return [say("Foul"), name];
    case "cover":
      return [say("Queen covered"), name];
    case "queen":
      return [say("Queen"), say("{name} must cover", { name })];
    case "ready":
      return [say("All in"), say("{name} plays for the jack", { name })];
    case "last":
      return [say("One to go"), name];
    default:
      return [say("{name} wins the board", { name }), state.standing.map(({ tally, counts }) => `${tallyName(tally)} ${counts.join(" : ")}`).join(" · ")];
  }
}

/** Show who won the match over the whole screen, until the next one. */
export function showWin(place, state) {
  const isOver = state.phase === "match_over" && state.free === null;
  place.hidden = !isOver;
  document.body.classList.toggle("over", isOver);
  if (!isOver) {
    place.replaceChildren();
    return;
  }
  const side = state.sides.find((one) => one.side === state.winner);
  place.className = side ? `win side-${side.side}` : "win drawn";
  const said = make("h2", side ? say("{name} wins", { name: sideName(side, state) }) : say("Drawn"));
  said.style.setProperty("--em", width(said.textContent).toFixed(1));
  const names = state.sides.map((one) => make("span", sideName(one, state), "name"));
  const numbers = make("p", "", "result");
  numbers.append(names[0], make("b", String(state.sides[0].score)), make("i", ":"), make("b", String(state.sides[1].score)), names[1]);
  numbers.style.setProperty("--em", width(state.sides.map((one) => one.score).join("")).toFixed(1));
  const { piece: kind, place: lies } = state.centre_piece;
  const how = make("p", "", "how");
  how.append(...(side && kind === "jack" && lies === "pocketed" ? [piece(kind)] : []), make("span", state.prompts.detail));
  renew(place, [rain(side, state), said, numbers, how]);
}

/** The winner's pieces, which fall behind the words and lie along the foot of the screen. */
function rain(side, { centre_piece: centre }) {
  const made = make("div", "", "rain");
  const kinds = side ? [side.side, side.side, centre.piece] : [];
  for (let drop = 0; side && drop < RAIN; drop += 1) {
    const drawn = piece(kinds[drop % kinds.length]);
    drawn.style.setProperty("--across", String(drop / RAIN));
    // Spread without chance, so that every screen shows the same.
    drawn.style.setProperty("--drop", String((drop * 5) % RAIN));
    made.append(drawn);
  }
  made.setAttribute("aria-hidden", "true");
  return made;
}
