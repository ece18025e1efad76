// One side of the score: who, whose turn, how many are in, what is owed and held.

import { make, put, renew } from "./dom.js";
import { pieceName } from "./names.js";
import { piece } from "./pieces.js";
import { say, sayCount } from "./words.js";

const FEW = 6;

/** Show a side in its section; `index` is its place, which it keeps for the whole match. */
export function showSide(section, state, index) {
  const side = state.sides[index];
  if (section.children.length === 0) {
    section.append(make("h2", "", "who"), make("p", "", "turn"), make("p", "", "count"), make("p", "", "pucks"), make("p", "", "notes"));
  }
  const [who, turn, count, pucks, notes] = section.children;
  const won = state.winner === side.side;
  const shoots = side.shoots && state.free === null;
  section.className = `side side-${side.side}`;
  section.classList.toggle("shoots", shoots);
  section.classList.toggle("won", won);
  renew(who, [piece(side.side, "emblem", side.letter), players(side, state)]);
  put(turn, shoots ? say("to shoot") : won ? say("winner") : "");
  showCount(count, state.free === null ? side.score : freeCount(side, state));
  showPucks(pucks, side, state);
  renew(notes, sideNotes(side, state));
}

/** How many of a side's pieces are in, in free play. */
export function freeCount(side, { free }) {
  return free.counts.find((one) => side.pieces.includes(one.piece))?.count ?? 0;
}

/** What to call a side: its players, else its seats; in free play its colour. */
export function sideName(side, state) {
  if (state.free !== null) {
    return side.name;
  }
  return side.names.filter(Boolean).join(" & ") || side.seats.join(" + ");
}

/** The players by their seats; who is to shoot is marked, of a pair too. */
function players(side, state) {
  const made = make("span", "", "players");
  if (state.free !== null) {
    made.append(make("span", side.name, "name"));
    return made;
  }
  side.seats.forEach((seat, place) => {
    const player = make("span", "", "player");
    player.classList.toggle("on-turn", state.turn === seat && side.shoots);
    player.append(make("b", seat, "seat"));
    const name = side.names[place];
    if (name) {
      player.append(make("span", name, "name"));
    }
    made.append(player);
  });
  return made;
}

function showCount(count, value) {
  const text = String(value);
  if (count.textContent === text) {
    return;
  }
  const first = count.textContent === "";
  put(count, text);
  count.dataset.digits = String(text.length);
  if (!first) {
    count.classList.remove("changed");
    void count.offsetWidth; // so that the animation begins anew
    count.classList.add("changed");
  }
}

/** A place for each of its pieces: full for what is in, dashed for what is proposed. */
function showPucks(row, side, state) {
  const isFree = state.free !== null;
  const shared = side.pieces.length > 1 || isFree;
  const pocketed = isFree ? freeCount(side, state) : side.pocketed;
  const proposed = isFree ? 0 : proposedFor(side, state).length;
  const places = shared ? pocketed + proposed : pocketed + side.left;
  row.setAttribute("role", "img");
  row.setAttribute("aria-label", shared ? say("{n} in", { n: pocketed }) : say("{n} in, {left} left", { n: pocketed, left: side.left }));
  row.style.setProperty("--places", String(Math.max(places, 1)));
  row.style.setProperty("--half", String(places > FEW ? Math.ceil(places / 2) : Math.max(places, 1)));
  renew(
    row,
    Array.from({ length: places }, (_, place) => {
      const maybe = place >= pocketed && place < pocketed + proposed;
      return piece(side.side, place < pocketed ? "in" : maybe ? "maybe" : "left", side.letter);
    }),
  );
}

/** What of a proposal would count for this side. */
function proposedFor(side, { proposal }) {
  const shared = side.pieces.length > 1;
  return (proposal?.departures ?? []).filter(
    (one) => side.pieces.includes(one.piece) && !one.flew_off && (!shared || side.shoots),
  );
}

function sideNotes(side, state) {
  const { centre_piece: centre } = state;
  const notes = [];
  if (side.owed > 0) {
    notes.push(make("span", say("owes {n}", { n: side.owed }), "owed"));
  }
  if (side.all_in && centre.place === "board") {
    notes.push(make("span", say("plays the {piece}", { piece: pieceName(centre.piece) }), "plays"));
  }
  if (centre.side === side.side && state.free === null) {
    const pending = centre.place === "pending";
    const note = make("span", "", pending ? "queen pending" : "queen");
    note.append(piece(centre.piece, pending ? "pending" : "held"), make("span", pending ? say("must cover the queen") : say("has the queen")));
    notes.push(note);
  }
  if (side.pieces.length > 1 && state.free === null) {
    notes.push(make("span", sayCount("{n} piece", "{n} pieces", side.pocketed), "pieces"));
  }
  return notes;
}
