// The score over a picture: a bar with a transparent ground, for streaming software.
//
// The address says how it looks (see FORMATS.md): at, size, width, margin, show, theme, lang.

import { clockFrom, left, minutes } from "./clock.js";
import { element, make, put, putOrHide, renew } from "./dom.js";
import { listen } from "./live.js";
import { sideName, tallyName } from "./names.js";
import { showPlacing, showProposal, story } from "./now.js";
import { piece } from "./pieces.js";
import { furtherTallies, inTurn, largeNumber, nameLine } from "./side.js";
import { fillWords, inLanguage, say } from "./words.js";

const PLACES = ["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"];
const SHOWN = ["all", "score"];
const THEMES = ["dark", "light", "contrast", "sun"];
const SOON_MS = 60000;
let clock = null;

/** What the address may say: how a text is read (undefined: it makes no sense), and what else counts. */
export const PARAMETERS = {
  at: { read: oneOf(PLACES), usual: "bottom", expected: PLACES.join(", ") },
  size: { read: number(0.5, 4), usual: 1, expected: "0.5 … 4" },
  width: { read: number(300, 3840), usual: null, expected: "300 … 3840" },
  margin: { read: number(0, 400), usual: 40, expected: "0 … 400" },
  show: { read: oneOf(SHOWN), usual: "all", expected: SHOWN.join(", ") },
  theme: { read: oneOf(THEMES), usual: "dark", expected: THEMES.join(", ") },
};

function oneOf(values) {
  return (text) => values.find((one) => one === text);
}

function number(least, most) {
  return (text) => (text.trim() !== "" && Number(text) >= least && Number(text) <= most ? Number(text) : undefined);
}

/** Read the address; what makes no sense is said on the page and taken as usual. */
function arrange() {
  const asked = new URLSearchParams(location.search);
  const wrong = [];
  const chosen = {};
  for (const [name, { read, usual, expected }] of Object.entries(PARAMETERS)) {
    const text = asked.get(name);
    const value = text === null ? usual : read(text);
    if (value === undefined) {
      wrong.push(say("{name}={found}: expected {expected}", { name, found: text.slice(0, 20), expected }));
    }
    chosen[name] = value ?? usual;
  }
  const { style, dataset } = document.documentElement;
  Object.assign(dataset, { theme: chosen.theme, at: chosen.at, show: chosen.show });
  style.setProperty("--scale", String(chosen.size));
  style.setProperty("--margin", `${chosen.margin}px`);
  if (chosen.width !== null) {
    style.setProperty("--bar-width", `${chosen.width}px`);
  }
  putOrHide(element("wrong"), wrong.join(" · "));
}

function show(state) {
  clock = clockFrom(state);
  showClock();
  put(element("board"), state.board);
  element("overlay").hidden = false;
  state.sides.forEach((_, index) => showSide(element(`side-${index}`), state, index));
  renew(element("standing"), furtherTallies(state).map(standing));
  renew(element("headline"), story(state));
  showPlacing(element("place"), state);
  showProposal(element("proposal"), state);
}

function showSide(section, state, index) {
  const side = state.sides[index];
  const shoots = inTurn(side, state);
  const won = state.winner === side.side;
  section.className = `side side-${side.side}`;
  section.classList.toggle("shoots", shoots);
  section.classList.toggle("won", won);
  const who = make("span", "", "who");
  who.append(nameLine(sideName(side, state)), ...sideNotes(side, state));
  const mark = make("span", shoots ? "▶" : won ? "★" : "", "mark");
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", shoots ? say("to shoot") : won ? say("winner") : "");
  mark.hidden = mark.textContent === "";
  renew(section, [piece(side.side, "in emblem"), who, mark, make("b", String(largeNumber(state, index)), "count")]);
}

function sideNotes(side, { centre_piece: centre, free, turn }) {
  const notes = [];
  if (side.owed > 0) {
    notes.push(make("span", say("owes {n}", { n: side.owed }), "owed"));
  }
  if (centre.side === side.side && free === null) {
    notes.push(piece(centre.piece, centre.place === "pending" ? "pending" : "held"));
  }
  if (side.seats.length > 1 && side.seats.includes(turn) && !side.names.some(Boolean)) {
    notes.push(make("span", turn, "seat"));
  }
  return notes;
}

function standing({ tally, counts: [one, two] }) {
  return make("span", `${tallyName(tally)} ${one}:${two}`);
}

function showClock() {
  const shown = clock !== null && clock.limit_ms > 0;
  element("clock").hidden = !shown;
  if (shown) {
    const remaining = left(clock);
    put(element("clock"), minutes(remaining));
    element("clock").classList.toggle("soon", remaining <= SOON_MS);
    element("clock").classList.toggle("stopped", !clock.running);
  }
}

function showStatus(status) {
  document.body.classList.toggle("stale", status === "lost");
  putOrHide(element("status"), status === "lost" ? say("connection lost, trying again") : "");
}

arrange();
fillWords();
setInterval(showClock, 200);
listen(inLanguage("/api/events"), { message: show }, showStatus);
