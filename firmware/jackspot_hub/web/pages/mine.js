// A player's page: where to go now, my matches, my tables. Without boards' scores, which would
// keep every phone of a hall busy.

import { element, make, put, putOrHide, renew } from "/dom.js";
import { fillWords, languageSwitch, say, sayCount } from "/words.js";
import { contests, follow, parts, roundsOf, waitsIn } from "./parts.js";
import { tableOf } from "./tables.js";
import { names, noticeNow, plain, score, sectionTitle, slot } from "./told.js";

const KEPT = "jackspot-me";
const MOST_FOUND = 30;
let me = remembered();
let called = "";

fillWords();
element("language").append(languageSwitch());
element("name").addEventListener("input", draw);
element("other").addEventListener("click", () => choose(""));

function draw() {
  const event = parts.get("event");
  if (!event) {
    return;
  }
  put(element("event"), event.name);
  putOrHide(element("notice"), noticeNow());
  document.title = event.name;
  const known = people();
  const chosen = known.has(me);
  element("who").hidden = chosen;
  element("mine").hidden = !chosen;
  if (chosen) {
    drawMine();
  } else {
    drawFound(known);
  }
}

/** Everybody who is entered, once each: some of them have no match yet. */
function people() {
  const found = new Set();
  for (const contest of contests()) {
    contest.tables.forEach((name) => parts.get(`table/${name}`)?.rows.flatMap((row) => row.names).forEach((name) => found.add(name)));
    for (const [, match] of matchesOf(contest)) {
      match.who.flatMap((side) => side.names ?? []).forEach((name) => found.add(name));
    }
  }
  return found;
}

function matchesOf(contest) {
  const sections = new Set(contest.rounds.map((name) => name.slice(0, name.lastIndexOf("/"))));
  return [...sections].flatMap((section) =>
    roundsOf(contest, section).flatMap(([number, matches]) => matches.map((match) => [section, match, number])));
}

// --- who is it? ------------------------------------------------------------------------------

function drawFound(known) {
  const wanted = plain(element("name").value);
  const found = [...known].filter((name) => plain(name).includes(wanted)).sort((one, other) => one.localeCompare(other));
  renew(element("found"), found.slice(0, MOST_FOUND).map((name) => {
    const item = make("li");
    item.append(make("button", name));
    return item;
  }));
  const more = found.length - MOST_FOUND;
  putOrHide(element("more"), found.length === 0 ? say("No name found: names stand here once their class is drawn.") : more > 0 ? sayCount("{n} other", "{n} others", more) : "");
  renew(element("tables"), []);
}

element("found").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) {
    choose(button.textContent);
  }
});

function choose(name) {
  me = name;
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // A browser that keeps nothing asks again.
  }
  draw();
}

function remembered() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

// --- mine ------------------------------------------------------------------------------------

function drawMine() {
  put(element("me"), me);
  const call = (parts.get("calls") ?? []).find((each) => each.who.flat().includes(me));
  renew(element("now"), call ? [callOf(call)] : [waiting()]);
  if (call && call.key !== called) {
    navigator.vibrate?.([300, 150, 300]);
  }
  called = call?.key ?? "";
  document.title = call ? say("Board {n}!", { n: call.board }) : me;
  renew(element("matches"), contests().map(listOf).filter(Boolean));
  renew(element("tables"), myTables());
}

function callOf(call) {
  const made = make("div", "", "called");
  made.append(make("p", say("Come to board")), make("b", String(call.board)), make("p", against(call.who)));
  return made;
}

/** Who plays against me, and with me where we are a pair. */
function against(who) {
  const own = who.find((side) => side.includes(me));
  const other = who.find((side) => side !== own);
  const mates = own.filter((name) => name !== me);
  const text = say("against {names}", { names: names(other) });
  return mates.length > 0 ? `${say("with {names}", { names: names(mates) })}, ${text}` : text;
}

function waiting() {
  const left = contests().some((contest) => mineOf(contest).some(([, match]) => !match.over));
  const playing = contests().some((contest) => mineOf(contest).some(([, match]) => match.called && !match.over));
  const text = playing ? say("You play now.") : left
    ? say("You are called here, on the wall and at the board, as soon as one is free.")
    : sitsOut() ?? say("You have no match waiting.");
  return make("p", text, "waiting");
}

/** What somebody is told who has no match now, though they play in a contest that goes on. */
function sitsOut() {
  const waits = contests().find((contest) => waitsIn(contest, lastRound(contest)).some((side) => side.names.includes(me)));
  if (waits) {
    return waits.format === "Swiss" ? say("You sit out this round. It counts as a win.") : say("You sit out this round.");
  }
  const isFree = contests().some((contest) => contest.format === "OpenPlay"
    && contest.tables.some((name) => parts.get(`table/${name}`)?.rows.some((row) => row.names.includes(me))));
  return isFree ? say("Play whom you like, at any board. Give both names there: it counts.") : null;
}

function lastRound(contest) {
  return Math.max(0, ...roundsOf(contest, contest.name).map(([number]) => number));
}

function mineOf(contest) {
  return matchesOf(contest).filter(([, match]) => match.who.some((side) => side.names?.includes(me)));
}

function listOf(contest) {
  const mine = mineOf(contest);
  if (mine.length === 0) {
    return null;
  }
  const made = make("section");
  made.append(make("h3", contest.title));
  const list = make("ul", "", "matches");
  list.append(...mine.map(([section, match, number]) => {
    const at = match.who.findIndex((side) => side.names?.includes(me));
    const state = match.over ? (match.winner === at ? "won" : match.winner === null && !match.forfeit ? "tied" : "gone") : "";
    const item = make("li", "", state);
    const who = contest.format === "Partners" ? against(match.who.map((side) => side.names)) : slot(match.who[1 - at]);
    item.append(make("small", placeOf(contest, section, number)), make("span", who), make("b", result(match, at)));
    return item;
  }));
  made.append(list);
  return made;
}

/** Where a match stands in its contest: its group or bracket, or its round where there is but one table. */
function placeOf(contest, section, number) {
  const inRounds = section === contest.name && contest.format !== "Knockout" && contest.format !== "OpenPlay";
  return inRounds ? say("Round {n}", { n: number }) : sectionTitle(contest, section);
}

function result(match, at) {
  if (!match.over) {
    return match.called ? say("now") : "";
  }
  return match.forfeit ? score(match) : `${match.points[at]} : ${match.points[1 - at]}`;
}

function myTables() {
  return contests().flatMap((contest) => contest.tables
    .map((name) => parts.get(`table/${name}`))
    .filter((table) => table?.rows.some((row) => row.names.includes(me)))
    .map((table) => tableOf(contest, table, Infinity, me)));
}

follow("/api/hub/matches", draw, (status) => {
  putOrHide(element("status"), status === "lost" ? say("No connection: this is how it stood.") : "");
});
