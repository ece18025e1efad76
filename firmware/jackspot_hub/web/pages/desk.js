// The organiser's desk: what needs somebody now, the boards, every match, every table.

import { element, make, put, putOrHide, renew, renewInPlace } from "/dom.js";
import { fillWords, say, sayCount } from "/words.js";
import { act, begin } from "./asking.js";
import { allOf, boards, contests, now, parts } from "./parts.js";
import { openBoard, renewBoard } from "./desk-board.js";
import { openLoose } from "./desk-loose.js";
import { openMatch, renewMatch } from "./desk-match.js";
import { isUpdating } from "./desk-update.js";
import { tableOf } from "./tables.js";
import { ago, boardOf, clock, matchTitle, minutes, names, offeredByRule, plain, progress, resultOf, score, shortIn, slot, whereOf } from "./told.js";

const MOST_LISTED = 60;
let puttingAside = false;
const WAYS = { open: "not over", all: "all", over: "over" };

fillWords();
for (const way of Object.keys(WAYS)) {
  const said = { open: say("not over"), all: say("all"), over: say("over") };
  element("which").append(new Option(said[way], way));
}
element("search").addEventListener("input", draw);
element("which").addEventListener("change", draw);
element("gong").addEventListener("click", (event) => act(event.target.dataset.action, {}));
for (const id of ["needs", "boards", "matches"]) {
  element(id).addEventListener("click", (event) => {
    const { key, result, board } = event.target.closest("[data-key], [data-result], [data-board]")?.dataset ?? {};
    if (key) {
      openMatch(key, Number(board));
    } else if (result) {
      openLoose(result);
    } else if (board) {
      openBoard(Number(board));
    }
  });
}

function draw() {
  const event = parts.get("event");
  if (!event) {
    return;
  }
  put(element("event"), event.name);
  document.title = say("Desk: {event}", { event: event.name });
  put(element("far"), contests().map((contest) => `${contest.title} ${progress(contest)}`).join("   "));
  const waiting = needs();
  renewInPlace(element("needs"), waiting.length > 0 ? waiting.map(need) : [make("li", say("Nothing: everything is running by itself."), "quiet")]);
  const gong = parts.get("gong");
  const first = gong && !gong.begun && gong.called === 0;
  element("gong").hidden = !gong?.waiting && !first;
  element("gong").dataset.action = first ? "round" : "gong";
  put(element("gong"), !gong ? "" : first ? say("Call the first round")
    : say("Strike the gong: {waiting} of {called} boards are ready", gong));
  const loose = unordered().length;
  putOrHide(element("aside"), loose < 2 ? "" : puttingAside ? sayCount("Yes: {n} result counts for no match", "Yes: {n} results count for no match", loose)
    : say("Put aside all that nobody ordered"));
  put(element("day"), day());
  const inShort = shortIn(boards().flatMap((board) => board.who ?? []));
  renewInPlace(element("boards"), boards().map((board) => tile(board, inShort)));
  renewInPlace(element("matches"), listed().slice(0, MOST_LISTED).map(row));
  renew(element("tables"), contests().flatMap((contest) =>
    contest.tables.map((name) => tableOf(contest, parts.get(`table/${name}`), Infinity))));
  renewMatch();
  renewBoard();
}

// --- what needs somebody ---------------------------------------------------------------------

/** What waits for people, the most urgent first, as `{ text, urgent }` with the match's `key`, the `result` or the `board`. */
function needs() {
  const found = [];
  for (const board of boards()) {
    if (board.calls_ms) {
      found.push({ urgent: 0, text: say("Board {n} has been asking you to come for {time}", { n: board.n, time: ago(board.calls_ms) }), board: board.n });
    }
    if (board.state === "away" && board.key) {
      found.push({ urgent: 1, text: say("Board {n} is away in a match: {names}", { n: board.n, names: who(board) }), key: board.key });
    }
    if (board.state === "declined") {
      found.push({ urgent: 2, text: say("Board {n}: others are sitting there, not {names}", { n: board.n, names: who(board) }), key: board.key });
    }
  }
  for (const each of parts.get("late") ?? []) {
    if (now() >= each.from_ms) {
      found.push({ urgent: 3, text: late(each), key: each.key });
    }
  }
  for (const [what, why] of Object.entries(parts.get("troubles") ?? {})) {
    const known = {
      disk: () => say("Nothing can be written to the disk, so nothing counts now: {why}", { why }),
      broker: () => say("Boards cannot be reached: {why}", { why }),
      calls: () => say("Nobody can be called; take back what was done last: {why}", { why }),
      copy: () => say("No copy is made: {why}", { why }),
    };
    found.push({ urgent: -1, text: known[what]() });
  }
  for (const each of parts.get("needs") ?? []) {
    const known = {
      tied: () => say("No winner, and someone must go on: {match}", { match: matchTitle(each.key) }),
      conflict: () => say("The results no longer lead to this match as it was played: {match}", { match: matchTitle(each.key) }),
      alone: () => say("One and the same would play on both sides, until a match before it is decided again: {match}", { match: matchTitle(each.key) }),
      unsaid: () => say("Board {n} went away after the last stroke, {score}: {match}", { n: each.board, score: each.points.join(" : "), match: matchTitle(each.key) }),
      loose: () => (each.of ? say("Board {n} reports {score} for a match that ended otherwise: {match}", { n: each.board, score: resultOf(each.sides), match: matchTitle(each.of) })
        : say("Board {n} has a result that nobody ordered: {score}", { n: each.board, score: resultOf(each.sides) })),
    };
    found.push({ urgent: each.what === "loose" && !each.of ? 4 : 3, text: known[each.what](), key: each.key, result: each.id });
  }
  return found.sort((one, other) => one.urgent - other.urgent);
}

/** Who has not come for how long, and whom the rule of the event then lets win. */
function late(each) {
  const { who: sides } = boards().find(({ n }) => n === each.board);
  const blanks = { n: each.board, time: ago(each.since_ms) };
  const both = { ...blanks, names: sides.map(names).join(" – ") };
  if (!offeredByRule(each.key)) {
    return say("Board {n}: {names} have not come for {time}", both);
  }
  const [winner] = each.here;
  return each.here.length === 1 ? say("Board {n}: not here for {time}: {names}. By the rule {others} can win now", { ...blanks, names: names(sides[1 - winner]), others: names(sides[winner]) })
    : say("Board {n}: {names} have not come for {time}. Who is here?", both);
}

/** The results that nobody ordered. */
function unordered() {
  return (parts.get("needs") ?? []).filter((each) => each.what === "loose" && !each.of);
}

element("aside").addEventListener("click", async () => {
  const results = puttingAside ? unordered() : [];
  puttingAside = !puttingAside;
  for (const { id } of results) {
    if (!await act("put-aside", { result: id })) {
      break;
    }
  }
  draw();
});

function who(board) {
  return board.who.map(names).join(" – ");
}

function need(each) {
  const item = make("li", "", each.urgent < 2 ? "urgent" : "");
  const [kind] = ["key", "result", "board"].filter((name) => each[name]);
  if (!kind) {
    item.append(make("span", each.text));
    return item;
  }
  const button = make("button", each.text);
  button.type = "button";
  button.dataset[kind] = each[kind];
  item.append(button);
  return item;
}

// --- boards ----------------------------------------------------------------------------------

/** How the day goes: boards without a match, matches without a board, and how soon people begin. */
function day() {
  const free = parts.get("day")?.free ?? 0;
  const due = allOf("round").flatMap(([, { matches }]) => matches)
    .filter((match) => !match.over && !match.called && match.who.every(({ names: known }) => known)).length;
  const begins = parts.get("day")?.begins_ms ?? null;
  return [sayCount("{n} board is free", "{n} boards are free", free),
    sayCount("{n} match not called yet", "{n} matches not called yet", due),
    begins === null ? "" : say("usually {time} from the call to the start", { time: minutes(begins) }),
  ].filter(Boolean).join(" · ");
}

function tile(board, inShort) {
  const made = make("button", "", `spot is-${board.state}`);
  made.type = "button";
  made.dataset.board = board.n;
  if (board.key) {
    made.dataset.key = board.key;
  }
  const isLocked = (parts.get("set") ?? []).some(({ n, locked }) => n === board.n && locked);
  const free = isLocked ? say("locked") : say("free");
  const said = { absent: say("off"), away: say("away"), free, called: say("called"), declined: say("desk"), over: isLocked ? free : say("over"), own: say("own match") };
  made.append(make("b", String(board.n)), make("small", isUpdating(board.n) ? say("update") : said[board.state] ?? clock(board)));
  for (const [at, side] of (board.who ?? []).entries()) {
    const line = make("span", "", "line");
    line.append(make("span", inShort(side)), make("i", String((board.points ?? board.score)?.[at] ?? "")));
    made.append(line);
  }
  return made;
}

// --- matches ---------------------------------------------------------------------------------

function listed() {
  const wanted = plain(element("search").value);
  const way = element("which").value;
  return contests().flatMap((contest) => contest.rounds.flatMap((name) => {
    const section = name.slice(0, name.lastIndexOf("/"));
    return (parts.get(`round/${name}`)?.matches ?? []).map((match) => ({ contest, section, match }));
  })).filter(({ match }) => (way === "all" || Boolean(match.over) === (way === "over"))
    && plain(`${match.key} ${match.who.flatMap((side) => side.names ?? []).join(" ")}`).includes(wanted))
    .sort((one, other) => order(one.match) - order(other.match));
}

function order(match) {
  return match.over ? 2 : match.called ? 0 : 1;
}

function row({ contest, section, match }) {
  const item = make("li");
  const known = match.who.every((side) => side.names);
  const made = make(known ? "button" : "div", "", "row");
  if (known) {
    made.type = "button";
    made.dataset.key = match.key;
  }
  const board = boardOf(match.key);
  const state = match.over ? score(match) : board ? say("at board {n}", { n: board }) : match.called ? say("now") : "";
  made.append(make("small", whereOf(contest, section, match.key)),
    make("span", match.who.map((side) => slot(side)).join(" – ")), make("b", state));
  item.append(made);
  return item;
}

begin(draw);
