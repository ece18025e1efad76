// The score for those who look on. It only shows; what is proposed never looks like what counts.

import { clockFrom, left, minutes } from "./clock.js";
import { listen } from "./live.js";
import { pieceName, tallyName } from "./names.js";
import { showAsked, showHelp, showQueue } from "./talk.js";
import { fillWords, inLanguage, languageSwitch, list, say, sayCount } from "./words.js";

const element = (id) => document.getElementById(id);
const SHOT_SOON_MS = 5000;
let clock = null;
let shot = null;

function show(state) {
  clock = clockFrom(state);
  shot = state.shot === null ? null : clockFrom(state, 1, state.shot);
  showClock();
  element("board").textContent = state.board;
  element("which").textContent = which(state);
  document.title = `${state.sides.map((side) => `${side.letter} ${side.score}`).join(" : ")} · ${state.board}`;
  state.sides.forEach((side, index) => {
    element(`side-${index}`).replaceChildren(...sideParts(side, state, index));
    element(`side-${index}`).className = `side side-${side.side}`;
    element(`side-${index}`).classList.toggle("shoots", side.shoots);
    element(`side-${index}`).classList.toggle("won", state.winner === side.side);
  });
  const asked = state.proposal !== null || state.menu !== null;
  element("headline").textContent = asked ? "" : state.prompts.headline;
  const hints = state.hints.filter((hint) => !state.prompts.detail.includes(hint));
  element("detail").textContent = asked ? "" : [state.prompts.detail, ...hints].filter(Boolean).join(" · ");
  showAsked(element("proposal"), state);
  showQueue(element("queue"), state);
  showHelp(element("help"), state);
  showPlace(state);
  element("ruling").textContent = state.last?.words ?? "";
  element("faults").replaceChildren(
    ...state.faults.map((fault) => make("li", `${fault.what}: ${fault.remedy}`)),
  );
}

/** Which board of which match is played: "kagw · board 2 of 3". */
function which({ rules, game, board_number, best_of, free }) {
  if (free !== null) {
    return rules;
  }
  if (game !== null && best_of > 1) {
    const { number, board } = game;
    return `${rules} · ${say("game {number} of {best_of}, board {board}", { number, best_of, board })}`;
  }
  if (game !== null) {
    return `${rules} · ${say("board {board}", { board: game.board })}`;
  }
  return best_of > 1 ? `${rules} · ${say("board {board} of {best_of}", { board: board_number, best_of })}` : rules;
}

function sideParts(side, state, index) {
  const seated = side.names.filter(Boolean).join(" & ") || side.seats.join(" + ");
  const name = state.free === null ? seated : side.name;
  const head = make("h2", "");
  head.append(make("b", side.letter, "letter"), make("span", name, "name"));
  const won = state.winner === side.side;
  head.append(make("span", side.shoots ? say("to shoot") : won ? say("winner") : "", "turn"));
  const counted = state.free === null ? side.score : (state.free.counts[index]?.count ?? 0);
  const notes = make("p", "", "notes");
  notes.append(...sideNotes(side, state, index));
  return [head, make("p", String(counted), "count"), pucks(side, state), notes];
}

/** A place for each of its pieces: filled for what is in, dashed for what is proposed. */
function pucks(side, state) {
  const row = make("p", "", "pucks");
  const shared = side.pieces.length > 1;
  row.setAttribute("aria-label", shared ? say("{n} in", { n: side.pocketed }) : say("{n} in, {left} left", { n: side.pocketed, left: side.left }));
  row.setAttribute("role", "img");
  const proposed = (state.proposal?.departures ?? []).filter(
    (one) => side.pieces.includes(one.piece) && !one.flew_off && (!shared || side.shoots),
  ).length;
  const places = shared ? side.pocketed + (side.shoots ? proposed : 0) : side.pocketed + side.left;
  for (let place = 0; place < places; place += 1) {
    const maybe = place >= side.pocketed && place < side.pocketed + proposed;
    row.append(make("i", "", place < side.pocketed ? "in" : maybe ? "maybe" : ""));
  }
  return row;
}

function sideNotes(side, state, index) {
  const { centre_piece: centre, standing } = state;
  const notes = [];
  if (side.owed > 0) {
    notes.push(make("span", say("owes {n}", { n: side.owed }), "owed"));
  }
  if (side.all_in && centre.place === "board") {
    notes.push(make("span", say("plays the {piece}", { piece: pieceName(centre.piece) })));
  }
  if (centre.side === side.side) {
    const pending = centre.place === "pending";
    notes.push(make("span", pending ? say("must cover the queen") : say("has the queen"), pending ? "queen pending" : "queen"));
  }
  if (side.pieces.length > 1 && state.free === null) {
    notes.push(make("span", sayCount("{n} piece", "{n} pieces", side.pocketed)));
  }
  for (const { tally, counts } of standing.filter((one) => one.counts.some(Boolean))) {
    notes.push(make("span", `${tallyName(tally)} ${counts[index]}`));
  }
  return notes;
}

function showPlace(state) {
  const words = state.by_hand.length > 0 ? [say("{pocket} by hand", { pocket: list(state.by_hand) })] : [];
  if (state.place.length > 0) {
    words.push(back(state));
  }
  if (state.fetch.length > 0) {
    words.push(say("striker in {pocket}", { pocket: list(state.fetch.map((pocket) => pocket ?? "?")) }));
  }
  const centre = state.free?.counts.find(({ piece }) => piece === state.centre_piece.piece);
  if (centre?.count > 0) {
    words.push(say("the {piece} is in", { piece: pieceName(centre.piece) }));
  }
  element("place").hidden = words.length === 0;
  element("place").textContent = words.join(" · ");
}

/** What goes back where, and who puts it there. */
function back({ place, placing, centre_piece: centre }) {
  if (centre.piece === "jack" || placing.length === 0) {
    return say("back to the middle, bottom to top: {pieces}", { pieces: named(place) });
  }
  return placing
    .map(({ pieces, by, where }) => say("{who}: {pieces} {where}", { who: by || say("put back"), pieces: named(pieces), where }))
    .join(" · ");
}

function named(pieces) {
  return list(pieces.map(pieceName));
}

function showClock() {
  const shown = clock !== null && clock.limit_ms > 0;
  element("clock").hidden = !shown;
  if (shown) {
    element("clock").textContent = minutes(left(clock));
    element("clock").classList.toggle("stopped", !clock.running);
    element("clock").classList.toggle("armed", clock.armed);
    element("clock").dataset.armed = say("armed");
  }
  element("shot").hidden = shot === null;
  if (shot !== null) {
    element("shot").textContent = say("{n} s", { n: Math.ceil(left(shot) / 1000) });
    element("shot").classList.toggle("soon", left(shot) <= SHOT_SOON_MS);
  }
}

function showStatus(status) {
  const words = { connecting: say("connecting"), connected: "", lost: say("connection lost, trying again") };
  element("status").dataset.status = status;
  element("status").textContent = words[status];
  document.body.classList.toggle("stale", status === "lost");
}

function make(tag, text, className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) {
    made.className = className;
  }
  return made;
}

setInterval(showClock, 200);
fillWords();
element("switch").replaceChildren(languageSwitch());
listen(inLanguage("/api/events"), { message: show }, showStatus);
