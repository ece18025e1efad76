// Placing the striker and pulling it back: what a finger, a mouse or the sliders say about a shot.
//
// Held at the striker and pulled away from where it is to run, like a catapult: the further, the
// harder. Held beside it, along the player's line, it is placed. Back at the striker, or Escape,
// is no shot. Knows where a striker belongs and refuses nothing: a table has no fences.

import { firstMeeting, inTheWay } from "./reach.js";
import { asSeen, seenFrom, towards } from "./seats.js";

/** Pulled back this far is as hard as a finger flicks; so near to the striker is no shot. */
const PULL_MM = 165;
const NO_PULL_MM = 9;
/** More than proportional: soft shots are told apart finely. */
const POWER_CURVE = 1.5;

export class Aim {
  constructor() {
    this.board = null;
    this.placing = null;
    this.seat = null;
    this.standing = [];
    this.along = 0;
    this.turn = 0;
    this.power = 0;
    this.pulled = null;
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
    }
  }

  get at() {
    return seenFrom(this.seat, this.along, this.placing.out_mm[1]);
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

  /** Place the striker where it may stand, nearest to a wish in millimetres along the line. */
  place(along) {
    const { along_mm, spots } = this.placing;
    const onLine = Math.min(Math.max(along, -along_mm), along_mm);
    const every = [onLine, ...spots.map(([spot]) => spot)];
    this.along = every.reduce((best, one) => (Math.abs(one - along) < Math.abs(best - along) ? one : best));
    this.changed();
  }

  /** Place it under a point of the board. */
  placeAt([x, y]) {
    this.place(asSeen(this.seat, x, y)[0]);
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
    this.listen(rail, (event) => aim.placeAt(point(event)), (event) => aim.placeAt(point(event)), () => {});
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
