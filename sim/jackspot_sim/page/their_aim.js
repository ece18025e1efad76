// A computer player's shot while it is aimed: the striker placed, then drawn back by a hand.
//
// Runs on the table's clock, as pieces do; drawn like everybody's aim.

import { Aim, pullOf } from "./aim.js";
import { asSeen } from "./seats.js";

/** What of the time the striker is slid into its place, and from when on it is drawn back. */
const PLACED = 0.34;
const PULLS = 0.46;
const PULLED = 0.94;

export class TheirAim {
  constructor() {
    this.aim = new Aim();
    this.aim.ready = true;
    this.told = null;
    this.pace = 1;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Whether one aims now. */
  get active() {
    return this.told !== null;
  }

  /** Take what the table says of it; null: nobody aims. */
  reflect(told, { board, placing, standing }) {
    const { aim } = this;
    if (told !== null && told.begun_ns !== this.told?.begun_ns) {
      [this.ms, this.at] = [told.elapsed_ms, performance.now()];
      aim.use(board, placing);
      aim.seat = told.seat;
      const [x, y] = told.at_mm;
      this.goal = asSeen(told.seat, x, -y);
      const [along, out] = asSeen(told.seat, Math.cos(told.angle_rad), -Math.sin(told.angle_rad));
      aim.turn = Math.atan2(along, -out);
      this.power = (told.speed_mm_s / placing.fastest_mm_s) ** (1 / 1.5);
    }
    this.told = told;
    if (told !== null) {
      aim.standing = standing;
      this.advance(performance.now());
    }
  }

  /** Go on to this instant; whether something moves still. */
  advance(now) {
    if (!this.active) {
      return false;
    }
    const { aim, told } = this;
    this.ms = Math.min(this.ms + (now - this.at) * this.pace, told.duration_ms);
    this.at = now;
    const done = this.calm.matches ? 1 : this.ms / told.duration_ms;
    const slid = eased(done / PLACED);
    aim.along = this.goal[0] * slid;
    aim.out = aim.placing.out_mm[1] + (this.goal[1] - aim.placing.out_mm[1]) * slid;
    aim.power = this.power * eased((done - PULLS) / (PULLED - PULLS));
    aim.pulled = pullOf(aim);
    return done < 1 && this.pace > 0;
  }
}

/** From 0 to 1, gently at both ends. */
function eased(share) {
  const part = Math.min(Math.max(share, 0), 1);
  return part * part * (3 - 2 * part);
}
