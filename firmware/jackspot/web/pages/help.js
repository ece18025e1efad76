// Three pictures of help over everything, one after the other, while nobody plays.

import { make, renew } from "./dom.js";
import { piece, shape } from "./pieces.js";
import { say } from "./words.js";

const HELP = [
  [say("Pocket a piece"), say("A light beam in each pocket sees that something fell, and the board counts it."), pocketed],
  [say("OK: that is right"), say("FIX: no, look again."), answers],
  [say("Press a button"), say("This only wakes the board."), pressed],
];

/** Show the picture that the board shows, or none. */
export function showHelp(place, { attract }) {
  place.hidden = attract === null;
  document.body.classList.toggle("asleep", attract !== null);
  if (attract === null) {
    return;
  }
  const [first, then, draw] = HELP[attract % HELP.length];
  const dots = make("p", HELP.map((_, index) => (index === attract ? "●" : "○")).join(" "), "dots");
  dots.setAttribute("aria-hidden", "true");
  const picture = shape("svg", { viewBox: "0 0 200 110", class: "help-picture", "aria-hidden": "true" });
  picture.append(...draw());
  renew(place, [picture, make("h2", first), make("p", then), dots]);
}

/** A piece on its way into a pocket, through the light. */
function pocketed() {
  return [
    shape("path", { d: "M20 104V20a14 14 0 0 1 14-14h146", class: "help-wood" }),
    shape("circle", { cx: 52, cy: 40, r: 24, class: "help-pocket" }),
    shape("path", { d: "M20 66L84 14", class: "help-beam" }),
    shape("path", { d: "M150 88L92 59m15-4-15 4 9 12", class: "help-way" }),
    placed(piece("red"), 168, 92, 34),
  ];
}

/** The two buttons. */
function answers() {
  return [...button(62, "OK", "ok"), ...button(140, "FIX", "fix")];
}

/** A finger on a button. */
function pressed() {
  return [...button(100, "OK", "ok"), shape("path", { d: "M100 6v22m-9-9 9 10 9-10", class: "help-way" })];
}

function button(x, word, kind) {
  const text = shape("text", { x, y: 68, class: "help-word" });
  text.textContent = word;
  return [shape("circle", { cx: x, cy: 68, r: 33, class: `help-button ${kind}` }), text];
}

function placed(drawn, x, y, size) {
  for (const [key, value] of Object.entries({ x: x - size / 2, y: y - size / 2, width: size, height: size })) {
    drawn.setAttribute(key, value);
  }
  drawn.classList.add("on-map");
  return drawn;
}
