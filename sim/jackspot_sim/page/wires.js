// The edges on the wires: a strip of the last seconds, as a logic analyser shows it, and a log.

import { say } from "/words.js";

const KEPT = 400;
const SHOWN = 60;
const SPAN_NS = 10e9;
const LANES = 6;
const FIRST_LANES = ["pocket_nw", "pocket_ne", "pocket_se", "pocket_sw"];

export class Wires {
  constructor(canvas, list) {
    this.canvas = canvas;
    this.list = list;
    this.edges = [];
    this.newest_ns = 0;
    this.arrived_ms = 0;
    this.speed = 1;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.running = false;
  }

  /** Begin anew: what comes next is on another clock. */
  forget() {
    this.edges = [];
    this.newest_ns = 0;
    this.list.replaceChildren();
    this.run();
  }

  add(lines) {
    const added = lines.map(([number, at_ns, wire, active]) => ({ number, at_ns, wire, active }));
    for (const edge of added) {
      edge.width_ns = edge.active ? null : this.since(edge);
      this.edges.push(edge);
    }
    this.edges.splice(0, Math.max(0, this.edges.length - KEPT));
    this.newest_ns = this.edges.at(-1).at_ns;
    this.arrived_ms = performance.now();
    this.write(added.slice(-SHOWN));
    this.run();
  }

  /** How long the wire was active before this edge. */
  since(edge) {
    const before = this.edges.findLast((one) => one.wire === edge.wire && one.active);
    return before ? edge.at_ns - before.at_ns : null;
  }

  write(added) {
    const lines = added.map(({ at_ns, wire, active, width_ns }) => {
      const line = document.createElement("li");
      line.className = active ? "up" : "down";
      const cells = [`${(at_ns / 1e9).toFixed(4)} s`, wire, active ? say("active") : width(width_ns)];
      line.append(...cells.map((text, place) => {
        const cell = document.createElement(place === 1 ? "b" : "span");
        cell.textContent = text;
        return cell;
      }));
      return line;
    });
    // All lines anew, the newest first: none of them is seen to move.
    const kept = [...this.list.children].slice(0, SHOWN - lines.length).map((line) => line.cloneNode(true));
    this.list.replaceChildren(...lines.reverse(), ...kept);
  }

  run() {
    if (!this.running) {
      this.running = true;
      requestAnimationFrame(() => this.frame());
    }
  }

  frame() {
    const passed_ns = (performance.now() - this.arrived_ms) * 1e6 * this.speed;
    const idle = passed_ns > SPAN_NS || this.edges.length === 0;
    this.draw(this.newest_ns + Math.min(passed_ns, SPAN_NS));
    this.running = !idle && !this.calm.matches;
    if (this.running) {
      requestAnimationFrame(() => this.frame());
    }
  }

  draw(now_ns) {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) {
      return;
    }
    this.canvas.width = clientWidth * devicePixelRatio;
    this.canvas.height = clientHeight * devicePixelRatio;
    const pen = this.canvas.getContext("2d");
    pen.scale(devicePixelRatio, devicePixelRatio);
    const style = getComputedStyle(this.canvas);
    const [ink, quiet] = [style.getPropertyValue("--accent"), style.getPropertyValue("--quiet")];
    const height = clientHeight / LANES;
    pen.font = `${Math.min(11, height * 0.7)}px ${style.getPropertyValue("--mono")}`;
    pen.textBaseline = "middle";
    this.lanes(now_ns).forEach((wire, lane) => {
      const base = (lane + 0.82) * height;
      pen.fillStyle = quiet;
      pen.fillText(wire, 4, base - height * 0.28);
      this.trace(pen, wire, now_ns, { base, top: base - height * 0.62, left: 92, right: clientWidth - 4, ink });
    });
  }

  /** The four beams, then the buttons that moved last. */
  lanes(now_ns) {
    const recent = this.edges.filter((edge) => now_ns - edge.at_ns < SPAN_NS).reverse();
    const buttons = new Set(recent.map((edge) => edge.wire).filter((wire) => !FIRST_LANES.includes(wire)));
    return [...FIRST_LANES, ...[...buttons].slice(0, LANES - FIRST_LANES.length)];
  }

  trace(pen, wire, now_ns, { base, top, left, right, ink }) {
    const mine = this.edges.filter((edge) => edge.wire === wire);
    const start_ns = now_ns - SPAN_NS;
    const x = (at_ns) => left + ((Math.max(at_ns, start_ns) - start_ns) / SPAN_NS) * (right - left);
    let level = mine.findLast((edge) => edge.at_ns < start_ns)?.active ?? false;
    pen.strokeStyle = ink;
    pen.lineWidth = 1.4;
    pen.beginPath();
    pen.moveTo(left, level ? top : base);
    for (const edge of mine.filter((one) => one.at_ns >= start_ns)) {
      pen.lineTo(x(edge.at_ns), level ? top : base);
      level = edge.active;
      pen.lineTo(x(edge.at_ns), level ? top : base);
    }
    pen.lineTo(right, level ? top : base);
    pen.stroke();
  }
}

function width(width_ns) {
  if (width_ns === null) {
    return say("clear");
  }
  return width_ns < 1e9 ? `${(width_ns / 1e6).toFixed(1)} ms` : `${(width_ns / 1e9).toFixed(2)} s`;
}
