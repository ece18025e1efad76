// The true state of the table beside what the board says, with every difference marked.

import { pieceName } from "/names.js";
import { list, say } from "/words.js";

/** What lies in each pocket, in words and as a list of kinds. */
export function pocketContents(truth) {
  const words = {};
  const lists = {};
  for (const [pocket, kinds] of Object.entries(truth.in_pockets)) {
    const present = Object.entries(kinds).filter(([, count]) => count > 0);
    words[pocket] = list(present.map(([kind, count]) => `${count} ${pieceName(kind)}`));
    lists[pocket] = present.flatMap(([kind, count]) => Array(count).fill(kind));
  }
  return { words, lists };
}

/** How many of each kind are out of play: in pockets, or on the floor. */
export function outOfPlay(truth) {
  const sum = {};
  for (const kinds of [...Object.values(truth.in_pockets), truth.on_floor]) {
    for (const [kind, count] of Object.entries(kinds)) {
      sum[kind] = (sum[kind] ?? 0) + count;
    }
  }
  return sum;
}

/** Fill the table of truth; gives whether anything differs that is not explained. */
export function showTruth(body, note, truth, state, whole) {
  const out = outOfPlay(truth);
  const kinds = Object.keys(whole).filter((kind) => kind !== "striker");
  const really = Object.fromEntries(kinds.map((kind) => [kind, out[kind] ?? 0]));
  const said = sayings(state, whole);
  let differs = false;
  body.replaceChildren(
    ...kinds.map((kind) => {
      const row = document.createElement("tr");
      const wrong = really[kind] !== said[kind];
      differs ||= wrong;
      row.classList.toggle("differs", wrong);
      const cells = [pieceName(kind), really[kind], `${wrong ? "≠ " : ""}${said[kind]}`, truth.on_board[kind] ?? 0];
      row.append(
        ...cells.map((text, place) => {
          const cell = document.createElement(place === 0 ? "th" : "td");
          cell.textContent = text;
          return cell;
        }),
      );
      return row;
    }),
  );
  note.textContent = explain(differs, out.striker ?? 0, state);
  return differs && settled(state);
}

/** How many of each kind are out of play by the board's count: in a match, or in free play. */
function sayings({ on_board, free }, whole) {
  const counts = Object.fromEntries((free?.counts ?? []).map(({ piece, count }) => [piece, count]));
  const said = (kind, all) => (kind in on_board ? all - on_board[kind] : (counts[kind] ?? 0));
  return Object.fromEntries(Object.entries(whole).map(([kind, all]) => [kind, said(kind, all)]));
}

/** Nothing is being proposed, counted or put back, so the two ought to agree. */
function settled(state) {
  return !["falling", "review", "placing"].includes(state.phase);
}

function explain(differs, strikers, state) {
  const words = [];
  if (strikers > 0) {
    words.push(say("The striker has to be picked up."));
  }
  if (differs && state.phase === "placing") {
    words.push(say("Pieces have to be put back."));
  } else if (differs && !settled(state)) {
    words.push(say("The last stroke is not confirmed yet."));
  } else if (differs) {
    words.push(say("The board's count does not match the pieces: correct it, or undo."));
  } else {
    words.push(say("The board's count matches the pieces."));
  }
  return words.join(" ");
}
