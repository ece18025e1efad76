// Pieces on the board moved by hand: dragged, or carried with keys; and taken back.
//
// A mode of its own, apart from shooting: while hands are on the board no striker is offered.

import { pieceName } from "/names.js";
import { say } from "/words.js";
import { act } from "./post.js";

/** A finger takes a piece that it touches so nearly. */
const SLOP_MM = 9;
const STEP_MM = 5;
const FINE_MM = 1;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const element = (id) => document.getElementById(id);

export class Hands {
  /** `lying` are the pieces; `point` turns an event into millimetres; `changed` draws all anew. */
  constructor(lying, { point, changed }) {
    this.lying = lying;
    this.point = point;
    this.changed = changed;
    this.on = false;
    this.pointer = null;
    this.layer = element("hand-layer");
    element("hands-on").addEventListener("click", () => this.turn(!this.on));
    element("hands-off").addEventListener("click", () => this.turn(false));
    element("move-back").addEventListener("click", () => act("move-back"));
    this.layer.addEventListener("pointerdown", (event) => this.take(event));
    this.layer.addEventListener("pointermove", (event) => this.carry(event));
    this.layer.addEventListener("pointerup", (event) => this.drop(event));
    this.layer.addEventListener("pointercancel", () => this.letBe());
    this.layer.addEventListener("keydown", (event) => this.key(event));
  }

  /** Put hands on the board, or take them off. */
  turn(on) {
    this.letBe();
    this.on = on;
    document.body.classList.toggle("hands-on", on);
    element("hand-panel").hidden = this.layer.hidden = !on;
    element("hands-on").setAttribute("aria-pressed", String(on));
    if (on) {
      this.layer.focus();
    }
    this.changed();
  }

  /** Take what is known now: whether anything can be moved, and taken back. */
  reflect({ moved, powered, showing }) {
    element("move-back").disabled = moved === 0;
    element("hands-on").disabled = showing || !powered;
    if (this.on && showing) {
      this.turn(false);
    }
  }

  take(event) {
    const found = this.lying.running || event.button !== 0 ? undefined : this.lying.under(this.point(event), SLOP_MM);
    if (found !== undefined) {
      event.preventDefault();
      this.layer.focus();
      this.pointer = event.pointerId;
      this.layer.setPointerCapture(event.pointerId);
      const [x, y] = this.point(event);
      this.offset = [found.x - x, found.y - y];
      this.hold(found);
    }
  }

  carry(event) {
    if (event.pointerId === this.pointer) {
      const [x, y] = this.point(event);
      this.to(x + this.offset[0], y + this.offset[1]);
    }
  }

  drop(event) {
    if (event.pointerId === this.pointer) {
      this.pointer = null;
      this.putDown();
    }
  }

  key(event) {
    const step = STEPS[event.key];
    const held = this.lying.carried;
    if ((event.ctrlKey || event.metaKey) && event.key === "z") {
      act("move-back");
    } else if (event.key === "PageDown" || event.key === "PageUp") {
      this.next(event.key === "PageDown" ? 1 : -1);
    } else if (step !== undefined && held !== null) {
      const mm = event.shiftKey ? FINE_MM : STEP_MM;
      this.to(held.x + step[0] * mm, held.y + step[1] * mm);
    } else if (event.key === "Enter" && held !== null) {
      this.pointer = null;
      this.putDown();
    } else if (event.key === "Escape" && held !== null) {
      this.letBe();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Take up the next piece, as they stand from top to bottom. */
  next(step) {
    const all = [...this.lying.pieces].map(([number, piece]) => ({ number, ...piece }))
      .sort((a, b) => a.y - b.y || a.x - b.x || b.lift - a.lift);
    if (!this.lying.running && all.length > 0) {
      const last = all.findIndex(({ number }) => number === this.last);
      this.pointer = null;
      this.hold(all.at((last + step + (last < 0 && step < 0 ? 1 : 0)) % all.length));
    }
  }

  hold({ number, kind, x, y }) {
    this.last = number;
    this.lying.carried = { number, kind, x, y };
    this.tell(say("{piece} in hand", { piece: pieceName(kind) }));
    this.changed();
  }

  to(x, y) {
    const { field_mm, frame_mm } = this.lying.board;
    const edge = field_mm / 2 + frame_mm;
    const within = (at) => Math.min(Math.max(at, -edge), edge);
    Object.assign(this.lying.carried, { x: within(x), y: within(y) });
    this.changed();
  }

  /** Put the piece down where it is held; where it cannot lie it goes back. */
  async putDown() {
    const { number, x, y } = this.lying.carried;
    this.lying.carried = null;
    this.lying.put(number, x, y);
    this.tell("");
    this.changed();
    if (!(await act("move", { number, x_mm: x, y_mm: -y }))) {
      this.lying.asTold(performance.now());
      this.changed();
    }
  }

  /** Let a piece that is held be where it lay. */
  letBe() {
    this.pointer = null;
    this.lying.carried = null;
    this.tell("");
    this.changed();
  }

  tell(words) {
    element("hand-said").textContent = words;
  }
}
