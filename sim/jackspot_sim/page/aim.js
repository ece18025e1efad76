// Placing the striker and pulling it back: what a finger, a mouse or the sliders say about a shot.
//
// Held at the striker and pulled away from where it is to run, like a catapult: the further, the
// harder. Held beside it, it is placed: it keeps to where the rules let it stand, until it is dragged
// well off that. Back at the striker, or Escape, is no shot. Knows where a striker belongs and refuses
// nothing: a table has no fences.

import { firstMeeting, inTheWay } from "./reach.js";
import { asSeen, seenFrom, towards } from "./seats.js";

/** Pulled back this far is as hard as a finger flicks; so near to the striker is no shot. */
const PULL_MM = 165;
const NO_PULL_MM = 9;
/** More than proportional: soft shots are told apart finely. */
const POWER_CURVE = 1.5;
/** Dragged so far off where it may stand, a striker leaves it. */
const LEAVES_MM = 34;
/** A striker so near to a single spot stands on it. */
const ON_THE_SPOT_MM = 14;
/** Places that are equal but for rounding. */
const SAME_MM = 0.5;

export class Aim {
  constructor() {
    this.board = null;
    this.placing = null;
    this.seat = null;
    this.standing = [];
    [this.along, this.out] = [0, 0];
    this.turn = 0;
    this.power = 0;
    this.pulled = null;
    this.placed = false;
    this.ready = false;
    this.offered = false;
    this.take = () => {};
    this.watchers = [];
  }

  /** Have a function called whenever something is to be drawn anew. */
  watch(changed) {
    this.watchers.push(changed);
  }

  changed() {
    for (const watcher of this.watchers) {
      watcher();
    }
  }

  /** Aim at this board, where a striker may be placed so. */
  use(board, placing) {
    this.board = board;
    this.placing = placing;
  }

  /** Give a seat the striker, or take it away (null); it begins in the middle of its line. */
  give(seat) {
    if (seat !== this.seat) {
      this.seat = seat;
      [this.along, this.turn, this.power, this.pulled] = [0, 0, 0, null];
      this.placed = false;
    }
    if (!this.placed) {
      this.out = this.placing.out_mm[1];
    }
  }

  get at() {
    return seenFrom(this.seat, this.along, this.out);
  }

  /** Whether the rules let the striker stand where it does. */
  get legal() {
    const { along_mm, out_mm: [least, usual, most], spots } = this.placing;
    const near = ([along, out]) => Math.hypot(along - this.along, out - this.out) < SAME_MM;
    if (this.onlyTheTee) {
      return near([0, usual]);
    }
    const onBand = Math.abs(this.along) <= along_mm + SAME_MM
      && this.out >= least - SAME_MM && this.out <= most + SAME_MM;
    return onBand || spots.some(near);
  }

  /** Whether a first shot is to be made, and the spot in the middle of the line is free for it. */
  get onlyTheTee() {
    const spot = seenFrom(this.seat, 0, this.placing.out_mm[1]);
    return this.placing.tee && inTheWay(spot, this.radius, this.board, this.standing) === undefined;
  }

  get radius() {
    return this.board.diameters_mm.striker / 2;
  }

  /** Whose piece is in the way of the striker where it stands; undefined where none is. */
  get blocked() {
    return inTheWay(this.at, this.radius, this.board, this.standing);
  }

  /** The unit vector of the shot. */
  get direction() {
    return towards(this.seat, this.turn);
  }

  /** Where the striker first meets something. */
  get meeting() {
    return firstMeeting(this.at, this.direction, this.radius, this.board, this.standing);
  }

  get speed_mm_s() {
    return this.placing.fastest_mm_s * this.power ** POWER_CURVE;
  }

  get mayShoot() {
    return this.ready && this.power > 0 && this.blocked === undefined;
  }

  /** What the table is told: y to the north. */
  get flick() {
    const [[x, y], [dx, dy]] = [this.at, this.direction];
    return { x_mm: x, y_mm: -y, speed_mm_s: this.speed_mm_s, angle_rad: Math.atan2(-dy, dx) };
  }

  /**
   * Place the striker where somebody wants it, as its player sees that: nearest to it where it may
   * stand, or just there once it has left that area.
   */
  place(along, out = this.out) {
    const { along_mm, out_mm: [least, usual, most], spots } = this.placing;
    const far = ([x, y]) => Math.hypot(x - along, y - out);
    const band = [clamped(along, -along_mm, along_mm), clamped(out, least, most)];
    const single = this.onlyTheTee ? [[0, usual]] : [];
    const edge = this.board.field_mm / 2 - this.radius;
    if (Math.abs(out - band[1]) > LEAVES_MM) {
      [this.along, this.out] = [clamped(along, -edge, edge), clamped(out, -edge, edge)];
    } else {
      const onSpot = single.find((spot) => far(spot) < ON_THE_SPOT_MM);
      [this.along, this.out] = onSpot ?? [band, ...spots].reduce((best, one) => (far(one) < far(best) ? one : best));
    }
    this.placed = true;
    this.changed();
  }

  /**
   * Where one more step along the line goes, to the right (1) or the left (-1), from the line's end
   * over to the circle beyond it or from that circle back: between them a striker may not stand.
   * Undefined where the step is a step like others.
   */
  hop(step) {
    const { along_mm, out_mm: [least, , most], spots } = this.placing;
    const stands = (along) => Math.abs(this.along - along) < SAME_MM;
    if (this.onlyTheTee || this.out < least - SAME_MM || this.out > most + SAME_MM) {
      return undefined;
    }
    const outwards = spots.find(([along]) => Math.sign(along) === step);
    if (outwards !== undefined && stands(step * along_mm)) {
      return outwards;
    }
    const from = spots.find(([along]) => Math.sign(along) === -step && stands(along));
    return from && [-step * along_mm, this.out];
  }

  /** Begin to place it from a point of the board: along the line it goes there at once. */
  takeUp(point) {
    const [along, out] = asSeen(this.seat, ...point);
    const [least, usual, most] = this.placing.out_mm;
    const away = this.out < least - SAME_MM || this.out > most + SAME_MM;
    this.held = { out, from: away ? usual : this.out };
    this.place(along, this.held.from);
  }

  /** Place it further, under the finger that took it up. */
  placeAt(point) {
    const [along, out] = asSeen(this.seat, ...point);
    this.place(along, this.held.from + out - this.held.out);
  }

  /** Pull it back to a point: the shot goes the other way. */
  pullTo([x, y]) {
    const [at_x, at_y] = this.at;
    const length = Math.hypot(x - at_x, y - at_y);
    this.pulled = [x, y];
    this.power = length < NO_PULL_MM ? 0 : Math.min((length - NO_PULL_MM) / (PULL_MM - NO_PULL_MM), 1);
    if (this.power > 0) {
      const [along, out] = asSeen(this.seat, at_x - x, at_y - y);
      this.turn = Math.atan2(along, -out);
    }
    this.changed();
  }

  /** Say direction (radians to the right of straight ahead) or power (0 to 1) outright. */
  set({ turn = this.turn, power = this.power }) {
    [this.turn, this.power] = [turn, power];
    this.changed();
  }

  /** No shot after all. */
  cancel() {
    [this.power, this.pulled] = [0, null];
    this.changed();
  }
}

function clamped(value, least, most) {
  return Math.min(Math.max(value, least), most);
}

/** Where a finger is that has pulled an aim's striker back so hard; null where it has not. */
export function pullOf({ at: [x, y], direction: [dx, dy], power }) {
  const length = NO_PULL_MM + power * (PULL_MM - NO_PULL_MM);
  return power > 0 ? [x - dx * length, y - dy * length] : null;
}

/** Where a pull's rubber band ends: under the finger, but no further than the hardest pull. */
export function bandEnd([at_x, at_y], [x, y]) {
  const length = Math.hypot(x - at_x, y - at_y);
  const share = length > PULL_MM ? PULL_MM / length : 1;
  return [at_x + (x - at_x) * share, at_y + (y - at_y) * share];
}

/** Let a mouse or fingers place and pull; `point` turns an event into millimetres. */
export class Pull {
  constructor(aim, { grip, rail, point, shoot }) {
    this.aim = aim;
    this.point = point;
    this.pointer = null;
    this.listen(grip, (event) => {
      const [x, y] = point(event);
      const [at_x, at_y] = aim.at;
      this.offset = [at_x - x, at_y - y];
      aim.pullTo(aim.at);
    }, (event) => {
      const [x, y] = point(event);
      aim.pullTo([x + this.offset[0], y + this.offset[1]]);
    }, () => {
      aim.pulled = null;
      if (aim.mayShoot) {
        shoot();
      } else {
        aim.cancel();
      }
    });
    this.listen(rail, (event) => aim.takeUp(point(event)), (event) => aim.placeAt(point(event)), () => {});
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && (this.pointer !== null || aim.power > 0)) {
        this.pointer = null;
        aim.cancel();
      }
    });
  }

  listen(element, begin, move, end) {
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !this.aim.offered) {
        return;
      }
      event.preventDefault();
      if (!this.aim.ready) {
        this.aim.take();
      }
      if (this.pointer !== null) {
        this.pointer = null;
        this.aim.cancel();
        return;
      }
      this.pointer = event.pointerId;
      element.setPointerCapture(event.pointerId);
      begin(event);
    });
    element.addEventListener("pointermove", (event) => {
      if (event.pointerId === this.pointer) {
        move(event);
      }
    });
    element.addEventListener("pointerup", (event) => {
      if (event.pointerId === this.pointer) {
        this.pointer = null;
        end(event);
      }
    });
    element.addEventListener("pointercancel", (event) => {
      if (event.pointerId === this.pointer) {
        this.pointer = null;
        this.aim.cancel();
      }
    });
    element.addEventListener("contextmenu", (event) => event.preventDefault());
  }
}
