// The true state of the table beside what the board says, with every difference marked.

const KINDS = ["red", "green", "jack"];

/** What lies in each pocket, in words and as a list of kinds. */
export function pocketContents(truth) {
  const words = {};
  const lists = {};
  for (const [pocket, kinds] of Object.entries(truth.in_pockets)) {
    const present = Object.entries(kinds).filter(([, count]) => count > 0);
    words[pocket] = present.map(([kind, count]) => `${count} ${kind}`).join(", ");
    lists[pocket] = present.flatMap(([kind, count]) => Array(count).fill(kind));
  }
  return { words, lists };
}

/** How many of each kind are out of play: in pockets, or on the floor. */
export function outOfPlay(truth) {
  const sum = { red: 0, green: 0, jack: 0, striker: 0 };
  for (const kinds of [...Object.values(truth.in_pockets), truth.on_floor]) {
    for (const [kind, count] of Object.entries(kinds)) {
      sum[kind] += count;
    }
  }
  return sum;
}

/** Fill the table of truth; gives whether anything differs that is not explained. */
export function showTruth(body, note, truth, state) {
  const really = outOfPlay(truth);
  const said = sayings(state);
  let differs = false;
  body.replaceChildren(
    ...KINDS.map((kind) => {
      const row = document.createElement("tr");
      const wrong = really[kind] !== said[kind];
      differs ||= wrong;
      row.classList.toggle("differs", wrong);
      const cells = [kind, really[kind], `${wrong ? "≠ " : ""}${said[kind]}`, truth.on_board[kind] ?? 0];
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
  note.textContent = explain(differs, really.striker, state);
  return differs && settled(state);
}

function sayings(state) {
  const said = { jack: state.centre_piece.place === "pocketed" ? 1 : 0 };
  for (const side of state.sides) {
    said[side.side] = side.pocketed;
  }
  return said;
}

/** Nothing is being proposed, counted or put back, so the two ought to agree. */
function settled(state) {
  return !["falling", "review", "placing"].includes(state.phase);
}

function explain(differs, strikers, state) {
  const words = [];
  if (strikers > 0) {
    words.push(`A striker is to be fetched.`);
  }
  if (differs && state.phase === "placing") {
    words.push("Pieces wait to be put back.");
  } else if (differs && !settled(state)) {
    words.push("The last stroke is not confirmed yet.");
  } else if (differs) {
    words.push("The board's count is not what is out of play: correct it, or undo.");
  } else {
    words.push("The board's count is what is out of play.");
  }
  return words.join(" ");
}
