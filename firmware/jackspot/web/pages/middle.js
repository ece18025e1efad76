// Between the two sides: how the match stands beyond the large numbers; and which match it is.

import { make, renew } from "./dom.js";
import { rulesName, tallyName } from "./names.js";
import { furtherTallies } from "./side.js";
import { say } from "./words.js";

/** Show how the match stands beyond the numbers that stand large: "games 1 : 0". */
export function showStanding(place, state) {
  const shown = furtherTallies(state);
  place.hidden = shown.length === 0;
  renew(
    place,
    shown.map(({ tally, counts: [one, two] }) => {
      const row = make("p", "", "tally");
      row.style.setProperty("--digits", String(Math.max(`${one}`.length, `${two}`.length)));
      row.append(make("b", String(one)), make("span", tallyName(tally)), make("b", String(two)));
      return row;
    }),
  );
}

/** Say which board of which match is played: "KAGW carroms · board 2 of 3". */
export function showWhich(place, state) {
  const number = boardNumber(state);
  renew(place, [make("span", rulesName(state.rules), "rules"), make("span", number && ` · ${number}`, "number")]);
}

/** Which board is played, in words; empty: there is only one, or free play. */
export function boardNumber({ game, board_number, best_of, free }) {
  if (free !== null) {
    return "";
  }
  if (game !== null && best_of > 1) {
    const { number, board } = game;
    return say("game {number} of {best_of}, board {board}", { number, best_of, board });
  }
  if (game !== null) {
    return say("board {board}", { board: game.board });
  }
  // Void boards are numbered too: the fourth of three is only called the fourth.
  if (board_number > best_of) {
    return say("board {board}", { board: board_number });
  }
  return best_of > 1 ? say("board {board} of {best_of}", { board: board_number, best_of }) : "";
}
