// What is drawn above the board while somebody aims: the line, the striker, band and arrow.

import { bandEnd } from "./aim.js";
import { seenFrom } from "./seats.js";

const SVG = "http://www.w3.org/2000/svg";

export class AimDrawing {
  constructor(svg, { grip, rail }) {
    this.svg = svg;
    this.grip = grip;
    this.rail = rail;
    this.parts = {};
    for (const [name, tag] of [["line", "path"], ["goal", "circle"], ["way", "line"], ["meeting", "circle"],
      ["band", "path"], ["nock", "circle"], ["power", "path"], ["ring", "circle"]]) {
      const part = document.createElementNS(SVG, tag);
      part.setAttribute("class", `aim-${name}`);
      svg.append(part);
      this.parts[name] = part;
    }
  }

  /** Draw an aim, and put what fingers hold where it is. `spot`: pieces are to be put there. */
  show(aim, spot) {
    const { board } = aim;
    const extent = board.field_mm + 2 * board.frame_mm;
    this.svg.setAttribute("viewBox", `${-extent / 2} ${-extent / 2} ${extent} ${extent}`);
    this.showGoal(aim, spot);
    const shown = aim.ready && aim.seat !== null;
    this.grip.hidden = !shown;
    this.rail.hidden = !(aim.offered && aim.seat !== null);
    for (const name of ["line", "ring"]) {
      this.parts[name].style.display = shown ? "" : "none";
    }
    const aiming = shown && aim.power > 0;
    for (const name of ["way", "meeting", "power"]) {
      this.parts[name].style.display = aiming ? "" : "none";
    }
    for (const name of ["band", "nock"]) {
      this.parts[name].style.display = shown && aim.pulled !== null ? "" : "none";
    }
    if (!this.rail.hidden) {
      this.showPlace(aim, extent);
    }
    if (shown) {
      this.showBand(aim);
    }
    if (aiming) {
      this.showWay(aim);
    }
    this.svg.classList.toggle("blocked", shown && aim.blocked !== undefined);
  }

  showGoal({ board }, spot) {
    const { goal } = this.parts;
    goal.style.display = spot ? "" : "none";
    set(goal, { cx: 0, cy: 0, r: spot === "circle" ? board.circle_mm / 2 : 27 });
  }

  /** The line, a ring round the striker, and the areas that fingers hold. */
  showPlace(aim, extent) {
    const { along_mm, out_mm } = aim.placing;
    const gap = aim.radius + 8;
    const ends = [[-along_mm, aim.along - gap], [aim.along + gap, along_mm]].filter(([from, to]) => from < to);
    const points = ends.map((end) => end.map((along) => seenFrom(aim.seat, along, out_mm[1]).join(" ")));
    this.parts.line.setAttribute("d", points.map(([from, to]) => `M${from}L${to}`).join(""));
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

function set(part, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    part.setAttribute(name, typeof value === "number" ? value.toFixed(2) : value);
  }
}
