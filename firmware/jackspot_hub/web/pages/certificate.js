// Certificates: one person a sheet, in a frame that has a board's four pockets for its corners.

import { make } from "/dom.js";
import { say } from "/words.js";
import { names } from "./told.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 186;
const HIGH = 270;
const POCKET = 13;
const RING = 12;

/** The certificates of a contest that is over, down to a place; `named` knows names in full, if anybody does. */
export function certificates(contest, said) {
  return contest.places.filter(({ first }) => first <= said.places)
    .flatMap(({ first, who, entrants }) => who.map((side, of) => said.named(entrants[of]) ?? side)
      .flatMap((side) => side.map((_name, at) => certificate(contest, said, first, side, at))));
}

function certificate(contest, { event, date, signs }, place, side, at) {
  const made = make("article", "", "paper certificate");
  const mates = side.filter((_name, other) => other !== at);
  const words = make("div", "", "words");
  words.append(ring(), make("p", event, "event fits"), make("h2", say("Certificate")));
  words.append(...named(side[at]));
  if (mates.length > 0) {
    words.append(make("p", say("with {names}", { names: names(mates) }), "mates fits"));
  }
  words.append(make("p", ordinal(place), "reached fits"), make("p", contest.title, "contest fits"), make("p", date, "date"));
  const lines = make("div", "", "signs");
  lines.append(...signs.map((who) => make("p", who)));
  made.append(frame(), words, lines);
  return made;
}

/** A name; of somebody whom the public knows by a number the line is for a pen. */
function named(name) {
  return /^\d+$/.test(name) ? [make("p", "", "name"), make("p", name, "mates")] : [make("p", name, "name fits")];
}

function ordinal(place) {
  const known = [say("1st place"), say("2nd place"), say("3rd place")];
  return known[place - 1] ?? say("Place {n}", { n: place });
}

// --- drawn -----------------------------------------------------------------------------------

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}

function drawing(box, className) {
  return shape("svg", { viewBox: box, class: className, "aria-hidden": "true" });
}

/** Two lines around the sheet that give way to the pockets. */
function frame() {
  const made = drawing(`0 0 ${WIDE} ${HIGH}`, "frame");
  for (const [inset, width] of [[2, 0.9], [4.2, 0.3]]) {
    const [left, top, right, bottom, cut] = [inset, inset, WIDE - inset, HIGH - inset, POCKET];
    made.append(shape("path", {
      class: "line",
      "stroke-width": width,
      d: `M${left + cut} ${top}H${right - cut}A${cut} ${cut} 0 0 0 ${right} ${top + cut}V${bottom - cut}`
        + `A${cut} ${cut} 0 0 0 ${right - cut} ${bottom}H${left + cut}A${cut} ${cut} 0 0 0 ${left} ${bottom - cut}`
        + `V${top + cut}A${cut} ${cut} 0 0 0 ${left + cut} ${top}Z`,
    }));
  }
  for (const x of [6, WIDE - 6]) {
    for (const y of [6, HIGH - 6]) {
      made.append(shape("circle", { cx: x, cy: y, r: 3.6, class: "line", "stroke-width": 0.6 }), shape("circle", { cx: x, cy: y, r: 1.4 }));
    }
  }
  return made;
}

/** The pieces as they are set up: one side's full, the other's rings, the jack in the middle. */
function ring() {
  const made = drawing("-32 -32 64 64", "ring");
  for (let at = 0; at < RING; at += 1) {
    const turn = (at / RING) * 2 * Math.PI;
    const [x, y] = [Math.sin(turn) * 24, -Math.cos(turn) * 24].map((each) => each.toFixed(2));
    if (at % 2) {
      made.append(shape("circle", { cx: x, cy: y, r: 4.9, class: "line", "stroke-width": 1.1 }));
    } else {
      made.append(shape("circle", { cx: x, cy: y, r: 5.4 }));
    }
  }
  made.append(shape("circle", { cx: 0, cy: 0, r: 6.2 }), shape("circle", { cx: 0, cy: 0, r: 8.6, class: "line", "stroke-width": 0.9 }));
  return made;
}
