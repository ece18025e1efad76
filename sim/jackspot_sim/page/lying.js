// Where the pieces lie, as the table says, and how they get from one place to the next.
//
// The table knows every position; a shot comes whole, computed ahead, and is played back here at
// the pace of the table's clock. Knows nothing of canvases and servers. In millimetres from the
// middle, x to the east and y to the south, as everything that is drawn; the table's own y runs
// to the north.

import { HIKONE } from "./boards.js";

const MOVE_MS = 420;
const FALL_MS = 300;
/** So many pieces that change their places at once have been laid out anew, not moved. */
const LAID_OUT = 6;
/** A playback may end so much later than the table says, or it is cut short. */
const BEHIND_MS = 400;
/** How high the pieces of a pile are, for one that hops. */
const THICK_MM = 8;

export class Lying {
  constructor() {
    this.board = HIKONE;
    this.pieces = new Map();
    this.leaving = [];
    this.resting = null;
    this.shot = null;
    this.area = { seat: null, forbidden: [] };
    /** The piece that a hand holds above the board: `{number, kind, x, y}`. */
    this.carried = null;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Draw on another board from here on. */
  use(board) {
    this.board = board;
  }

  /** Forget everything: what comes next is told from its beginning. */
  forget() {
    this.pieces.clear();
    this.leaving = [];
    this.shot = null;
  }

  /** Whether pieces run. */
  get running() {
    return this.shot !== null;
  }

  /** The pieces at rest that a striker could meet: `{kind, x, y}`. */
  get standing() {
    return [...this.pieces.values()];
  }

  /** The pieces that whoever shoots may not strike directly. */
  get forbidden() {
    return this.area.forbidden.map((number) => this.pieces.get(number)).filter(Boolean);
  }

  /** Where the striker of the last shot came to rest, as `[x, y]`; null where it is not lying. */
  get strikerAtRest() {
    return this.running ? null : this.resting;
  }

  /** Agree with what the table says; `fell` are `{kind, pocket}` since it spoke last. */
  agree(told, fell, now) {
    this.resting = told.striker === null ? null : placed(told.striker);
    this.told = told.pieces;
    this.area = { seat: told.area, forbidden: told.forbidden };
    if (this.shot !== null && told.running !== this.shot.number) {
      const late = (this.shot.duration_ms - this.shot.ms) / this.shot.speed;
      if (late > BEHIND_MS || this.calm.matches) {
        this.end(now);
      }
    }
    if (this.shot === null) {
      this.settle(fell, now);
    }
  }

  /** Play a shot back from where it stands. */
  run(shot, speed, now) {
    this.shot = {
      ...shot, speed, at: now, ms: shot.elapsed_ms, heard: 0,
      tracks: new Map(shot.tracks.map(([number, kind, first, spots]) => [number, { kind, first, spots }])),
      gone: new Map([...shot.falls.map(([number, pocket, ms]) => [number, { pocket, ms }]),
        ...shot.flown.map(([number, ms]) => [number, { pocket: null, ms }])]),
    };
    this.resting = null;
  }

  /** The piece on top at a point of the board, with its number; undefined where there is none. */
  under([x, y], slop_mm = 0) {
    const reach = ({ kind }) => (this.board.diameters_mm[kind] ?? 30) / 2 + slop_mm;
    const found = [...this.pieces].filter(([, piece]) => Math.hypot(piece.x - x, piece.y - y) < reach(piece));
    const [number, piece] = found.sort(([, a], [, b]) => b.lift - a.lift)[0] ?? [];
    return piece && { number, ...piece };
  }

  /** Leave a piece where a hand has put it, until the table says where it lies. */
  put(number, x, y) {
    Object.assign(this.pieces.get(number) ?? {}, { x, y, until: 0 });
  }

  /** Take everything to where the table says it lies. */
  asTold(now) {
    if (this.shot === null) {
      this.settle([], now);
    }
  }

  /** Run as fast as the table's clock does. */
  pace(speed) {
    if (this.shot !== null) {
      this.shot.speed = speed;
    }
  }

  /** What is heard since the last call: `[milliseconds, what met, mm/s]`. */
  heard() {
    const shot = this.shot;
    const found = [];
    while (shot !== null && shot.heard < shot.contacts.length && shot.contacts[shot.heard][0] <= shot.ms) {
      found.push(shot.contacts[shot.heard]);
      shot.heard += 1;
    }
    return found;
  }

  /** What to draw at this instant, and whether anything still moves. */
  at(now) {
    this.advance(now);
    this.leaving = this.leaving.filter((piece) => piece.until > now);
    const pieces = [...this.leaving.map((piece) => gliding(piece, now))];
    for (const [number, piece] of this.pieces) {
      if (number === this.carried?.number) {
        pieces.push({ ...this.carried, lift: 3 });
        continue;
      }
      const track = this.shot?.tracks.get(number);
      pieces.push(track === undefined || this.calm.matches ? gliding(piece, now) : this.tracked(number, track, piece));
    }
    const striker = this.shot?.tracks.get(0);
    if (striker !== undefined && !this.calm.matches) {
      pieces.push(this.tracked(0, striker, null));
    } else if (this.strikerAtRest !== null) {
      pieces.push({ kind: "striker", x: this.resting[0], y: this.resting[1] });
    }
    const shown = pieces.filter(Boolean).sort((a, b) => (a.lift ?? 0) - (b.lift ?? 0));
    const moving = this.running || this.leaving.length > 0
      || [...this.pieces.values()].some((piece) => piece.until > now);
    return { pieces: shown, moving };
  }

  advance(now) {
    const shot = this.shot;
    if (shot === null) {
      return;
    }
    shot.ms += (now - shot.at) * shot.speed;
    shot.at = now;
    if (shot.ms >= shot.duration_ms && shot.heard >= shot.contacts.length) {
      this.end(now);
    }
  }

  /** Take the pieces to where they came to rest. */
  end(now) {
    const { tracks, gone } = this.shot;
    for (const [number, { spots }] of tracks) {
      const piece = this.pieces.get(number);
      if (piece !== undefined && gone.has(number)) {
        this.pieces.delete(number);
      } else if (piece !== undefined) {
        const [x, y] = placed(spots.slice(-3, -1));
        Object.assign(piece, { x, y, lift: 0, until: 0 });
      }
    }
    this.shot = null;
    this.settle([], now);
  }

  /** A piece on its way; null once it has fallen. */
  tracked(number, { kind, first, spots }, piece) {
    const { ms, frame_ms, gone } = this.shot;
    const left = gone.get(number);
    const frame = Math.min(Math.max(ms / frame_ms - 1, first), first + spots.length / 3 - 1);
    const whole = Math.floor(frame);
    const part = frame - whole;
    const here = (whole - first) * 3;
    const next = Math.min(here + 3, spots.length - 3);
    const between = (place) => (spots[here + place] + (spots[next + place] - spots[here + place]) * part) / 10;
    const [x, y, up] = [between(0), -between(1), between(2)];
    if (ms / frame_ms - 1 < first && piece !== null) {
      return gliding(piece, 0);
    }
    if (left === undefined || ms <= left.ms) {
      return { kind, x, y, lift: Math.max(up, 0) / THICK_MM, size: 1 + Math.min(up, 0) * 0.03 };
    }
    const sunk = (ms - left.ms) / FALL_MS;
    const [to_x, to_y] = left.pocket === null ? [x * 1.15, y * 1.15] : this.board.pockets[left.pocket];
    const done = Math.min(sunk * 3, 1);
    return sunk >= 1 ? null : {
      kind, x: x + (to_x - x) * done, y: y + (to_y - y) * done, lift: 0, size: 0.94 - sunk * 0.3, alpha: 1 - sunk,
    };
  }

  /** Draw what the table told last, gliding there where that was moved by hand. */
  settle(fell, now) {
    const told = new Map(this.told.map(([number, kind, x, y, level]) => [number, { kind, x: x / 10, y: -y / 10, lift: level }]));
    const moved = [...told].filter(([number, { kind, x, y }]) => {
      const before = this.pieces.get(number);
      return before === undefined || before.kind !== kind || Math.hypot(before.x - x, before.y - y) > 1;
    });
    const still = moved.length >= LAID_OUT || this.calm.matches;
    const pockets = fell.slice();
    for (const [number, piece] of this.pieces) {
      if (told.get(number)?.kind !== piece.kind) {
        this.pieces.delete(number);
        this.sink(piece, pockets, now);
      }
    }
    for (const [number, { kind, x, y, lift }] of told) {
      const before = this.pieces.get(number);
      const glides = before !== undefined && !still && Math.hypot(before.x - x, before.y - y) > 1;
      const from = glides ? [before.x, before.y] : null;
      this.pieces.set(number, { kind, x, y, lift, from, start: now, until: glides ? now + MOVE_MS : 0 });
    }
    for (const { kind, pocket } of pockets.filter((one) => one.kind === "striker")) {
      const [x, y] = this.board.pockets[pocket].map((at) => at * 0.7);
      this.sink({ kind, x, y, lift: 0 }, [{ kind, pocket }], now);
    }
  }

  sink(piece, fell, now) {
    const index = fell.findIndex((one) => one.kind === piece.kind);
    if (index < 0 || this.calm.matches) {
      return;
    }
    const [{ pocket }] = fell.splice(index, 1);
    const [x, y] = this.board.pockets[pocket];
    this.leaving.push({ ...piece, from: [piece.x, piece.y], x, y, start: now, until: now + FALL_MS, fall: true });
  }
}

function placed([x, y]) {
  return [x / 10, -y / 10];
}

function gliding(piece, now) {
  const { kind, lift } = piece;
  if (piece.until <= now || !piece.from) {
    return { kind, x: piece.x, y: piece.y, lift };
  }
  const done = (now - piece.start) / (piece.until - piece.start);
  const eased = piece.fall ? done ** 0.8 : 1 - (1 - done) ** 3;
  const sinking = piece.fall ? Math.max(0, (done - 0.78) / 0.22) : 0;
  return {
    kind,
    x: piece.from[0] + (piece.x - piece.from[0]) * eased,
    y: piece.from[1] + (piece.y - piece.from[1]) * eased,
    lift,
    size: 1 - sinking * 0.3,
    alpha: 1 - sinking * 0.85,
  };
}
