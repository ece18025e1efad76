// Where the pieces lie, in millimetres: a drawing that agrees with what the table counts.
//
// The simulated table counts pieces and pockets; it does not yet know places. This module
// invents them: the opening, a scatter after the first shot, a pile on the jack spot or pieces
// beside each other in the circle. It knows nothing of canvases and servers.

import { HIKONE, boardOf, opening, strikerSpot } from "./boards.js";

const MOVE_MS = 420;
const FALL_MS = 300;
/** So many pieces that come back at once are another board, not a penalty. */
const LAID_OUT = 6;

/** A repeatable scatter of `count` places that keep clear of each other, pockets and rails. */
function scatter(count, board) {
  const places = [];
  const reach = board.field_mm / 2 - 26;
  const ring = board.field_mm / 2 - 82;
  for (let index = 0; places.length < count && index < 4000; index += 1) {
    const angle = index * 2.399963;
    const radius = 46 + ((index * 61.8) % ring);
    const spot = [Math.cos(angle) * radius, Math.sin(angle) * radius];
    const clear = places.every(([x, y]) => Math.hypot(x - spot[0], y - spot[1]) > board.clear_mm);
    const inside = Math.max(Math.abs(spot[0]), Math.abs(spot[1])) < reach;
    const open = Object.values(board.pockets).every(([x, y]) => Math.hypot(x - spot[0], y - spot[1]) > 52);
    if (clear && inside && open) {
      places.push(spot);
    }
  }
  return places;
}

/** A place for the piece with this number (0 to 24), so that the colours mix. */
function mixed(index) {
  return MIXED[index % MIXED.length];
}

const MIXED = [3, 17, 8, 22, 11, 0, 19, 6, 14, 24, 1, 9, 20, 5, 16, 12, 2, 23, 7, 18, 10, 4, 21, 13, 15];

function still(kind, x, y, lift = 0) {
  return { kind, x, y, lift, from: null, until: 0, fall: null };
}

export class Arrangement {
  constructor() {
    this.board = HIKONE;
    this.whole = {};
    this.pucks = [];
    this.centre = "jack";
    this.pieces = [];
    this.leaving = [];
    this.turn = null;
    this.fresh = true;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Take the pieces of a rule system, `{kind: count}`, and the board that they lie on. */
  use(rules, whole) {
    const kinds = Object.keys(whole).filter((kind) => kind !== "striker");
    if (kinds.join() === Object.keys(this.whole).join() && this.board === boardOf(rules)) {
      return;
    }
    this.board = boardOf(rules);
    this.whole = Object.fromEntries(kinds.map((kind) => [kind, whole[kind]]));
    this.pucks = kinds.filter((kind) => whole[kind] > 1);
    this.centre = kinds.find((kind) => whole[kind] === 1);
    this.pieces = [];
    this.leaving = [];
  }

  /** Agree with counts on the board; `fell` says through which pocket the last ones went. */
  agree(counts, fell, now) {
    const full = Object.entries(this.whole).every(([kind, count]) => counts[kind] === count);
    if (full && fell.length === 0) {
      const pucks = this.pucks.reduce((sum, kind) => sum + this.whole[kind], 0);
      this.pieces = opening(this.board, this.pucks, this.centre, pucks).map((place) => still(...place));
      this.fresh = true;
      return;
    }
    if (this.pieces.length === 0 || this.missing(counts) >= LAID_OUT) {
      this.pieces = this.scattered(counts);
      this.fresh = false;
      return;
    }
    for (const kind of Object.keys(this.whole)) {
      this.agreeOn(kind, counts[kind] ?? 0, fell, now);
    }
    for (const { kind, pocket } of fell.filter((one) => one.kind === "striker")) {
      const spot = this.turn ? strikerSpot(this.board, this.turn) : [0, 0];
      this.sink(still(kind, ...spot), pocket, now);
    }
    if (this.fresh && fell.length > 0) {
      this.fresh = false;
      this.spread(now);
    }
  }

  /** How many pieces lie on the board that are not drawn yet. */
  missing(counts) {
    return Object.values(counts).reduce((sum, count) => sum + count, 0)
      - (counts.striker ?? 0) - this.pieces.length;
  }

  /** Put the striker before the seat to shoot; null takes it away. */
  give(seat) {
    this.turn = seat;
  }

  /** What to draw at this instant, and whether anything still moves. */
  at(now) {
    this.leaving = this.leaving.filter((piece) => piece.until > now);
    const moving = this.leaving.length > 0 || this.pieces.some((piece) => piece.until > now);
    const placed = [...this.leaving, ...this.pieces].map((piece) => drawn(piece, now));
    if (this.turn !== null) {
      const [x, y] = strikerSpot(this.board, this.turn);
      placed.unshift({ kind: "striker", x, y });
    }
    return { pieces: placed.sort((a, b) => (a.lift ?? 0) - (b.lift ?? 0)), moving };
  }

  agreeOn(kind, count, fell, now) {
    const pockets = fell.filter((one) => one.kind === kind).map((one) => one.pocket);
    let have = this.pieces.filter((piece) => piece.kind === kind).length;
    for (; have > count; have -= 1) {
      const pocket = pockets.shift() ?? null;
      this.sink(this.take(kind, pocket), pocket, now);
    }
    for (; have < count; have += 1) {
      this.pieces.push(this.putBack(kind));
    }
  }

  /** A piece that comes back: on top of the pile on the jack spot, or free in the circle. */
  putBack(kind) {
    if (this.board === HIKONE) {
      const pile = this.pieces.filter((piece) => Math.hypot(piece.x, piece.y) < 6).length;
      return still(kind, 0, 0, pile);
    }
    for (let index = 0; ; index += 1) {
      const [radius, angle] = [9 * Math.sqrt(index), index * 2.399963];
      const [x, y] = [Math.cos(angle) * radius, Math.sin(angle) * radius];
      if (this.pieces.every((piece) => Math.hypot(piece.x - x, piece.y - y) > 32)) {
        return still(kind, x, y);
      }
    }
  }

  /** Take the piece of this kind that lies nearest to the pocket. */
  take(kind, pocket) {
    const [px, py] = pocket ? this.board.pockets[pocket] : [0, -400];
    const near = this.pieces
      .filter((piece) => piece.kind === kind)
      .sort((a, b) => Math.hypot(a.x - px, a.y - py) - Math.hypot(b.x - px, b.y - py))[0];
    this.pieces.splice(this.pieces.indexOf(near), 1);
    return near;
  }

  sink(piece, pocket, now) {
    if (this.calm.matches) {
      return;
    }
    const to = pocket ? this.board.pockets[pocket] : [piece.x * 1.2, -380];
    this.leaving.push({ ...piece, from: [piece.x, piece.y], x: to[0], y: to[1], start: now, until: now + FALL_MS, fall: true });
  }

  scattered(counts) {
    const order = [this.centre, ...this.pucks];
    const kinds = order.flatMap((kind) => Array(counts[kind] ?? 0).fill(kind));
    const places = scatter(25, this.board);
    return kinds.map((kind, index) => still(kind, ...places[mixed(index)]));
  }

  /** The circle breaks open: every piece runs to a place of its own. */
  spread(now) {
    const places = scatter(25, this.board);
    this.pieces.forEach((piece, index) => {
      const [x, y] = places[mixed(index)];
      piece.from = [piece.x, piece.y];
      [piece.x, piece.y] = [x, y];
      piece.lift = 0;
      piece.start = now;
      piece.until = this.calm.matches ? 0 : now + MOVE_MS + (index % 5) * 60;
    });
  }
}

function drawn(piece, now) {
  if (piece.until <= now || piece.from === null) {
    return { kind: piece.kind, x: piece.x, y: piece.y, lift: piece.lift };
  }
  const done = (now - piece.start) / (piece.until - piece.start);
  const eased = piece.fall ? done ** 0.8 : 1 - (1 - done) ** 3;
  const sinking = piece.fall ? Math.max(0, (done - 0.78) / 0.22) : 0;
  return {
    kind: piece.kind,
    x: piece.from[0] + (piece.x - piece.from[0]) * eased,
    y: piece.from[1] + (piece.y - piece.from[1]) * eased,
    lift: piece.lift,
    size: 1 - sinking * 0.3,
    alpha: 1 - sinking * 0.85,
  };
}
