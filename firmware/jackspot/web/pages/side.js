// One side of the score: who, whose turn, its number, its pieces in their slots, what it owes.

import { make, put, renew } from "./dom.js";
import { colour, pieceName, sideName } from "./names.js";
import { piece } from "./pieces.js";
import { say } from "./words.js";

/** So many pieces at most fly to their slots together: more of them were set, not pocketed. */
const MOST_IN_FLIGHT = 4;
const OVER = ["board_over", "match_over"];

/** Show a side in its section; `index` is its place, which it keeps for the whole match. */
export function showSide(section, state, index) {
  const side = state.sides[index];
  if (section.children.length === 0) {
    section.append(make("h2", "", "who"), make("p", "", "turn"), make("p", "", "notes"), make("p", "", "count"), make("p", "", "pucks"));
  }
  const [who, turn, notes, count, pucks] = section.children;
  section.className = `side side-${side.side}`;
  section.classList.toggle("shoots", inTurn(side, state));
  section.classList.toggle("won", state.winner === side.side);
  showPlayers(who, side, state);
  put(turn, turnWords(side, state));
  renew(notes, sideNotes(side, state));
  showCount(count, largeNumber(state, index));
  showPucks(pucks, side, state);
}

/** Whether a side is to shoot: never before the match has begun. */
export function inTurn(side, { free, phase }) {
  return side.shoots && free === null && phase !== "setup";
}

function turnWords(side, state) {
  if (!inTurn(side, state)) {
    return state.winner === side.side ? say("winner") : "";
  }
  const isNamed = side.names.some(Boolean) || side.seats.length === 1;
  return isNamed ? say("to shoot") : `${say("to shoot")}: ${state.turn}`;
}

/**
 * The number to show large.
 *
 * Where a match is counted in points over its boards, the points, and pieces are only seen in
 * their slots; else what the state says. So it is where both sides pocket the same counters: their
 * slots do not tell what they are worth.
 */
export function largeNumber(state, index) {
  const side = state.sides[index];
  if (state.free !== null) {
    return freeCount(side, state);
  }
  const points = isShared(side) ? undefined : state.standing.find(({ tally }) => tally === "points");
  return points && !(state.phase === "match_over" && state.game) ? points.counts[index] : side.score;
}

/** How the match stands beyond the large numbers. */
export function furtherTallies({ standing, sides, phase }) {
  const apart = isShared(sides[0]) && phase !== "match_over";
  return standing.filter(({ tally }) => apart || tally !== "points");
}

/** Whether both sides pocket the same kinds of pieces. */
function isShared({ pieces }) {
  return pieces.length > 1;
}

/** How many of a side's pieces are in, in free play. */
function freeCount(side, { free }) {
  return free.counts.find((one) => side.pieces.includes(one.piece))?.count ?? 0;
}

/** The players, each in a line; who is to shoot of a pair is marked. Without names the colour. */
function showPlayers(who, side, state) {
  const names = state.free === null ? side.names : [];
  const lines = side.seats
    .map((seat, place) => ({ name: names[place], shoots: state.turn === seat && inTurn(side, state) }))
    .filter(({ name }) => name);
  const drawn = lines.map(({ name, shoots }) => nameLine(name, shoots && lines.length > 1));
  const shown = drawn.length > 0 ? drawn : [nameLine(state.free === null ? colour(side.side) : side.name)];
  const emblem = piece(side.side);
  emblem.classList.add("emblem");
  emblem.style.setProperty("--lines", String(shown.length));
  renew(who, [emblem, ...shown]);
  who.dataset.lines = String(shown.length);
}

/** A name that CSS can make as large as its room allows. */
export function nameLine(name, marked = false) {
  const made = make("span", name, marked ? "name on-turn" : "name");
  made.style.setProperty("--em", width(name).toFixed(1));
  return made;
}

/** How wide a name is about, in ems of the score's bold type. */
export function width(text) {
  return [...text].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 1 : /[A-ZÄÖÜmwMW@]/.test(letter) ? 0.78 : 0.6), 0);
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
    again(count, "changed");
  }
}

/** Begin an animation that a class names anew. */
function again(node, name) {
  node.classList.remove(name);
  void node.getBoundingClientRect();
  node.classList.add(name);
}

/** A slot for each of its pieces: full for what is in, dashed for what is proposed. */
function showPucks(row, side, state) {
  const isFree = state.free !== null;
  const shared = isShared(side) || isFree;
  const pocketed = isFree ? freeCount(side, state) : side.pocketed;
  const proposed = isFree || OVER.includes(state.phase) ? 0 : proposedFor(side, state);
  const places = shared ? pocketed + proposed : pocketed + side.left;
  const before = Number(row.dataset.in ?? pocketed);
  row.dataset.in = String(pocketed);
  row.setAttribute("role", "img");
  row.setAttribute("aria-label", shared ? say("{n} in", { n: pocketed }) : say("{n} in, {left} left", { n: pocketed, left: side.left }));
  row.style.setProperty("--places", String(Math.max(places, 1)));
  const flying = pocketed - before <= MOST_IN_FLIGHT ? before : pocketed;
  for (let place = 0; place < places; place += 1) {
    const how = place < pocketed ? "in" : place < pocketed + proposed ? "maybe" : "left";
    const there = row.children[place];
    if (there?.dataset.slot !== `${side.side} ${how}`) {
      const drawn = piece(side.side, how);
      drawn.dataset.slot = `${side.side} ${how}`;
      there ? there.replaceWith(drawn) : row.append(drawn);
    }
  }
  while (row.children.length > places) {
    row.lastElementChild.remove();
  }
  fly([...row.children].slice(flying, pocketed));
}

/**
 * Let pieces fly from the middle of the score into their slots: over everything, so that no side
 * cuts them off; the slot is filled when they land.
 */
function fly(pieces) {
  const over = document.getElementById("flight");
  const ways = pieces.map((drawn) => drawn.getBoundingClientRect());
  pieces.forEach((drawn, order) => {
    const { left, top, width: size } = ways[order];
    const flying = drawn.cloneNode(true);
    const place = { left, top, "--size": size, "--from-x": innerWidth / 2 - left - size / 2, "--from-y": innerHeight / 2 - top - size / 2 };
    for (const [name, value] of Object.entries(place)) {
      flying.style.setProperty(name, `${value.toFixed(0)}px`);
    }
    for (const one of [drawn, flying]) {
      one.style.setProperty("--order", String(order));
    }
    over.append(flying);
    drawn.classList.add("lands");
    flying.addEventListener("animationend", () => flying.remove());
  });
}

/** How many pieces a proposal would add to this side's. */
function proposedFor(side, { proposal, last }) {
  const counted = proposal?.before ? (last?.departures ?? []) : [];
  return Math.max(0, countFor(side, proposal?.departures ?? []) - countFor(side, counted));
}

/** How many pieces of a stroke count for this side. */
function countFor(side, departures) {
  return departures.filter((one) => side.pieces.includes(one.piece) && !one.flew_off && (!isShared(side) || side.shoots)).length;
}

/** What else there is of a side: debts, the queen, that it plays for the jack, its pieces. */
export function sideNotes(side, { centre_piece: centre, free, phase }) {
  const notes = [];
  if (side.owed > 0) {
    notes.push(make("span", say("owes {n}", { n: side.owed }), "owed"));
  }
  if (side.all_in && centre.place === "board" && !OVER.includes(phase)) {
    notes.push(withPiece(centre.piece, "in", say("plays the {piece}", { piece: pieceName(centre.piece) }), "plays"));
  }
  if (centre.side === side.side && free === null) {
    const pending = centre.place === "pending";
    notes.push(withPiece(centre.piece, pending ? "pending" : "held", pending ? say("must cover") : say("has the queen"), pending ? "queen pending" : "queen"));
  }
  return notes;
}

function withPiece(kind, how, words, name) {
  const note = make("span", "", name);
  note.append(piece(kind, how), make("span", words));
  return note;
}

/** Each side's name with its number: what there is to say aloud. */
export function scoreWords(state) {
  return state.sides.map((side, index) => `${sideName(side, state)} ${largeNumber(state, index)}`);
}
