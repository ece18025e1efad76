// The pieces, drawn: each kind has its own shape and its letter as well as its colour.
//
// Red is full, green a ring with a pale middle, white has two fine grooves, black none, brown a
// pale band; the queen has a scalloped edge, the jack a gold ring, the striker a broad rim. How
// a piece counts is told by its line: solid for what is in, dashed for what is only proposed,
// faint and small for what is still to come. pieces.css gives the colours.

import { discLetter } from "./names.js";

const SVG = "http://www.w3.org/2000/svg";
const GROOVES = { red: [10.6], white: [12, 10.4], brown: [11.6], jack: [11.2], striker: [10.8] };

/**
 * Draw a piece: an SVG element of the class `piece`, as large as its CSS says (1.4em).
 *
 * `kind` is a piece of the live state, or a side's name for a piece that has no colour of its
 * own. `state` is `in`, `maybe`, `pending` (not yet for good) or `left`; `letter` is another one than the kind's. To those who
 * cannot see it, it is nothing: the words beside it say what it is.
 */
export function piece(kind, state = "in", letter = discLetter(kind)) {
  const drawn = shape("svg", { viewBox: "0 0 32 32", class: `piece piece-${kind} ${state}`, "aria-hidden": "true" });
  drawn.append(kind === "queen" ? shape("path", { class: "body", d: scallops() }) : circle(14, "body"));
  for (const radius of GROOVES[kind] ?? []) {
    drawn.append(circle(radius, "groove"));
  }
  const text = shape("text", { x: 16, y: 16, class: letter.length > 1 ? "letter-on two" : "letter-on" });
  text.textContent = letter;
  drawn.append(text);
  return drawn;
}

/** Make an SVG element; also for other drawings. */
export function shape(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}

function circle(radius, name) {
  return shape("circle", { cx: 16, cy: 16, r: radius, class: name });
}

/** Ten round teeth on a circle. */
function scallops() {
  const teeth = 10;
  const at = (turn, radius) => {
    const angle = (turn / teeth) * 2 * Math.PI;
    return `${(16 + Math.cos(angle) * radius).toFixed(2)} ${(16 + Math.sin(angle) * radius).toFixed(2)}`;
  };
  const arcs = Array.from({ length: teeth }, (_, tooth) => `A4.1 4.1 0 0 1 ${at(tooth + 1, 12.2)}`);
  return `M${at(0, 12.2)}${arcs.join("")}Z`;
}
