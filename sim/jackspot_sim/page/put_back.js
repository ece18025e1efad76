// Pieces that go back onto the board: dragged there, or laid there with a press.

import { pieceName } from "/names.js";
import { say } from "/words.js";
import { make } from "./make.js";
import { picture } from "./palette.js";
import { act } from "./post.js";

const MOVED_PX = 6;

export class PutBack {
  /** `point` turns an event into millimetres on the board. */
  constructor(place, point) {
    this.place = place;
    this.point = point;
    this.shown = "";
    this.goal = null;
    this.owed = [];
  }

  /** Whether something is to be put back and can be now. */
  get offers() {
    return !this.place.hidden;
  }

  /** Offer what the board asks for and nobody has put back yet. */
  reflect(state, truth, table, running) {
    const pieces = running || table.showing ? [] : this.stillOut(state, truth);
    const jack = state.centre_piece.piece === "jack";
    this.goal = pieces.length === 0 ? null : jack ? "spot" : "circle";
    this.place.hidden = pieces.length === 0;
    const said = `${jack}/${pieces.join()}`;
    if (said === this.shown) {
      return;
    }
    this.shown = said;
    const chips = pieces.map((piece, index) => this.chip(piece, index, jack));
    this.place.replaceChildren(make("small", jack && pieces.length > 1 ? say("lowest first") : say("put back")), ...chips);
  }

  chip(piece, index, piled) {
    const chip = make("button", "", "put-chip");
    chip.type = "button";
    chip.dataset.piece = piece;
    chip.ariaLabel = piled
      ? say("Put back: {piece}, number {n} from below", { piece: pieceName(piece), n: index + 1 })
      : say("Put back: {piece}", { piece: pieceName(piece) });
    chip.append(picture(piece, 38));
    let start = null;
    let ghost = null;
    // What a pointer does is done when it is lifted: after a drag a browser may give no click, not
    // even for the next tap. A click that no pointer has done is a key's, or an aid's.
    let done = false;
    chip.addEventListener("pointerdown", (event) => {
      done = false;
      if (event.button === 0) {
        start = [event.clientX, event.clientY];
        chip.setPointerCapture(event.pointerId);
      }
    });
    chip.addEventListener("pointermove", (event) => {
      if (start === null || (ghost === null && Math.hypot(event.clientX - start[0], event.clientY - start[1]) < MOVED_PX)) {
        return;
      }
      if (ghost === null) {
        ghost = make("div", "", "put-ghost");
        ghost.append(picture(piece, 44));
        document.body.append(ghost);
      }
      ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    });
    const end = (dropped) => (event) => {
      if (start !== null && dropped) {
        const [x, y] = this.point(event);
        act("put", ghost === null ? { piece } : { piece, x_mm: x, y_mm: -y });
        done = true;
      }
      ghost?.remove();
      [start, ghost] = [null, null];
    };
    chip.addEventListener("pointerup", end(true));
    chip.addEventListener("pointercancel", end(false));
    chip.addEventListener("click", ({ detail }) => {
      if (!done || detail === 0) {
        act("put", { piece });
      }
      done = false;
    });
    return chip;
  }

  /**
   * What is asked for and still out of play, the lowest first. Where OK said too early that it
   * was put back, that is still offered.
   */
  stillOut({ phase, place, on_board, waiting }, truth) {
    const out = {};
    for (const [kind, count] of Object.entries(on_board)) {
      out[kind] = Math.max(0, count - (truth.on_board[kind] ?? 0));
    }
    if (place.length === 0 && (phase !== "ready" || waiting > 0)) {
      return [];
    }
    const found = [];
    for (const piece of (place.length > 0 ? place : this.owed).toReversed()) {
      if (out[piece] > 0) {
        out[piece] -= 1;
        found.unshift(piece);
      }
    }
    this.owed = found;
    return found;
  }
}
