// Small plots as SVG: bars, and how two sides went over a match. No script or style in them;
// colours come from history.css by class. Each has words for those who cannot see it.

import { shape } from "./pieces.js";

const WIDE = 640;
const HIGH = 180;
const EDGE = 28;

/** A bar of `value` in `most`, for a cell of a table. */
export function bar(value, most, name = "") {
  const drawn = svg(100, 8, `plot bar ${name}`, "");
  drawn.setAttribute("preserveAspectRatio", "none");
  const width = most > 0 ? Math.max(0, Math.min(100, (100 * value) / most)) : 0;
  drawn.append(shape("rect", { class: "groove", x: 0, y: 0, width: 100, height: 8, rx: 2 }));
  drawn.append(shape("rect", { class: "fill", x: 0, y: 0, width: width.toFixed(2), height: 8, rx: 2 }));
  return drawn;
}

/**
 * Lines of two sides over the strokes of a match: `lines` has `{ side, values }`, `marks` the
 * strokes after which a board ended. `words` say the same.
 */
export function course(lines, marks, words) {
  const drawn = svg(WIDE, HIGH, "plot course", words);
  const most = Math.max(1, ...lines.flatMap((line) => line.values));
  const count = Math.max(1, ...lines.map((line) => line.values.length - 1));
  const x = (at) => EDGE + ((WIDE - 2 * EDGE) * at) / count;
  const y = (value) => HIGH - EDGE - ((HIGH - 2 * EDGE) * value) / most;
  for (const value of ticks(most)) {
    drawn.append(shape("line", { class: "grid", x1: EDGE, x2: WIDE - EDGE, y1: y(value), y2: y(value) }));
    drawn.append(text(EDGE - 6, y(value) + 4, String(value), "end"));
  }
  for (const at of marks) {
    drawn.append(shape("line", { class: "mark", x1: x(at), x2: x(at), y1: EDGE / 2, y2: HIGH - EDGE }));
  }
  lines.forEach((line, index) => {
    const points = line.values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
    drawn.append(shape("polyline", { class: `line side-${line.side} line-${index}`, points: points.join(" ") }));
  });
  return drawn;
}

/** A bar for each stroke, as high as it took long; `strokes` has `{ seconds, side }` or null. */
export function times(strokes, words) {
  const drawn = svg(WIDE, 90, "plot times", words);
  const most = Math.max(1, ...strokes.map((stroke) => stroke?.seconds ?? 0));
  const step = (WIDE - 2 * EDGE) / Math.max(1, strokes.length);
  strokes.forEach((stroke, at) => {
    if (stroke !== null) {
      const high = Math.max(1, (60 * stroke.seconds) / most);
      drawn.append(shape("rect", {
        class: `fill side-${stroke.side}`,
        x: (EDGE + at * step + step * 0.1).toFixed(1),
        y: (70 - high).toFixed(1),
        width: (step * 0.8).toFixed(1),
        height: high.toFixed(1),
      }));
    }
  });
  drawn.append(shape("line", { class: "grid", x1: EDGE, x2: WIDE - EDGE, y1: 70, y2: 70 }));
  drawn.append(text(EDGE - 6, 16, String(Math.round(most)), "end"));
  return drawn;
}

function svg(width, height, name, words) {
  const drawn = shape("svg", { viewBox: `0 0 ${width} ${height}`, class: name });
  if (words) {
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", words);
  } else {
    drawn.setAttribute("aria-hidden", "true");
  }
  return drawn;
}

function text(x, y, words, anchor) {
  const drawn = shape("text", { x, y, "text-anchor": anchor });
  drawn.textContent = words;
  return drawn;
}

/** Round values for the lines of a grid, four at most. */
function ticks(most) {
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500].find((each) => most / each <= 4) ?? most;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}
