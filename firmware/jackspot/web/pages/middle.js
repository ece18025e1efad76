// Between the two sides: the board from above, and how the match stands.

import { make, renew } from "./dom.js";
import { rulesName, tallyName } from "./names.js";
import { piece, shape } from "./pieces.js";
import { say } from "./words.js";

const POCKETS = { NW: [11, 11], NE: [89, 11], SE: [89, 89], SW: [11, 89] };
const SEATS = { N: [50, 6, 180], E: [94, 50, 270], S: [50, 94, 0], W: [6, 50, 90] };

/** Draw the board from above: who sits where, whose turn, where something fell, what lies in the middle. */
export function showMap(place, state) {
  const drawn = shape("svg", { viewBox: "-8 -8 116 116", class: "map", "aria-hidden": "true" });
  drawn.append(
    shape("rect", { x: 2, y: 2, width: 96, height: 96, rx: 9, class: "frame" }),
    shape("rect", { x: 20, y: 20, width: 60, height: 60, rx: 2, class: "line" }),
    shape("circle", { cx: 50, cy: 50, r: 13, class: "line" }),
  );
  for (const [pocket, [x, y]] of Object.entries(POCKETS)) {
    drawn.append(...pocketParts(pocket, x, y, state));
  }
  if (state.free === null) {
    for (const side of state.sides) {
      side.seats.forEach((seat) => drawn.append(seatMark(seat, side, state)));
    }
  }
  drawn.append(...centre(state));
  renew(place, [drawn]);
}

function pocketParts(pocket, x, y, { lit, by_hand, fetch }) {
  const parts = [shape("circle", { cx: x, cy: y, r: 7, class: lit.includes(pocket) ? "pocket lit" : "pocket" })];
  if (by_hand.includes(pocket)) {
    parts.push(shape("path", { d: `M${x - 5} ${y - 5}l10 10m0-10l-10 10`, class: "by-hand" }));
  }
  if (fetch.includes(pocket)) {
    parts.push(at(piece("striker"), x, y, 15));
  }
  return parts;
}

function seatMark(seat, side, { turn }) {
  const [x, y, angle] = SEATS[seat];
  const mark = shape("g", { class: `seat-mark side-${side.side}${turn === seat ? " on-turn" : ""}` });
  mark.append(shape("circle", { cx: x, cy: y, r: 8.4 }));
  if (turn === seat) {
    mark.append(shape("path", { d: "M-6.5-10.4h13L0-19.4z", transform: `translate(${x} ${y}) rotate(${angle})` }));
  }
  const letter = shape("text", { x, y });
  letter.textContent = seat;
  mark.append(letter);
  return mark;
}

/** The jack or queen on its spot; dashed while a proposal takes it away. */
function centre({ centre_piece: { piece: kind, place }, free, proposal }) {
  const lies = free === null ? place === "board" : !free.counts.some((one) => one.piece === kind && one.count > 0);
  if (!lies) {
    return [];
  }
  const leaves = proposal?.departures.some((one) => one.piece === kind);
  return [at(piece(kind, leaves ? "maybe" : "in"), 50, 50, 22)];
}

function at(drawn, x, y, size) {
  for (const [key, value] of Object.entries({ x: x - size / 2, y: y - size / 2, width: size, height: size })) {
    drawn.setAttribute(key, value);
  }
  drawn.classList.add("on-map");
  return drawn;
}

/** Show how the match stands beyond the running board: "boards 1 : 0". */
export function showStanding(place, { standing }) {
  place.hidden = standing.length === 0;
  renew(
    place,
    standing.map(({ tally, counts: [one, two] }) => {
      const row = make("p", "", "tally");
      row.append(make("b", String(one)), make("span", tallyName(tally)), make("b", String(two)));
      return row;
    }),
  );
}

/** Which board of which match is played: "KAGW carroms · board 2 of 3". */
export function which({ rules: id, game, board_number, best_of, free }) {
  const rules = rulesName(id);
  if (free !== null) {
    return rules;
  }
  if (game !== null && best_of > 1) {
    const { number, board } = game;
    return `${rules} · ${say("game {number} of {best_of}, board {board}", { number, best_of, board })}`;
  }
  if (game !== null) {
    return `${rules} · ${say("board {board}", { board: game.board })}`;
  }
  // Void boards are numbered too: the fourth of three is only called the fourth.
  if (board_number > best_of) {
    return `${rules} · ${say("board {board}", { board: board_number })}`;
  }
  return best_of > 1 ? `${rules} · ${say("board {board} of {best_of}", { board: board_number, best_of })}` : rules;
}
