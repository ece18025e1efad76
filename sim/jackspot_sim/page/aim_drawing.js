// What is drawn above the board: whose turn it is and what that seat may not strike, and while
// somebody aims the line, the striker, band and arrow.

import { bandEnd } from "./aim.js";
import { seenFrom } from "./seats.js";

const SVG = "http://www.w3.org/2000/svg";
/** The bar on the frame before whoever is to shoot, along it and across. */
const TURN_MM = [190, 13];

/** A hand whose fingertip is at 0, 0 and which reaches in from below. */
const HAND = "M-8 2a8 8 0 0 1 16 0v36q20 1 22 16v46h-44q-4-18-15-30-6-8 1-12 8-3 14 6l6 6z";

export class AimDrawing {
  constructor(svg, { grip, rail }) {
    this.svg = svg;
    this.grip = grip;
    this.rail = rail;
    this.parts = {};
    for (const [name, tag] of [["turn", "rect"], ["area", "rect"], ["forbidden", "path"],
      ["legal", "path"], ["line", "path"], ["goal", "circle"], ["way", "line"], ["meeting", "circle"],
      ["band", "path"], ["nock", "circle"], ["power", "path"], ["ring", "circle"], ["hand", "path"]]) {
      const part = document.createElementNS(SVG, tag);
      part.setAttribute("class", `aim-${name}`);
      svg.append(part);
      this.parts[name] = part;
    }
  }

  /**
   * Mark the frame before whoever is to shoot, `turn` as `{seat, side}` or null, and where the
   * rules forbid that seat to strike what lies in its own area that area and those pieces.
   */
  showTurn(board, turn, area, forbidden) {
    const { turn: bar, area: ground, forbidden: signs } = this.parts;
    bar.style.display = turn === null ? "none" : "";
    if (turn !== null) {
      const [x, y] = seenFrom(turn.seat, 0, board.field_mm / 2 + board.frame_mm * 0.58);
      const across = turn.seat === "E" || turn.seat === "W";
      bar.setAttribute("class", `aim-turn side-${turn.side}`);
      put(bar, [x, y], across ? TURN_MM.toReversed() : TURN_MM);
      set(bar, { rx: TURN_MM[1] / 2 });
    }
    const marked = area !== null && board.area_line_mm !== undefined;
    ground.style.display = marked ? "" : "none";
    if (marked) {
      const half = board.field_mm / 2;
      const line = half - board.area_line_mm;
      const across = area === "E" || area === "W";
      const size = [board.field_mm, board.area_line_mm];
      put(ground, seenFrom(area, 0, (half + line) / 2), across ? size.toReversed() : size);
    }
    signs.setAttribute("d", forbidden.map((piece) => noEntry(piece, (board.diameters_mm[piece.kind] ?? 30) / 2)).join(""));
  }

  /** Draw an aim, and put what fingers hold where it is. `spot`: pieces are to be put there. */
  show(aim, spot) {
    const { board } = aim;
    const extent = board.field_mm + 2 * board.frame_mm;
    this.svg.setAttribute("viewBox", `${-extent / 2} ${-extent / 2} ${extent} ${extent}`);
    this.showGoal(aim, spot);
    const shown = aim.ready && aim.seat !== null;
    this.grip.hidden = !(shown && aim.offered);
    this.rail.hidden = !(aim.offered && aim.seat !== null);
    for (const name of ["line", "legal", "ring"]) {
      this.parts[name].style.display = shown ? "" : "none";
    }
    const aiming = shown && aim.power > 0;
    for (const name of ["way", "meeting", "power"]) {
      this.parts[name].style.display = aiming ? "" : "none";
    }
    for (const name of ["band", "nock"]) {
      this.parts[name].style.display = shown && aim.pulled !== null ? "" : "none";
    }
    if (shown || !this.rail.hidden) {
      this.showPlace(aim, extent);
    }
    this.showHand(aim, shown && !aim.offered);
    if (shown) {
      this.showBand(aim);
    }
    if (aiming) {
      this.showWay(aim);
    }
    this.svg.classList.toggle("blocked", shown && aim.offered && aim.blocked !== undefined);
    this.svg.classList.toggle("illegal", shown && aim.offered && !aim.legal);
  }

  /** The hand of a computer player, at the striker or where it has drawn it back to. */
  showHand(aim, shown) {
    const { hand } = this.parts;
    hand.style.display = shown ? "" : "none";
    if (shown) {
      const [at_x, at_y] = aim.at;
      const [x, y] = aim.pulled === null ? [at_x, at_y] : bandEnd(aim.at, aim.pulled);
      const [dx, dy] = aim.direction;
      const degrees = (Math.atan2(-dy, -dx) * 180) / Math.PI - 90;
      set(hand, { d: HAND, transform: `translate(${x} ${y}) rotate(${degrees})` });
    }
  }

  showGoal({ board }, spot) {
    const { goal } = this.parts;
    goal.style.display = spot ? "" : "none";
    set(goal, { cx: 0, cy: 0, r: spot === "circle" ? board.circle_mm / 2 : 27 });
  }

  /** The line, a ring round the striker, and the areas that fingers hold. */
  showPlace(aim, extent) {
    const { along_mm, out_mm } = aim.placing;
    const onLine = Math.abs(aim.out - out_mm[1]) < 2 * aim.radius;
    const gap = onLine ? aim.radius + 8 : 0;
    const ends = [[-along_mm, Math.min(aim.along - gap, along_mm)], [Math.max(aim.along + gap, -along_mm), along_mm]]
      .filter(([from, to]) => from < to);
    const points = ends.map((end) => end.map((along) => seenFrom(aim.seat, along, out_mm[1]).join(" ")));
    this.parts.line.setAttribute("d", points.map(([from, to]) => `M${from}L${to}`).join(""));
    this.showLegal(aim);
    const [x, y] = aim.at;
    set(this.parts.ring, { cx: x, cy: y, r: aim.radius + 5 });
    const share = (mm) => `${(mm / extent + 0.5) * 100}%`;
    this.grip.style.left = share(x);
    this.grip.style.top = share(y);
    const inner = out_mm[1] - 26;
    const outer = extent / 2;
    const corners = [seenFrom(aim.seat, -along_mm - 50, inner), seenFrom(aim.seat, along_mm + 50, outer)];
    const [left, right] = [corners[0][0], corners[1][0]].sort((a, b) => a - b);
    const [top, bottom] = [corners[0][1], corners[1][1]].sort((a, b) => a - b);
    Object.assign(this.rail.style, {
      left: share(left), top: share(top),
      width: `${((right - left) / extent) * 100}%`, height: `${((bottom - top) / extent) * 100}%`,
    });
    this.rail.dataset.seat = aim.seat;
  }

  /** All the ground that a striker may cover, in its whole breadth. */
  showLegal(aim) {
    const { placing, seat, radius } = aim;
    const { out_mm: [least, , most], spots } = placing;
    const along_mm = aim.onlyTheTee ? 0 : placing.along_mm;
    const from = seenFrom(seat, -along_mm, (least + most) / 2).join(" ");
    const to = seenFrom(seat, along_mm, (least + most) / 2).join(" ");
    const ends = spots.map((spot) => seenFrom(seat, ...spot).join(" "));
    this.parts.legal.setAttribute("d", `M${from}L${to}${ends.map((at) => `M${at}L${at}`).join("")}`);
    this.parts.legal.setAttribute("stroke-width", aim.onlyTheTee ? 2 * radius : most - least + 2 * radius);
  }

  showBand(aim) {
    if (aim.pulled === null) {
      return;
    }
    const [x, y] = aim.at;
    const [end_x, end_y] = bandEnd(aim.at, aim.pulled);
    const length = Math.hypot(end_x - x, end_y - y) || 1;
    const [side_x, side_y] = [((y - end_y) / length) * aim.radius, ((end_x - x) / length) * aim.radius];
    this.parts.band.setAttribute("d", `M${x + side_x} ${y + side_y}L${end_x} ${end_y}L${x - side_x} ${y - side_y}`);
    set(this.parts.nock, { cx: end_x, cy: end_y, r: 7 });
  }

  /** The way to the first meeting, a ghost of the striker there, and the power as an arc. */
  showWay(aim) {
    const [x, y] = aim.at;
    const meeting = aim.meeting;
    const [dx, dy] = aim.direction;
    const gap = aim.radius + 6;
    set(this.parts.way, { x1: x + dx * gap, y1: y + dy * gap, x2: meeting.x, y2: meeting.y });
    set(this.parts.meeting, { cx: meeting.x, cy: meeting.y, r: aim.radius });
    const radius = aim.radius + 11;
    const sweep = Math.max(aim.power * 359.9, 1) * (Math.PI / 180);
    const start = Math.atan2(dy, dx);
    const [from_x, from_y] = [x + Math.cos(start) * radius, y + Math.sin(start) * radius];
    const [to_x, to_y] = [x + Math.cos(start + sweep) * radius, y + Math.sin(start + sweep) * radius];
    this.parts.power.setAttribute(
      "d", `M${from_x} ${from_y}A${radius} ${radius} 0 ${sweep > Math.PI ? 1 : 0} 1 ${to_x} ${to_y}`,
    );
    this.svg.style.setProperty("--power", `${Math.round(aim.power * 100)}%`);
  }
}

/** Put a rectangle of a size around its middle. */
function put(part, [x, y], [width, height]) {
  set(part, { x: x - width / 2, y: y - height / 2, width, height });
}

/** A ring round a piece with a bar through it. */
function noEntry({ x, y }, radius) {
  const ring = radius + 1;
  const bar = ring * Math.SQRT1_2;
  return `M${x - ring} ${y}a${ring} ${ring} 0 1 0 ${2 * ring} 0a${ring} ${ring} 0 1 0 ${-2 * ring} 0`
    + `M${x - bar} ${y - bar}L${x + bar} ${y + bar}`;
}

function set(part, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    part.setAttribute(name, typeof value === "number" ? value.toFixed(2) : value);
  }
}
