// The score for those who look on. It only shows; what is proposed never looks like what counts.

import { clockFrom, left, minutes } from "./clock.js";
import { listen } from "./live.js";
import { showAsked, showHelp, showQueue } from "./talk.js";

const element = (id) => document.getElementById(id);
let clock = null;

function show(state) {
  clock = clockFrom(state);
  showClock();
  element("board").textContent = state.board;
  document.title = `${state.sides.map((side) => `${side.letter} ${side.pocketed}`).join(" : ")} · ${state.board}`;
  state.sides.forEach((side, index) => {
    element(`side-${index}`).replaceChildren(...sideParts(side, state));
    element(`side-${index}`).className = `side side-${side.side}`;
    element(`side-${index}`).classList.toggle("shoots", side.shoots);
    element(`side-${index}`).classList.toggle("won", state.winner === side.side);
  });
  const asked = state.proposal !== null || state.menu !== null;
  element("headline").textContent = asked ? "" : state.prompts.headline;
  element("detail").textContent = asked ? "" : state.prompts.detail;
  showAsked(element("proposal"), state);
  showQueue(element("queue"), state);
  showHelp(element("help"), state);
  showPlace(state);
  element("ruling").textContent = state.last?.words ?? "";
  element("faults").replaceChildren(
    ...state.faults.map((fault) => make("li", `${fault.what}: ${fault.remedy}`)),
  );
}

function sideParts(side, state) {
  const seated = side.names.filter(Boolean).join(" & ") || side.seats.join(" + ");
  const name = state.free === null ? seated : side.name;
  const head = make("h2", "");
  head.append(make("b", side.letter, "letter"), make("span", name, "name"));
  head.append(make("span", side.shoots ? "to shoot" : "", "turn"));
  const count = make("p", String(side.pocketed), "count");
  const pucks = make("p", "", "pucks");
  pucks.setAttribute("aria-label", `${side.pocketed} in, ${side.left} left`);
  pucks.setAttribute("role", "img");
  const proposed = (state.proposal?.departures ?? []).filter(
    (one) => one.piece === side.side && !one.flew_off,
  ).length;
  for (let place = 0; place < side.pocketed + side.left; place += 1) {
    const maybe = place >= side.pocketed && place < side.pocketed + proposed;
    pucks.append(make("i", "", place < side.pocketed ? "in" : maybe ? "maybe" : ""));
  }
  const notes = make("p", "", "notes");
  if (side.owed > 0) {
    notes.append(make("span", `owes ${side.owed}`, "owed"));
  }
  if (side.all_in && state.centre_piece.place === "board") {
    notes.append(make("span", `plays the ${state.centre_piece.piece}`));
  }
  if (state.best_of > 1) {
    notes.append(make("span", `boards ${side.boards_won}`));
  }
  return [head, count, pucks, notes];
}

function showPlace(state) {
  const words = state.by_hand.length > 0 ? [`${state.by_hand.join(", ")} by hand`] : [];
  if (state.place.length > 0) {
    words.push(`back to the middle, bottom to top: ${state.place.join(", ")}`);
  }
  if (state.fetch.length > 0) {
    words.push(`striker in ${state.fetch.map((pocket) => pocket ?? "?").join(", ")}`);
  }
  const centre = state.free?.counts.find(({ piece }) => piece === state.centre_piece.piece);
  if (centre?.count > 0) {
    words.push(`the ${centre.piece} is in`);
  }
  element("place").hidden = words.length === 0;
  element("place").textContent = words.join(" · ");
}

function showClock() {
  const shown = clock !== null && clock.limit_ms > 0;
  element("clock").hidden = !shown;
  if (shown) {
    element("clock").textContent = minutes(left(clock));
    element("clock").classList.toggle("stopped", !clock.running);
    element("clock").classList.toggle("armed", clock.armed);
  }
}

function showStatus(status) {
  const words = { connecting: "connecting", connected: "", lost: "connection lost, trying again" };
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
listen("/api/events", { message: show }, showStatus);
