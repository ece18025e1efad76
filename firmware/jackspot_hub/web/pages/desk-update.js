// Newer versions for boards at the desk: which one each runs, how far they are, and the offer of it.

import { element, make, put, putOrHide, renew } from "/dom.js";
import { say } from "/words.js";
import { act } from "./asking.js";
import { parts } from "./parts.js";

function known() {
  return parts.get("update") ?? { release: null, offered: 0, boards: [] };
}

function found(number) {
  return known().boards.find(({ n }) => n === number);
}

/** Whether a board takes a newer version just now. */
export function isUpdating(number) {
  return Boolean(found(number)?.place);
}

/** How far a board is with what the hub has for it; empty: nothing is offered to it. */
function progress(board) {
  if (board.of === known().release && (board.place || !board.offered)) {
    const said = {
      waiting: () => say("waits until it is free"),
      fetching: () => (board.why ? say("cannot download it yet: {why}", board) : say("downloads it: {percent} %", board)),
      taken: () => say("installs it"),
      trial: () => say("tries it for a minute"),
      done: () => say("has it"),
      refused: () => say("refused it, nothing was changed: {why}", board),
      back: () => say("went back to the version before: {why}", board),
    };
    return said[board.step]();
  }
  return board.place ? say("is being told of it") : board.offered ? say("waits for its turn") : "";
}

function line(board) {
  const item = make("li", "", ["refused", "back"].includes(board.step) ? "warning" : "");
  item.append(make("b", say("Board {n}: Jackspot {version}", board)), make("span", progress(board)));
  return item;
}

/** Show versions and progress as they are now; `shown` is the board of the open sheet. */
export function renewUpdate(shown) {
  const { release, offered, boards } = known();
  element("update").hidden = !release;
  put(element("updates-says"), release ? say("The hub has Jackspot {release}. A board takes it while it has no match and nobody is called to it, three boards at a time. Each is away for some minutes; if it does not work, the board goes back to the version before.", { release }) : "");
  renew(element("updating"), boards.map(line));
  element("update-none").hidden = offered === 0;
  const board = found(shown);
  putOrHide(element("board-runs"), board ? [say("It runs Jackspot {version}.", board), progress(board)].filter(Boolean).join(" – ") : "");
  element("update-one").hidden = !release || !board || board.offered || board.place;
  put(element("update-one"), release ? say("Offer it Jackspot {release}", { release }) : "");
  element("update-one").dataset.board = shown;
}

element("update").addEventListener("click", () => element("updates").showModal());
element("update-all").addEventListener("click", () => act("update", {}));
element("update-none").addEventListener("click", () => act("no-update", {}));
element("update-one").addEventListener("click", (event) => act("update", { boards: [Number(event.target.dataset.board)] }));
