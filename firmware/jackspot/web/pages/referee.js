// The referee's page: the box's buttons, readings and lists for thumbs.
//
// It has no rule and no dialogue of its own. The board says what is asked, what each press does
// and which lines there are; what is tapped goes to the board as a press, and the board's answer
// comes back as the next state.

import { clockFrom, left, minutes } from "./clock.js";
import { holdFor } from "./finger.js";
import { listen } from "./live.js";
import { make } from "./make.js";
import { boardNumber } from "./middle.js";
import { phaseName, rulesName } from "./names.js";
import { Notes } from "./notes.js";
import { piece } from "./pieces.js";
import { Keys } from "./referee-keys.js";
import { Lists } from "./referee-lists.js";
import { Presses } from "./referee-press.js";
import { offerTime } from "./referee-clock.js";
import { askForPin, session, signOut } from "./referee-session.js";
import { inTurn } from "./side.js";
import { fillWords, inLanguage, languageSwitch, list, say } from "./words.js";

const element = (id) => document.getElementById(id);
const SILENT_MS = 6000;
const TOLD_MS = 6000;
const AGAIN_MS = 1000;
const WAITS = { waits: say("then"), parked: say("for later"), hand: say("a hand"), kept: say("kept") };

let state = null;
let clock = null;
let connected = false;
let end = null;
let toldTimer = 0;
let againTimer = 0;

fillWords();
const notes = new Notes(element("mute"));
const presses = new Presses({ tell, signedOut, lost: again });
const send = (...press) => presses.send(...press);
const keys = new Keys(element("keys"), send);
const lists = new Lists(element("list"), { send, tell });

function show(newer) {
  state = newer;
  clock = clockFrom(state);
  holdFor(state.hold_ms);
  showClock();
  element("board").textContent = state.board;
  element("which").textContent = which(state);
  element("sides").replaceChildren(...state.sides.map((side, index) => sideRow(side, index)));
  showQuestion();
  lists.show(state);
  showQueue();
  showPlace();
  element("ruling").textContent = state.last?.words ?? "";
  const faults = state.faults.map(({ what, remedy }) => make("li", `${what}: ${remedy}`));
  element("faults").replaceChildren(...faults);
  element("notice").hidden = state.notice === "";
  write("notice", state.notice);
  showUsable();
}

/** What can be pressed: nothing while the board is not heard, and then what says so is not covered. */
function showUsable() {
  element("asleep").hidden = !connected || state.attract === null;
  keys.show(state, connected);
}

function showQuestion() {
  const { menu, prompts, proposal, phase, hints, free } = state;
  const listed = menu !== null && !menu.question;
  element("phase").textContent = free !== null ? say("free play") : phaseName(phase);
  const doubtful = menu === null && proposal?.doubtful ? " ?" : "";
  write("headline", (menu !== null ? menu.title : prompts.headline) + doubtful);
  const more = hints.filter((hint) => !prompts.detail.includes(hint));
  write("detail", listed ? menu.note : [prompts.detail, ...more].filter(Boolean).join(" · "));
  document.body.dataset.asks = menu !== null ? (menu.question ? "question" : "list") : phase;
  document.body.classList.toggle("proposing", menu === null && proposal !== null);
}

/** Write a text where it is another: what is read aloud is then only what is new. */
function write(id, text) {
  if (element(id).textContent !== text) {
    element(id).textContent = text;
  }
}

function sideRow(side, index) {
  const row = make("li", "", `side side-${side.side}`);
  const shoots = inTurn(side, state);
  row.classList.toggle("shoots", shoots);
  row.classList.toggle("won", state.winner === side.side);
  const seated = side.names.filter(Boolean).join(" & ") || side.seats.join(" + ");
  const counted = state.free === null ? side.score : (state.free.counts[index]?.count ?? 0);
  const drawn = side.pieces.length === 1 ? piece(side.pieces[0]) : piece(side.side);
  row.append(drawn, make("span", seated, "player"), make("b", String(counted), "count"));
  const remarks = [];
  if (shoots) {
    remarks.push(say("to shoot"));
  }
  if (side.owed > 0) {
    remarks.push(say("owes {n}", { n: side.owed }));
  }
  if (state.centre_piece.side === side.side) {
    remarks.push(state.centre_piece.words);
  }
  row.append(make("span", remarks.filter(Boolean).join(" · "), "remarks"));
  return row;
}

/** Which board of which match is played. */
function which(state) {
  return [rulesName(state.rules), boardNumber(state)].filter(Boolean).join(" · ");
}

function showQueue() {
  const { queue, waiting } = state;
  const rows = queue.map(({ kind, what }) => {
    const row = make("li", "");
    row.append(make("small", WAITS[kind]), ` ${what}`);
    return row;
  });
  if (waiting > queue.length) {
    rows.push(make("li", say("+{n} waiting", { n: waiting - queue.length })));
  }
  element("queue").hidden = rows.length === 0;
  element("queue").replaceChildren(...rows);
}

function showPlace() {
  const words = state.by_hand.length > 0 ? [say("{pockets} manual", { pockets: list(state.by_hand) })] : [];
  if (state.fetch.length > 0) {
    words.push(say("striker in {pockets}", { pockets: list(state.fetch.map((pocket) => pocket ?? "?")) }));
  }
  const piles = state.placing.map(({ pieces, by, where }) => {
    const pile = make("span", "", "pile");
    pile.append(...pieces.map((kind) => piece(kind)));
    const row = make("span", by ? `${by}: ${where}` : where, "spot");
    row.append(pile);
    return row;
  });
  element("place").hidden = words.length + piles.length === 0;
  element("place").replaceChildren(...piles, ...words.map((word) => make("span", word)));
}

function showClock() {
  const shown = clock !== null && clock.limit_ms > 0;
  element("clock").hidden = !shown;
  if (shown) {
    element("clock").textContent = minutes(left(clock));
    element("clock").classList.toggle("stopped", !clock.running);
  }
}

/** Say something about the last press; it goes away by itself. */
function tell(words) {
  element("told").textContent = words;
  clearTimeout(toldTimer);
  toldTimer = setTimeout(() => element("told").replaceChildren(), TOLD_MS);
}

// --- the connection ---------------------------------------------------------------------

function showStatus(status) {
  const words = { connecting: say("connecting"), connected: "", lost: say("connection lost, trying again") };
  connected = status === "connected";
  presses.connection(connected);
  element("status").dataset.status = status;
  element("status").textContent = words[status];
  if (status !== "connecting") {
    element("lost").hidden = connected;
  }
  element("lost").textContent = !connected ? say("Connection lost. Buttons on the box still work; here nothing is pressed.") : "";
  document.body.classList.toggle("stale", !connected);
  element("list").inert = !connected;
  if (state !== null) {
    showUsable();
  }
  if (status === "lost") {
    session().then((found) => found !== null && !found.signed_in && signedOut());
  }
}

function start() {
  offerTime(tell);
  end?.();
  const heard = (sounds) => sounds.forEach(({ notes: each }) => notes.play(each));
  const beat = (beaten) => presses.beat(beaten);
  end = listen(inLanguage("/api/referee/events"), { state: show, sounds: heard, beat }, showStatus, SILENT_MS);
}

/** Listen anew: nobody can be sure of what was heard last. */
function again() {
  if (end !== null) {
    end();
    showStatus("lost");
    clearTimeout(againTimer);
    againTimer = setTimeout(start, AGAIN_MS);
  }
}

function signedOut() {
  clearTimeout(againTimer);
  end?.();
  end = null;
  showStatus("connecting");
  askForPin(start);
}

async function arrive() {
  const found = await session();
  if (found !== null && !found.signed_in) {
    signedOut();
    return;
  }
  if (found !== null) { // a code that was scanned has nothing to open, and stays in no history
    history.replaceState(null, "", location.pathname + location.search);
  }
  start();
}

// --- everything else --------------------------------------------------------------------

element("asleep").textContent = say("Asleep. Tap to wake the board.");
element("asleep").addEventListener("click", () => send("ok", "short", state.ask));
element("switch").append(languageSwitch());
element("more-open").addEventListener("click", async () => {
  element("code").hidden = true;
  element("more").showModal();
  const found = await session();
  element("sign-out").hidden = !found?.pin;
  element("who").textContent = found?.name ? say("Signed in as {name}.", { name: found.name }) : "";
});
element("code-show").addEventListener("click", () => {
  element("code").src = "/api/referee/code.svg";
  element("code").hidden = false;
});
element("sign-out").addEventListener("click", async () => {
  const isDone = await signOut();
  element("more").close();
  if (isDone) {
    signedOut();
  } else {
    tell(say("The board does not answer."));
  }
});
addEventListener("offline", again);
addEventListener("online", again);
setInterval(showClock, 200);
arrive();
