// What of a board does not move, painted once for each size: frame, wood, lines, pockets.

import { disc, ring } from "./pieces.js";

const LINE = "rgb(74 42 18 / 78%)";
const RED_DOT = "rgb(158 42 26 / 82%)";

/** A board's ground as a canvas of `size` pixels square. */
export function paintGround(board, size) {
  return new Ground(board, size).paint();
}

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

class Ground {
  constructor(board, size) {
    this.board = board;
    this.size = size;
    this.extent_mm = board.field_mm + 2 * board.frame_mm;
    this.scale = size / this.extent_mm;
  }

  paint() {
    const ground = new OffscreenCanvas(this.size, this.size);
    const pen = ground.getContext("2d");
    pen.setTransform(this.scale, 0, 0, this.scale, this.size / 2, this.size / 2);
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
      pen.fillStyle = this.board.lacquer[side];
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
    this.board.wood.forEach((colour, index) => wood.addColorStop(index / 2, colour));
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
    const { planks } = this.board;
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
      for (let line = 0; line < 170 / planks; line += 1) {
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
      for (let fleck = 0; fleck < 650 / planks; fleck += 1) {
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
    if (this.board.base_lines_mm) {
      this.paintBaseLines(pen);
    } else {
      this.paintAreaLines(pen);
    }
  }

  /** The lines of a carrom board: circle, double base lines with their discs, arrows. */
  paintBaseLines(pen) {
    const { field_mm, circle_mm, centre_mm, base_lines_mm, base_reach_mm, base_circle_mm } = this.board;
    const half = field_mm / 2;
    pen.strokeStyle = LINE;
    pen.lineWidth = 1.3;
    ring(pen, 0, 0, circle_mm / 2);
    pen.lineWidth = 0.7;
    ring(pen, 0, 0, circle_mm / 2 - 4);
    disc(pen, 0, 0, centre_mm / 2, RED_DOT);
    const [outer, inner] = base_lines_mm.map((mm) => half - mm);
    const [reach, radius] = [base_reach_mm / 2, base_circle_mm / 2];
    for (let quarter = 0; quarter < 4; quarter += 1) {
      pen.save();
      pen.rotate((quarter * Math.PI) / 2);
      pen.lineWidth = 2.6;
      line(pen, -reach + radius, -outer, reach - radius, -outer);
      pen.lineWidth = 1.1;
      line(pen, -reach + radius, -inner, reach - radius, -inner);
      for (const x of [-reach + radius, reach - radius]) {
        disc(pen, x, -(outer + inner) / 2, radius, "rgb(246 227 187)");
        disc(pen, x, -(outer + inner) / 2, radius - 3.2, RED_DOT);
        pen.lineWidth = 1.3;
        ring(pen, x, -(outer + inner) / 2, radius);
      }
      this.paintArrow(pen);
      pen.restore();
    }
  }

  /** An arrow along a diagonal that points at its pocket, with an arc round its end. */
  paintArrow(pen) {
    const { field_mm, arrow_mm, arrow_arc_mm } = this.board;
    const tip = (field_mm / 2 - 50) * Math.SQRT2;
    pen.save();
    pen.rotate(-Math.PI / 4);
    pen.lineWidth = 1.3;
    line(pen, tip - arrow_mm, 0, tip - 4, 0);
    pen.beginPath();
    pen.moveTo(tip - 16, -5);
    pen.lineTo(tip - 4, 0);
    pen.lineTo(tip - 16, 5);
    pen.stroke();
    pen.beginPath();
    pen.arc(tip - arrow_mm - 6, 0, arrow_arc_mm / 2, Math.PI / 3.2, 2 * Math.PI - Math.PI / 3.2);
    pen.stroke();
    pen.restore();
  }

  paintAreaLines(pen) {
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
    disc(pen, 0, 0, jack_spot_mm / 2, RED_DOT);
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

const corners = (at) => ({ NE: [at, -at], SE: [at, at], SW: [-at, at], NW: [-at, -at] });

function line(pen, from_x, from_y, to_x, to_y) {
  pen.beginPath();
  pen.moveTo(from_x, from_y);
  pen.lineTo(to_x, to_y);
  pen.stroke();
}
