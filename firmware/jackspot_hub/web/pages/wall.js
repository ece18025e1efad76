// The wall: who is called, how the boards stand, and tables and brackets in turn.
//
// `?scene=boards`, `bracket`, `tables` or `final` keeps a projector on one of them.

import { element, make, put, putOrHide, renew } from "/dom.js";
import { look } from "/look.js";
import { fillWords, list, locale, say } from "/words.js";
import { boards, bracketsOf, contests, findMatch, follow, now, parts, roundsOf } from "./parts.js";
import { bracket } from "./bracket.js";
import { tableOf } from "./tables.js";
import { ago, clock, names, noticeNow, placeText, progress, roundTitle, sectionTitle, shortIn } from "./told.js";

const TURN_MS = 12000;
const MOST_CALLS = 6;
const NEW_MS = 10000;
const MOST_TILES = 60;
const OF_TABLES = 4;
const OF_WINNERS = 3;
const CALLS_ALONE = 4;
const asked = new URLSearchParams(location.search).get("scene");

fillWords();
if (look().theme === "auto") {
  document.documentElement.dataset.theme = "dark"; // a projector lights what is pale
}
let turn = 0;

function draw() {
  const event = parts.get("event");
  if (!event) {
    return;
  }
  put(element("event"), event.name);
  put(element("time"), new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(now()));
  document.title = event.name;
  const notice = noticeNow();
  put(element("far"), notice || contests().map((contest) => `${contest.title}  ${progress(contest)}`).join("   "));
  element("far").classList.toggle("notice", notice !== "");
  fitAcross(element("far"), notice !== "");
  drawCalls(parts.get("calls") ?? []);
  const scenes = possible();
  const scene = scenes[turn % scenes.length];
  document.body.dataset.scene = scene.name;
  renew(element("scene"), scene.draw());
  const many = (parts.get("calls") ?? []).length > CALLS_ALONE;
  renew(element("turning"), many ? [] : besideScene(scene.name));
  shrink(element("scene").querySelector(".overview, .winners"));
  trim(element("turning"));
}

/** Set what is too high in smaller letters. */
function shrink(place) {
  if (place && place.scrollHeight > place.clientHeight) {
    const size = Number.parseFloat(getComputedStyle(place).fontSize);
    place.style.setProperty("font-size", `${(size * place.clientHeight * 0.96) / place.scrollHeight}px`);
  }
}

/** Set a line in the size of its kind, or in smaller letters if it has to stand whole and has no room. */
function fitAcross(line, isWhole) {
  line.style.removeProperty("font-size");
  if (isWhole && line.scrollWidth > line.clientWidth) {
    const size = Number.parseFloat(getComputedStyle(line).fontSize);
    line.style.setProperty("font-size", `${(size * line.clientWidth * 0.94) / line.scrollWidth}px`);
  }
}

/** Leave out the last lines of what is too high, so that none is cut. */
function trim(place) {
  while (place.scrollHeight > place.clientHeight) {
    const lines = place.querySelectorAll("li, tr");
    if (lines.length < 2) {
      place.replaceChildren();
      return;
    }
    const list = lines[lines.length - 1].parentElement;
    list.lastElementChild.remove();
    if (list.matches(".latest:empty")) {
      list.previousElementSibling.remove(); // its heading
      list.remove();
    }
  }
}

/** What can be shown now, in its order: boards come back between all others. */
function possible() {
  const whole = {
    boards: pages(boards(), MOST_TILES).map((some) => ({ name: "boards", draw: () => [grid(some)] })),
    bracket: contests().flatMap((contest) => bracketScenes(contest)),
    tables: pages(tables(), OF_TABLES).map((some) => ({ name: "tables", draw: () => [overview(some)] })),
    final: finals(),
  };
  if (asked in whole && whole[asked].length > 0) {
    return whole[asked];
  }
  if (whole.final.length > 0) {
    return whole.final;
  }
  const over = contests().filter((contest) => contest.format !== "OpenPlay" && contest.places.length > 0);
  if (over.length > 0) {
    whole.bracket.unshift(...pages(over, OF_WINNERS).map((some) => ({ name: "winners", draw: () => [winners(some)] })));
  }
  if (over.length > 0 && over.length === contests().length) {
    return [...whole.bracket, ...whole.tables];
  }
  const others = [...whole.bracket, ...whole.tables];
  return others.length === 0 ? whole.boards : others.flatMap((other, at) => [whole.boards[at % whole.boards.length], other]);
}

/** What stands below the calls: what the scene does not show. */
function besideScene(name) {
  const small = name === "boards" ? tables() : [];
  if (small.length === 0) {
    return latest(Infinity);
  }
  const [contest, table] = small[turn % small.length];
  const hasRoom = (parts.get("calls") ?? []).length < 2 && table.rows.length <= 6;
  return [tableOf(contest, table), ...(hasRoom ? latest(3) : [])];
}

function latest(most) {
  const ended = (parts.get("latest") ?? []).slice(0, most);
  if (ended.length === 0) {
    return [];
  }
  const rows = make("ol", "", "latest");
  rows.append(...ended.map((match) => {
    const item = make("li");
    match.who.forEach((side, at) => {
      const line = make("p", "", match.winner === at ? "has-won" : "");
      line.append(make("span", names(side)), make("b", match.forfeit ? "" : String(match.points[at])));
      item.append(line);
    });
    return item;
  }));
  return [make("h2", say("Latest results")), rows];
}

function pages(all, most) {
  const count = Math.max(1, Math.ceil(all.length / most));
  const each = Math.ceil(all.length / count);
  return Array.from({ length: count }, (_, at) => all.slice(at * each, (at + 1) * each)).filter((page) => page.length > 0);
}

// --- who is called ---------------------------------------------------------------------------

function drawCalls(calls) {
  const shown = pages(calls, MOST_CALLS);
  const at = turn % Math.max(1, shown.length);
  element("calls").hidden = calls.length === 0;
  put(element("more"), shown.length > 1 ? `${at + 1}/${shown.length}` : "");
  renew(element("called"), (shown[at] ?? []).map((call) => {
    const item = make("li", "", now() - call.since_ms < NEW_MS ? "new" : "");
    const who = make("p", "", "who");
    who.append(...call.who.map(calledSide));
    item.append(who, make("b", String(call.board)));
    return item;
  }));
}

/** A side that is called: of two neither is cut off by the other's name. */
function calledSide(side) {
  const line = make("span", "", side.length > 1 ? "pair" : "");
  line.append(...side.map((name) => make("span", name)));
  return line;
}

// --- boards ----------------------------------------------------------------------------------

function grid(some) {
  const made = make("div", "", "boards");
  made.style.setProperty("--columns", columnsFor(some.length));
  const inShort = shortIn(boards().flatMap((board) => board.who ?? []));
  made.append(...some.map((board) => {
    const cell = make("div", "", "cell");
    cell.append(tile(board, inShort));
    return cell;
  }));
  return made;
}

/** So many columns that a field is about half as wide again as high. */
function columnsFor(count) {
  const ways = Array.from({ length: 12 }, (_, at) => at + 1);
  const off = (columns) => {
    const rows = Math.ceil(count / columns);
    return Math.abs(Math.log(1280 / columns / (950 / rows) / 1.45)) + (columns * rows - count) / count / 2;
  };
  return ways.reduce((best, each) => (off(each) < off(best) ? each : best));
}

function tile(board, inShort) {
  const made = make("article", "", `tile is-${board.state}`);
  const head = make("header");
  head.append(make("h3", String(board.n)), make("span", beside(board), "beside-number"));
  made.append(head);
  const who = board.who ?? (board.state === "own" ? [[], []] : []);
  made.append(...who.map((side, at) => row(board, inShort(side), at)));
  if (board.state === "away" && board.since_ms && who.length === 0) {
    made.append(make("p", ago(board.since_ms), "row quiet"));
  }
  if (board.proposed && board.state === "playing") {
    made.classList.add("is-proposed");
  }
  return made;
}

function row(board, inShort, at) {
  const made = make("p", "", "row");
  const hue = board.side?.[at];
  if (hue) {
    made.classList.add(`side-${hue}`);
    made.append(make("i", "", "disc"));
  }
  if (board.turn === at && board.state === "playing") {
    made.classList.add("in-turn");
  }
  if (board.winner === at && board.state === "over") {
    made.classList.add("has-won");
  }
  const name = make("span", inShort, "name");
  name.classList.toggle("pair", board.who?.[at]?.length > 1);
  made.append(name);
  const points = board.points ?? board.score;
  if (points) {
    made.append(make("b", String(points[at])));
  }
  return made;
}

function beside(board) {
  switch (board.state) {
    case "called":
      return say("called");
    case "declined":
      return say("desk");
    case "away":
      return say("away");
    case "absent":
      return say("off");
    case "free":
      return say("free");
    case "over":
      return say("over");
    case "own":
      return say("own match");
    default:
      return clock(board);
  }
}

// --- tables ----------------------------------------------------------------------------------

/** The tables that are worth a look: those still played first, none before its first result. */
function tables() {
  const found = contests().flatMap((contest) => contest.tables.map((name) => [contest, parts.get(`table/${name}`)]));
  const begun = found.filter(([, table]) => table?.rows.some((each) => each.played > 0));
  return begun;
}

function overview(some) {
  const made = make("div", "", "overview");
  made.dataset.count = some.length;
  made.append(...some.map(([contest, table]) => tableOf(contest, table)));
  return made;
}

// --- brackets --------------------------------------------------------------------------------

function bracketScenes(contest) {
  return bracketsOf(contest).filter((section) => !/-(third|final)$/.test(section)).filter((section) => {
    const rounds = roundsOf(contest, section);
    return rounds.some(([, matches]) => matches.some((match) => match.called || match.who.every((side) => side.names)));
  }).map((section) => ({ name: "bracket", draw: () => [bracket(contest, section)] }));
}

// --- who has won -----------------------------------------------------------------------------

function winners(over) {
  const made = make("div", "", "winners");
  made.append(...over.map((contest) => {
    const section = make("section", "", "winner");
    section.append(make("h2", contest.title), ...contest.places.filter(({ first }) => first <= 3)
      .flatMap((place) => place.who.map((side) => make("p", `${placeText(place)}  ${names(side)}`))));
    return section;
  }));
  return made;
}

// --- the last match --------------------------------------------------------------------------

/** A final that is played takes the whole wall. */
function finals() {
  const left = boards().filter((board) => ["called", "declined", "playing"].includes(board.state));
  const [board] = left;
  const isFinal = left.length === 1 && board.who && contests().every((contest) => contest.known - contest.over <= 1);
  return isFinal && board.state === "playing" ? [{ name: "final", draw: () => [finalOf(board)] }] : [];
}

/** What the last match is called: a final only where a bracket ends in it. */
function lastTitle(contest, key) {
  const section = findMatch(key)?.section ?? "";  // it may have been drawn anew meanwhile
  const isTree = !contest.tables.includes(section) && !/-(third|second-final)$/.test(section);
  return isTree ? roundTitle(0) : sectionTitle(contest, section);
}

function finalOf(board) {
  const made = make("div", "", "final");
  const contest = parts.get(`contest/${board.contest}`);
  made.append(make("h2", [...new Set([contest.title, lastTitle(contest, board.key)])].join(" · ")));
  const sides = make("div", "", "final-sides");
  board.who.forEach((side, at) => {
    const half = make("section", "", `final-side ${board.side ? `side-${board.side[at]}` : ""}`);
    half.classList.toggle("in-turn", board.turn === at);
    half.append(make("p", list(side), "name"), make("b", String(board.score?.[at] ?? 0)));
    sides.append(half);
  });
  made.append(sides, make("p", clock(board), "final-clock"));
  return made;
}

// --- time ------------------------------------------------------------------------------------

setInterval(draw, 1000);
addEventListener("resize", draw);
setInterval(() => {
  turn += 1;
  draw();
}, TURN_MS);
follow("/api/hub/events", draw, (status) => {
  document.body.classList.toggle("is-lost", status === "lost");
  putOrHide(element("status"), status === "lost" ? say("The hub is away; this is how it stood.") : "");
});
