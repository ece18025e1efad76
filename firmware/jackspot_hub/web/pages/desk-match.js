// One match at the desk: how it ended, whatever was said before; where it goes on.

import { element, make, put, renew } from "/dom.js";
import { say, systems } from "/words.js";
import { act, refuse, wouldChange } from "./asking.js";
import { openBoard } from "./desk-board.js";
import { boards, findMatch, parts } from "./parts.js";
import { ago, names, offeredByRule, score, slot, whereOf } from "./told.js";

let shown = "";
let from = 0;  // the board on which it was opened; 0: none
let known = "";  // the match of the open sheet, as the hub said last
let asked = 0;
let again = false;
let jackSaid = false;  // somebody said here whether it was won by the jack

/** Open the sheet of a match, where it is opened on a board with the board's number. */
export function openMatch(key, number = 0) {
  const match = matchOf(key);
  if (!match || !match.who.every((side) => side.names)) {
    return;
  }
  shown = key;
  from = number;
  again = false;
  jackSaid = false;
  asked += 1;
  refuse("");
  const form = element("match-form");
  form.reset();
  element("moves").hidden = true;
  known = JSON.stringify(match);
  for (const at of [0, 1]) {
    element(`points-${at}`).value = match.points?.[at] ?? "";
  }
  const unsaid = (parts.get("needs") ?? []).find((each) => each.what === "unsaid" && each.key === key);
  if (unsaid) {
    form.elements.winner.value = unsaid.winner === null ? "tied" : String(unsaid.winner);
    unsaid.points.forEach((points, at) => {
      element(`points-${at}`).value = points;
    });
    element("jack").checked = unsaid.jack;
    jackSaid = true;
  }
  if (match.over) {
    form.elements.winner.value = match.winner === null ? "tied" : String(match.winner);
    element("forfeit").checked = Boolean(match.forfeit);
    element("jack").checked = Boolean(match.jack);
  }
  const offered = offeredByRule(key);
  if (offered) {
    form.elements.winner.value = offered.here.length === 1 ? String(offered.here[0]) : "";
    element("forfeit").checked = true;
  }
  put(element("preview"), "");
  renewMatch();
  element("match").showModal();
  if (offered) {
    preview();
  }
}

/** Say how the match of the open sheet stands now. */
export function renewMatch() {
  const match = matchOf(shown);
  if (!match) {
    return;
  }
  const board = boards().find((each) => each.key === shown && each.state !== "over");
  const { contest, section } = findMatch(shown);
  match.who.forEach((side, at) => put(element(`side-${at}`), slot(side)));
  put(element("match-title"), whereOf(contest, section, shown));
  element("jack-choice").hidden = !systems[contest.rules]?.jack;
  put(element("side-neither"), element("forfeit").checked ? say("nobody wins") : say("tied"));
  const offered = offeredByRule(shown);
  const state = match.over ? `${ended(match)} ${say("What you save here replaces that.")}`
    : offered ? say("It is at board {n}. They were called {time} ago: by the rule of this event whoever is here can win now.", { n: offered.board, time: ago(offered.since_ms) })
    : board ? say("It is at board {n}.", { n: board.n }) : say("It has not been called.");
  put(element("match-state"), state);
  element("move").hidden = !board;
  const itsBoard = boards().find((each) => each.key === shown && each.n === from) ?? board;
  element("to-board").hidden = !itsBoard;
  element("to-board").dataset.n = itsBoard?.n ?? "";
  element("again").hidden = !match.over && !match.called;
  const isFree = contest.format === "OpenPlay";
  put(element("again"), again ? say("Yes, put it aside") : isFree ? say("It counts for no match") : offered ? say("Call it again") : say("Play it again"));
  element("again").classList.toggle("first", again);
  if (JSON.stringify(match) !== known) {
    known = JSON.stringify(match);
    readAnew();
  }
}

/** Say anew what would come of what is about to be done: the match is not as it was. */
function readAnew() {
  if (again) {
    askAgain();
  } else if (said()) {
    preview();
  }
}

/** How a match ended, and who won it. */
export function ended(match) {
  const winner = match.winner === null && match.forfeit ? say("nobody wins") : match.winner === null ? say("tied") : say("{names} won", { names: names(match.who[match.winner].names) });
  return say("It ended {score}: {winner}.", { score: score(match), winner });
}

function matchOf(key) {
  return findMatch(key)?.match;
}

/** What the form says, as the hub takes it; null where it says nothing yet. */
function said() {
  const winner = element("match-form").elements.winner.value;
  if (winner === "") {
    return null;
  }
  const points = [0, 1].map((at) => Number(element(`points-${at}`).value) || 0);
  const forfeit = element("forfeit").checked;
  const jack = element("jack-choice").hidden || !jackSaid ? null : element("jack").checked && winner !== "tied" && !forfeit;
  return { key: shown, winner: winner === "tied" ? null : Number(winner), points, forfeit, jack };
}

async function preview() {
  const wanted = said();
  const mine = ++asked;
  const changes = wanted ? await wouldChange("correct", wanted)
    : offeredByRule(shown) ? say("Say who is here, or that nobody wins.") : say("Say who won, or that it is tied.");
  if (mine === asked) {
    put(element("preview"), changes ?? "");  // what cannot be is told when it is saved
  }
}

element("match-form").addEventListener("input", ({ target }) => {
  jackSaid ||= target === element("jack");
  if (!jackSaid) { // it stays whoever's it was
    const match = matchOf(shown);
    element("jack").checked = Boolean(match?.jack) && element("match-form").elements.winner.value === String(match.winner);
  }
  renewMatch();
  preview();
});
element("match-form").addEventListener("submit", (event) => {
  if (event.submitter.value === "save" && !said()) {
    event.preventDefault();
    preview();
  } else if (event.submitter.value === "again" && !again && !offeredByRule(shown)) {
    event.preventDefault();  // what comes of it is read before it is done
    askAgain();
  }
});

async function askAgain() {
  const mine = ++asked;
  const changes = await wouldChange("correct", { key: shown, again: true }, (why) => mine === asked && refuse(why));
  if (mine === asked && changes !== null) {
    again = true;
    put(element("preview"), [say("What was played of it no longer counts."), changes].filter(Boolean).join(" "));
    renewMatch();
  }
}
element("match").addEventListener("close", () => {
  const way = element("match").returnValue;
  const body = said();
  if (way === "save" && body) {
    act("correct", body);
  } else if (way === "again") {
    act("correct", { key: shown, again: true });
  }
  element("match").returnValue = "";
  shown = "";
});
element("move").addEventListener("click", () => {
  const from = boards().find((each) => each.key === shown && each.state !== "over");
  const locked = (parts.get("set") ?? []).filter((each) => each.locked).map(({ n }) => n);
  const free = ["free", "over", "own"].flatMap((state) => boards().filter((each) => each.state === state))
    .filter(({ n }) => !locked.includes(n));
  element("moves").hidden = false;
  renew(element("moves"), free.length > 0 ? free.map((each) => {
    const button = make("button", each.state === "own" ? say("board {n}, after its own match", { n: each.n }) : say("at board {n}", { n: each.n }), "act");
    button.type = "button";
    button.dataset.to = each.n;
    button.dataset.from = from.n;
    return button;
  }) : [make("p", say("No board is free."))]);
});
element("to-board").addEventListener("click", (event) => {
  element("match").close();
  openBoard(Number(event.target.dataset.n));
});
element("moves").addEventListener("click", (event) => {
  const { from, to } = event.target.closest("button")?.dataset ?? {};
  if (to) {
    element("match").close();
    act("move", { board: Number(from), to: Number(to) });
  }
});
