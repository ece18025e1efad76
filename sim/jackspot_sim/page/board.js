// A board seen from above, drawn on a canvas from positions in millimetres.
//
// Knows nothing of games, servers or pages. The origin is the middle of the field, x runs to
// the east and y to the south, as on a map. What does not move is drawn once for each size.

import { paintGround } from "./ground.js";
import { paintPiece } from "./pieces.js";

export class BoardDrawing {
  constructor(canvas, board) {
    this.canvas = canvas;
    this.setBoard(board);
    this.pieces = [];
    this.tallies = {};
    this.ground = null;
    this.sprites = new Map();
    this.scale = 0;
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  /** A point in millimetres as a share (0 to 1) of the drawing's width and height. */
  share([x, y]) {
    return [x / this.extent_mm + 0.5, y / this.extent_mm + 0.5];
  }

  /** Draw another board from here on. */
  use(board) {
    if (board !== this.board) {
      this.setBoard(board);
      this.canvas.width = 0;
      this.resize();
    }
  }

  setBoard(board) {
    this.board = board;
    this.extent_mm = board.field_mm + 2 * board.frame_mm;
  }

  /** Show these pieces: `{kind, x, y, lift, alpha, size}`; later ones lie on earlier ones. */
  show(pieces) {
    this.pieces = pieces;
    this.draw();
  }

  /** Show on the frame what lies in each pocket: `{NE: ["red", ...], ...}`. */
  tally(pockets) {
    this.tallies = pockets;
    this.draw();
  }

  resize() {
    const size = Math.round(this.canvas.clientWidth * devicePixelRatio);
    if (size === 0 || size === this.canvas.width) {
      return;
    }
    this.canvas.width = this.canvas.height = size;
    this.scale = size / this.extent_mm;
    this.sprites.clear();
    this.ground = paintGround(this.board, size);
    this.draw();
  }

  draw() {
    if (this.ground === null) {
      return;
    }
    const pen = this.canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.ground, 0, 0);
    this.centre(pen);
    this.drawTallies(pen);
    for (const piece of this.pieces) {
      this.drawPiece(pen, piece);
    }
  }

  /** Draw in millimetres around the middle from here on. */
  centre(pen) {
    const middle = this.canvas.width / 2;
    pen.setTransform(this.scale, 0, 0, this.scale, middle, middle);
  }

  drawPiece(pen, { kind, x, y, lift = 0, alpha = 1, size = 1 }) {
    const diameter = this.board.diameters_mm[kind] ?? 30;
    const sprite = this.sprite(kind, diameter);
    const extent = sprite.width / this.scale;
    const shadow = 2.2 + lift * 3;
    pen.globalAlpha = alpha * 0.34;
    pen.drawImage(this.sprite("shadow", diameter), ...boxed(x + shadow * 0.7, y + shadow, extent * size));
    pen.globalAlpha = alpha;
    pen.drawImage(sprite, ...boxed(x - lift * 1.2, y - lift * 2.4, extent * size));
    pen.globalAlpha = 1;
  }

  drawTallies(pen) {
    const rail = this.board.field_mm / 2 + this.board.frame_mm * 0.56;
    const first = this.board.field_mm / 2 - 34;
    for (const [pocket, kinds] of Object.entries(this.tallies)) {
      const y = pocket[0] === "N" ? -rail : rail;
      const side = pocket[1] === "E" ? 1 : -1;
      kinds.forEach((kind, place) => {
        const extent = this.sprite(kind, 15).width / this.scale;
        pen.drawImage(this.sprite(kind, 15), ...boxed(side * (first - place * 13.5), y, extent));
      });
    }
  }

  /** A piece painted once in the size it has on this canvas. */
  sprite(kind, diameter) {
    const key = `${kind}/${diameter}`;
    let sprite = this.sprites.get(key);
    if (sprite === undefined) {
      sprite = paintPiece(kind, diameter * this.scale);
      this.sprites.set(key, sprite);
    }
    return sprite;
  }
}

function boxed(x, y, extent) {
  return [x - extent / 2, y - extent / 2, extent, extent];
}

