// A player's page: where to go now, my matches, my tables. Without boards' scores, which would
// keep every phone of a hall busy.

import { element, make, put, putOrHide, renew } from "/dom.js";
import { fillWords, languageSwitch, say, sayCount } from "/words.js";
import { contests, follow, idsOf, parts, roundsOf, waitsIn } from "./parts.js";
import { tableOf } from "./tables.js";
import { names, noticeNow, plain, score, sectionTitle, slot } from "./told.js";

const KEPT = "jackspot-me";
const MOST_FOUND = 30;
const SEEN_MS = 3_600_000;
const NUMBERS_MS = 48 * SEEN_MS;
let kept = remembered();
let me = new Set();  // what tells me from all others, as `idsOf` says it
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
  recognise(known, event.name);
  const chosen = me.size > 0;
  element("who").hidden = chosen;
  element("mine").hidden = !chosen;
  if (chosen) {
    drawMine(kept.name);
  } else {
    drawFound(known);
  }
}

/** Everybody who is entered, by the names that are shown: some of them have no match yet. */
function people() {
  const found = new Map();
  for (const contest of contests()) {
    const rows = contest.tables.flatMap((name) => parts.get(`table/${name}`)?.rows ?? []);
    for (const side of [...rows, ...matchesOf(contest).flatMap(([, match]) => match.who)]) {
      idsOf(contest.name, side).forEach((id, at) => {
        found.set(side.names[at], (found.get(side.names[at]) ?? new Set()).add(id));
      });
    }
  }
  return found;
}

/**
 * Find me in this event: by my numbers, which stay whatever names are shown, else by my name. The
 * next event, or a new list, may give them to others: they hold for days, and not if my name has others.
 */
function recognise(known, event) {
  const all = new Set([...known.values()].flatMap((ids) => [...ids]));
  const named = known.get(kept.name);
  const mine = kept.event === event && Date.now() - kept.seen_ms < NUMBERS_MS ? kept.ids.filter((id) => all.has(id)) : [];
  const holds = mine.length > 0 && (!named || mine.some((id) => named.has(id)));
  me = new Set(holds ? mine : named);
  for (let before = 0; before < me.size;) {
    before = me.size;  // whoever is shown by my name in another class is I, too
    known.forEach((ids) => [...ids].some((id) => me.has(id)) && ids.forEach((id) => me.add(id)));
  }
  if (me.size > 0) {
    const shown = known.get(kept.name);
    const name = shown && [...shown].some((id) => me.has(id)) ? kept.name : [...known].find(([, ids]) => [...ids].some((id) => me.has(id)))[0];
    const seen_ms = holds && Date.now() - kept.seen_ms < SEEN_MS ? kept.seen_ms : Date.now();
    keep({ event, ids: [...me], name, seen_ms });
  }
}

/** Where I am among the people of a side; -1: not of it. */
function placeIn(contest, side) {
  return idsOf(contest.name, side).findIndex((id) => me.has(id));
}

function isMine(contest, side) {
  return placeIn(contest, side) >= 0;
}

function matchesOf(contest) {
  const sections = new Set(contest.rounds.map((name) => name.slice(0, name.lastIndexOf("/"))));
  return [...sections].flatMap((section) =>
    roundsOf(contest, section).flatMap(([number, matches]) => matches.map((match) => [section, match, number])));
}

// --- who is it? ------------------------------------------------------------------------------

function drawFound(known) {
  const wanted = plain(element("name").value);
  const found = [...known.keys()].filter((name) => plain(name).includes(wanted)).sort((one, other) => one.localeCompare(other));
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
  keep({ event: "", ids: [], name });
  draw();
}

function keep(who) {
  if (JSON.stringify(who) === JSON.stringify(kept)) {
    return;
  }
  kept = who;
  try {
    localStorage.setItem(KEPT, JSON.stringify(who));
  } catch {
    // A browser that keeps nothing asks again.
  }
}

/** Who it was last; earlier versions kept only the name that was shown. */
function remembered() {
  let text = "";
  try {
    text = localStorage.getItem(KEPT) ?? "";
    const said = JSON.parse(text);
    return said?.ids ? said : { event: "", ids: [], name: text };
  } catch {
    return { event: "", ids: [], name: text };
  }
}

// --- mine ------------------------------------------------------------------------------------

function drawMine(name) {
  put(element("me"), name);
  const call = (parts.get("calls") ?? []).find((each) => sidesOf(each).some((side) => isMine(contestOf(each), side)));
  renew(element("now"), call ? [callOf(call)] : [waiting()]);
  if (call && call.key !== called) {
    navigator.vibrate?.([300, 150, 300]);
  }
  called = call?.key ?? "";
  document.title = call ? say("Board {n}!", { n: call.board }) : name;
  renew(element("matches"), contests().map(listOf).filter(Boolean));
  renew(element("tables"), myTables());
}

function contestOf(call) {
  return parts.get(`contest/${call.contest}`);
}

/** The sides of a call as those of a match. */
function sidesOf(call) {
  return call.who.map((people, at) => ({ names: people, entrant: call.entrants[at] }));
}

function callOf(call) {
  const made = make("div", "", "called");
  made.append(make("p", say("Come to board")), make("b", String(call.board)), make("p", against(contestOf(call), sidesOf(call))));
  return made;
}

/** Who plays against me, and with me where we are a pair. */
function against(contest, who) {
  const own = who.find((side) => isMine(contest, side));
  const other = who.find((side) => side !== own);
  const mates = own.names.filter((_, at) => at !== placeIn(contest, own));
  const text = say("against {names}", { names: names(other.names) });
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
  const waits = contests().find((contest) => waitsIn(contest, lastRound(contest)).some((side) => isMine(contest, side)));
  if (waits) {
    return waits.format === "Swiss" ? say("You sit out this round. It counts as a win.") : say("You sit out this round.");
  }
  const isFree = contests().some((contest) => contest.format === "OpenPlay"
    && contest.tables.some((name) => parts.get(`table/${name}`)?.rows.some((row) => isMine(contest, row))));
  return isFree ? say("Play whom you like, at any board. Give both names there: it counts.") : null;
}

function lastRound(contest) {
  return Math.max(0, ...roundsOf(contest, contest.name).map(([number]) => number));
}

function mineOf(contest) {
  return matchesOf(contest).filter(([, match]) => match.who.some((side) => isMine(contest, side)));
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
    const at = match.who.findIndex((side) => isMine(contest, side));
    const state = match.over ? (match.winner === at ? "won" : match.winner === null && !match.forfeit ? "tied" : "gone") : "";
    const item = make("li", "", state);
    const who = contest.format === "Partners" ? against(contest, match.who) : slot(match.who[1 - at]);
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
    .filter((table) => table?.rows.some((row) => isMine(contest, row)))
    .map((table) => tableOf(contest, table, Infinity, (row) => isMine(contest, row))));
}

follow("/api/hub/matches", draw, (status) => {
  putOrHide(element("status"), status === "lost" ? say("No connection: this is how it stood.") : "");
});
