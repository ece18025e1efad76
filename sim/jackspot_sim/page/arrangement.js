// Where the pieces lie, in millimetres: a drawing that agrees with what the table counts.
//
// The simulated table counts pieces and pockets; it does not yet know places. This module
// invents them: the opening circle, a scatter after the first shot, a pile on the jack spot.
// It knows nothing of canvases and servers.

import { HIKONE, teeSpot } from "./board.js";

const MOVE_MS = 420;
const FALL_MS = 300;

/** A repeatable scatter of `count` places that keep clear of each other, pockets and rails. */
function scatter(count, board) {
  const places = [];
  const reach = board.field_mm / 2 - 26;
  for (let index = 0; places.length < count && index < 4000; index += 1) {
    const angle = index * 2.399963;
    const radius = 46 + ((index * 61.8) % 218);
    const spot = [Math.cos(angle) * radius, Math.sin(angle) * radius];
    const clear = places.every(([x, y]) => Math.hypot(x - spot[0], y - spot[1]) > 37);
    const inside = Math.max(Math.abs(spot[0]), Math.abs(spot[1])) < reach;
    const open = Object.values(board.pockets).every(([x, y]) => Math.hypot(x - spot[0], y - spot[1]) > 52);
    if (clear && inside && open) {
      places.push(spot);
    }
  }
  return places;
}

/** The opening: the jack on its spot, pucks in turn round the centre circle. */
function opening(counts, board) {
  const pieces = [];
  const wanted = { red: counts.red ?? 0, green: counts.green ?? 0 };
  const total = wanted.red + wanted.green;
  for (let place = 0; place < total; place += 1) {
    const preferred = place % 2 === 0 ? "red" : "green";
    const kind = wanted[preferred] > 0 ? preferred : preferred === "red" ? "green" : "red";
    wanted[kind] -= 1;
    const angle = ((place + 0.5) / total) * 2 * Math.PI - Math.PI / 2;
    const radius = board.circle_mm / 2;
    pieces.push(still(kind, Math.cos(angle) * radius, Math.sin(angle) * radius));
  }
  for (let jack = 0; jack < (counts.jack ?? 0); jack += 1) {
    pieces.push(still("jack", 0, 0));
  }
  return pieces;
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
  constructor(board = HIKONE) {
    this.board = board;
    this.pieces = [];
    this.leaving = [];
    this.turn = null;
    this.fresh = true;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Agree with counts on the board; `fell` says through which pocket the last ones went. */
  agree(counts, fell, now) {
    const full = (counts.red ?? 0) + (counts.green ?? 0) === 24 && (counts.jack ?? 0) === 1;
    if (full && fell.length === 0) {
      this.pieces = opening(counts, this.board);
      this.fresh = true;
      return;
    }
    if (this.pieces.length === 0) {
      this.pieces = this.scattered(counts);
      this.fresh = false;
      return;
    }
    for (const kind of ["red", "green", "jack"]) {
      this.agreeOn(kind, counts[kind] ?? 0, fell, now);
    }
    for (const { kind, pocket } of fell.filter((one) => one.kind === "striker")) {
      this.sink(still(kind, ...(this.turn ? teeSpot(this.board, this.turn) : [0, 0])), pocket, now);
    }
    if (this.fresh && fell.length > 0) {
      this.fresh = false;
      this.spread(now);
    }
  }

  /** Put the striker on the tee spot of the seat to shoot; null takes it away. */
  give(seat) {
    this.turn = seat;
  }

  /** What to draw at this instant, and whether anything still moves. */
  at(now) {
    this.leaving = this.leaving.filter((piece) => piece.until > now);
    const moving = this.leaving.length > 0 || this.pieces.some((piece) => piece.until > now);
    const placed = [...this.leaving, ...this.pieces].map((piece) => drawn(piece, now));
    if (this.turn !== null) {
      const [x, y] = teeSpot(this.board, this.turn);
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
      const pile = this.pieces.filter((piece) => Math.hypot(piece.x, piece.y) < 6).length;
      this.pieces.push(still(kind, 0, 0, pile));
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
    const kinds = ["jack", "red", "green"].flatMap((kind) => Array(counts[kind] ?? 0).fill(kind));
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
