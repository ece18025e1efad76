// A board at which nobody plays: the event, which board this is, and its pieces as they are set up.

import { element, make, renew } from "./dom.js";
import { rulesName } from "./names.js";
import { piece, shape } from "./pieces.js";

const RING = 12;
const SIZE = 26;

/** Show it while the board sleeps before a match; what was played last stays to be seen. */
export function showIdle(place, state) {
  place.hidden = state.attract === null || state.phase !== "setup";
  if (place.hidden) {
    return;
  }
  const words = make("div", "", "words");
  const event = element("event").textContent;
  words.append(make("p", event, "event"), make("h2", state.board), make("p", rulesName(state.rules), "rules"));
  renew(place, [ring(state), words]);
}

/** The pieces of both sides around the one in the middle. */
function ring({ sides, centre_piece: centre }) {
  const made = shape("svg", { viewBox: "-62 -62 124 124", class: "ring", "aria-hidden": "true" });
  for (let place = 0; place < RING; place += 1) {
    const turn = (place / RING) * 2 * Math.PI;
    made.append(laid(sides[place % 2].side, Math.sin(turn) * 48, -Math.cos(turn) * 48));
  }
  made.append(laid(centre.piece, 0, 0));
  return made;
}

function laid(kind, x, y) {
  const drawn = piece(kind);
  for (const [key, value] of Object.entries({ x: x - SIZE / 2, y: y - SIZE / 2, width: SIZE, height: SIZE })) {
    drawn.setAttribute(key, value);
  }
  drawn.classList.add("laid");
  return drawn;
}
