// A board seen from above, drawn on a canvas from positions in millimetres.
//
// Knows nothing of games, servers or pages. The origin is the middle of the field, x runs to
// the east and y to the south, as on a map. What does not move is drawn once for each size.

const corners = (at) => ({ NE: [at, -at], SE: [at, at], SW: [-at, at], NW: [-at, -at] });

/** The Hikone board. Inner field, pieces: measured; lines and pockets: as commonly built. */
export const HIKONE = {
  field_mm: 600,
  frame_mm: 46,
  pocket_mm: 52,
  pockets: corners(272),
  circle_mm: 244,
  jack_spot_mm: 34,
  area_line_mm: 96,
  area_line_reach_mm: 372,
  tee_mm: 30,
  diameters_mm: { red: 30, green: 30, jack: 34, striker: 30 },
};

/** Where the tee spot of a seat is, in millimetres. */
export function teeSpot(board, seat) {
  const at = board.field_mm / 2 - board.area_line_mm;
  return { N: [0, -at], E: [at, 0], S: [0, at], W: [-at, 0] }[seat];
}

const LACQUER = { N: "#4a2415", W: "#421f12", E: "#35170d", S: "#2c120a" };
const LINE = "rgb(74 42 18 / 78%)";

/** A repeatable source of chance, so that the wood looks the same each time. */
function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export class BoardDrawing {
  constructor(canvas, board = HIKONE) {
    this.canvas = canvas;
    this.board = board;
    this.extent_mm = board.field_mm + 2 * board.frame_mm;
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
    this.ground = this.paintGround(size);
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

  paintGround(size) {
    const ground = new OffscreenCanvas(size, size);
    const pen = ground.getContext("2d");
    this.centre(pen);
    this.paintFrame(pen);
    this.paintField(pen);
    this.paintLines(pen);
    for (const at of Object.values(this.board.pockets)) {
      this.paintPocket(pen, at);
    }
    return ground;
  }

  paintFrame(pen) {
    const outer = this.extent_mm / 2;
    const inner = this.board.field_mm / 2;
    pen.save();
    pen.beginPath();
    pen.roundRect(-outer, -outer, 2 * outer, 2 * outer, 22);
    pen.clip();
    ["N", "E", "S", "W"].forEach((side, quarter) => {
      pen.save();
      pen.rotate((quarter * Math.PI) / 2);
      pen.beginPath();
      pen.moveTo(-outer, -outer);
      pen.lineTo(outer, -outer);
      pen.lineTo(inner, -inner);
      pen.lineTo(-inner, -inner);
      pen.closePath();
      const sheen = pen.createLinearGradient(0, -outer, 0, -inner);
      sheen.addColorStop(0, "rgb(255 220 180 / 22%)");
      sheen.addColorStop(0.16, "rgb(255 220 180 / 5%)");
      sheen.addColorStop(0.84, "rgb(0 0 0 / 12%)");
      sheen.addColorStop(1, "rgb(0 0 0 / 45%)");
      pen.fillStyle = LACQUER[side];
      pen.fill();
      pen.fillStyle = sheen;
      pen.fill();
      pen.restore();
    });
    pen.strokeStyle = "rgb(20 6 2 / 55%)";
    pen.lineWidth = 0.8;
    pen.beginPath();
    for (const [x, y] of Object.values(corners(1))) {
      pen.moveTo(x * inner, y * inner);
      pen.lineTo(x * outer, y * outer);
    }
    pen.stroke();
    this.paintInlay(pen, inner + 7);
    pen.restore();
  }

  /** A thin line of gold leaf round the field. */
  paintInlay(pen, reach) {
    const gold = pen.createLinearGradient(-reach, -reach, reach, reach);
    for (const [at, colour] of [[0, "#f2d48a"], [0.3, "#b98632"], [0.5, "#f4dc9a"], [0.72, "#a97425"], [1, "#e3bd67"]]) {
      gold.addColorStop(at, colour);
    }
    pen.strokeStyle = gold;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.roundRect(-reach, -reach, 2 * reach, 2 * reach, 5);
    pen.stroke();
  }

  paintField(pen) {
    const half = this.board.field_mm / 2;
    pen.save();
    pen.beginPath();
    pen.rect(-half, -half, 2 * half, 2 * half);
    pen.clip();
    const wood = pen.createLinearGradient(-half, -half, half, half);
    wood.addColorStop(0, "#f0d5a3");
    wood.addColorStop(0.5, "#e6c48b");
    wood.addColorStop(1, "#d8b075");
    pen.fillStyle = wood;
    pen.fillRect(-half, -half, 2 * half, 2 * half);
    this.paintGrain(pen, half);
    const light = pen.createRadialGradient(-half * 0.45, -half * 0.55, 40, 0, 0, half * 1.5);
    light.addColorStop(0, "rgb(255 247 222 / 36%)");
    light.addColorStop(0.55, "rgb(255 240 205 / 0%)");
    light.addColorStop(1, "rgb(80 42 10 / 30%)");
    pen.fillStyle = light;
    pen.fillRect(-half, -half, 2 * half, 2 * half);
    pen.shadowColor = "rgb(30 12 2 / 75%)";
    pen.shadowBlur = 15 * this.scale;
    pen.shadowOffsetX = 3.5 * this.scale;
    pen.shadowOffsetY = 5 * this.scale;
    pen.strokeStyle = "#1d0b05";
    pen.lineWidth = 5;
    pen.strokeRect(-half - 2.5, -half - 2.5, 2 * half + 5, 2 * half + 5);
    pen.restore();
  }

  /** Planks with their grain: long wavering lines, and short flecks between them. */
  paintGrain(pen, half) {
    const random = chance(20200625);
    const planks = 5;
    const width = (2 * half) / planks;
    for (let plank = 0; plank < planks; plank += 1) {
      const top = -half + plank * width;
      pen.save();
      pen.beginPath();
      pen.rect(-half, top, 2 * half, width);
      pen.clip();
      pen.fillStyle = `rgb(${random() < 0.5 ? "120 72 24" : "255 236 196"} / ${3 + random() * 6}%)`;
      pen.fillRect(-half, top, 2 * half, width);
      const heart = top + width * (0.2 + random() * 0.6);
      const phase = random() * 6;
      for (let line = 0; line < 34; line += 1) {
        const y = top + random() * width;
        const bend = (y - heart) * (0.1 + random() * 0.06);
        pen.strokeStyle = `rgb(${random() < 0.75 ? "132 82 32" : "96 56 20"} / ${4 + random() * 13}%)`;
        pen.lineWidth = 0.3 + random() * 1.5;
        pen.beginPath();
        pen.moveTo(-half, y);
        for (let x = -half; x <= half; x += 30) {
          const wave = Math.sin(x / 90 + phase) * bend + Math.sin(x / 23 + line) * 0.5;
          pen.lineTo(x, y + wave);
        }
        pen.stroke();
      }
      for (let fleck = 0; fleck < 130; fleck += 1) {
        const [x, y] = [(random() * 2 - 1) * half, top + random() * width];
        pen.strokeStyle = `rgb(104 62 22 / ${6 + random() * 14}%)`;
        pen.lineWidth = 0.35;
        pen.beginPath();
        pen.moveTo(x, y);
        pen.lineTo(x + 3 + random() * 11, y + random() - 0.5);
        pen.stroke();
      }
      pen.restore();
      pen.fillStyle = "rgb(78 44 14 / 26%)";
      pen.fillRect(-half, top, 2 * half, 0.5);
    }
  }

  paintLines(pen) {
    const { field_mm, circle_mm, jack_spot_mm, area_line_mm, area_line_reach_mm, tee_mm } = this.board;
    const [at, reach] = [field_mm / 2 - area_line_mm, area_line_reach_mm / 2];
    pen.strokeStyle = LINE;
    pen.lineWidth = 1.3;
    ring(pen, 0, 0, circle_mm / 2);
    pen.lineWidth = 0.7;
    ring(pen, 0, 0, circle_mm / 2 - 4);
    pen.lineWidth = 1.3;
    for (let quarter = 0; quarter < 4; quarter += 1) {
      pen.save();
      pen.rotate((quarter * Math.PI) / 2);
      pen.beginPath();
      pen.moveTo(-reach, -at);
      pen.lineTo(-tee_mm / 2, -at);
      pen.moveTo(tee_mm / 2, -at);
      pen.lineTo(reach, -at);
      pen.stroke();
      ring(pen, 0, -at, tee_mm / 2);
      disc(pen, 0, -at, 2.2, LINE);
      disc(pen, -reach, -at, 3.2, LINE);
      disc(pen, reach, -at, 3.2, LINE);
      pen.restore();
    }
    disc(pen, 0, 0, jack_spot_mm / 2, "rgb(158 42 26 / 82%)");
    pen.strokeStyle = "rgb(240 213 163 / 85%)";
    pen.lineWidth = 1.1;
    ring(pen, 0, 0, jack_spot_mm / 2 - 4);
  }

  paintPocket(pen, [x, y]) {
    const radius = this.board.pocket_mm / 2;
    disc(pen, x, y, radius + 2.6, "rgb(92 54 22 / 88%)");
    const rim = pen.createLinearGradient(x - radius, y - radius, x + radius, y + radius);
    rim.addColorStop(0, "#3a1f0d");
    rim.addColorStop(1, "#e9c88d");
    disc(pen, x, y, radius + 1.3, rim);
    const hole = pen.createRadialGradient(x + 5, y + 7, 3, x, y, radius);
    hole.addColorStop(0, "#2b1d14");
    hole.addColorStop(0.62, "#140c07");
    hole.addColorStop(1, "#050302");
    disc(pen, x, y, radius, hole);
  }
}

function boxed(x, y, extent) {
  return [x - extent / 2, y - extent / 2, extent, extent];
}

function disc(pen, x, y, radius, fill) {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

function ring(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.stroke();
}

const TURNED = {
  red: ["#f07a62", "#c93321", "#7e150b"],
  green: ["#57b184", "#1d7a50", "#0b4128"],
  jack: ["#5a4b44", "#241b18", "#070504"],
  striker: ["#fffdf6", "#efe4cf", "#b9a888"],
};

/**
 * One turned and lacquered piece of `diameter` pixels, with room around it for soft edges.
 *
 * Red is a full disc, green an outlined one with a pale inlay, the jack has a ring of gold,
 * the striker is ivory: they differ in shape as well as in colour.
 */
export function paintPiece(kind, diameter) {
  const extent = Math.ceil(diameter * 1.3) + 4;
  const sprite = new OffscreenCanvas(extent, extent);
  const pen = sprite.getContext("2d");
  const radius = diameter / 2;
  pen.translate(extent / 2, extent / 2);
  if (kind === "shadow") {
    const soft = pen.createRadialGradient(0, 0, radius * 0.7, 0, 0, radius * 1.26);
    soft.addColorStop(0, "rgb(40 18 4 / 95%)");
    soft.addColorStop(1, "rgb(40 18 4 / 0%)");
    disc(pen, 0, 0, radius * 1.26, soft);
    return sprite;
  }
  const [light, base, dark] = TURNED[kind];
  const body = pen.createRadialGradient(-radius * 0.35, -radius * 0.45, radius * 0.1, 0, 0, radius);
  body.addColorStop(0, light);
  body.addColorStop(0.55, base);
  body.addColorStop(1, dark);
  disc(pen, 0, 0, radius, body);
  groove(pen, radius * 0.8, radius, kind === "striker" ? "rgb(120 96 60 / 70%)" : "rgb(0 0 0 / 32%)");
  if (kind === "green") {
    const inlay = pen.createLinearGradient(-radius, -radius, radius, radius);
    inlay.addColorStop(0, "#fff4d8");
    inlay.addColorStop(1, "#dcc596");
    disc(pen, 0, 0, radius * 0.52, inlay);
    groove(pen, radius * 0.52, radius, "rgb(10 50 28 / 60%)");
  } else if (kind === "red") {
    groove(pen, radius * 0.42, radius, "rgb(70 6 0 / 38%)");
  } else if (kind === "jack") {
    pen.strokeStyle = "#e3bd67";
    pen.lineWidth = Math.max(1, radius * 0.13);
    ring(pen, 0, 0, radius * 0.58);
    disc(pen, 0, 0, radius * 0.2, "#f2d48a");
  } else {
    pen.strokeStyle = "#6a5a44";
    pen.lineWidth = Math.max(1, radius * 0.09);
    ring(pen, 0, 0, radius * 0.5);
    disc(pen, 0, 0, radius * 0.13, "#6a5a44");
  }
  const gloss = pen.createLinearGradient(0, -radius, 0, radius * 0.2);
  gloss.addColorStop(0, "rgb(255 255 255 / 40%)");
  gloss.addColorStop(1, "rgb(255 255 255 / 0%)");
  pen.fillStyle = gloss;
  pen.beginPath();
  pen.ellipse(-radius * 0.12, -radius * 0.42, radius * 0.66, radius * 0.4, -0.25, 0, 2 * Math.PI);
  pen.fill();
  return sprite;
}

/** A turned groove: a dark line with light on its far edge. */
function groove(pen, radius, outer, colour) {
  pen.lineWidth = Math.max(0.7, outer * 0.06);
  pen.strokeStyle = "rgb(255 255 255 / 22%)";
  ring(pen, pen.lineWidth * 0.5, pen.lineWidth * 0.6, radius);
  pen.strokeStyle = colour;
  ring(pen, 0, 0, radius);
}
