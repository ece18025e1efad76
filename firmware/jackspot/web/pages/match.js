// One match: who and how it ended, how it went, every stroke with its ruling, its figures.

import { element, make, put, putOrHide } from "./dom.js";
import { peopleTable, playerLink, pocketPanels, table } from "./history-figures.js";
import { duration, entryShown, follows, hasPoints, number, outcome, scoreOf, showMatch, sidesOf, strokesSaid, when, who } from "./history-words.js";
import { colour, rulesName } from "./names.js";
import { piece } from "./pieces.js";
import { course, times } from "./plots.js";
import { fillWords, say, sayCount, systems } from "./words.js";

fillWords();
await showMatch(show);

function show(match) {
  const title = say("Match {n}", { n: String(match.number) });
  document.title = title;
  put(element("title"), title);
  const about = [rulesName(match.rules), match.event, match.round, match.place, when(match.began)];
  put(element("which"), about.filter(Boolean).join(" · "));
  const sides = sidesOf(match);
  element("sides").replaceChildren(...sides.map((side) => sideShown(match, side)));
  put(element("outcome"), [outcome(match), strokesSaid(match), duration(match.lasted_s)].filter(Boolean).join(" · "));
  element("take").replaceChildren(...links(match));
  showCourse(match, sides);
  showStrokes(match);
  const people = match.seats.map((seat) => ({ ...seat, ...figuresOf(seat) }));
  element("figures").replaceChildren(peopleTable(people, false));
  element("pockets").replaceChildren(...pocketPanels(match.pockets));
  element("match").hidden = false;
  document.body.dataset.ready = "yes";
}

function sideShown(match, side) {
  const made = make("div", "", `side side-${side}`);
  made.classList.toggle("won", match.winner === side);
  const name = make("h2");
  name.append(piece(side, "in"), players(match, side));
  made.append(name, make("p", String(scoreOf(match, side)), "points"));
  const boards = match.games_won ?? match.boards_won;
  if (match.boards.length > 1 && hasPoints(match)) {
    const words = match.games_won ? say("{n} games", { n: boards[side] }) : say("{n} boards", { n: boards[side] });
    made.append(make("p", words, "quiet"));
  }
  return made;
}

/** The players of a side, each leading to a page of their own; else its colour. */
function players(match, side) {
  const made = make("span");
  const names = match.seats.filter((seat) => seat.side === side && seat.name).map((seat) => seat.name);
  names.forEach((name, at) => made.append(at > 0 ? " & " : "", playerLink(name)));
  if (names.length === 0) {
    made.textContent = colour(side);
  }
  return made;
}

function links(match) {
  const at = (href, words, download) => {
    const link = make("a", words);
    link.href = href;
    link.toggleAttribute("download", download);
    return link;
  };
  const file = (kind) => `/api/matches/${match.number}.${kind}`;
  return [
    at(`/slip?number=${match.number}`, say("Score card to print"), false),
    at(file("carom"), say("Record (.carom)"), true),
    at(file("csv"), "CSV", true),
    at(file("json"), "JSON", true),
  ];
}

function figuresOf(seat) {
  const shot = seat.shooting;
  const took = shot.took_s;
  const middle = took.length >> 1;
  const usual = took.length === 0 ? null : took.length % 2 ? took[middle] : (took[middle - 1] + took[middle]) / 2;
  const name = seat.name || colour(seat.side);
  return { name, isNamed: seat.name !== "", own_a_stroke: shot.strokes ? shot.own / shot.strokes : 0, usual_s: usual };
}

/** Both sides' points, or pieces in where there are none, or only at the end, stroke by stroke. */
function showCourse(match, sides) {
  const steps = match.lines.flatMap((line) => line.steps);
  const late = systems[match.rules]?.late ?? false;
  const lines = sides.map((side) => ({ side, values: [0] }));
  const marks = [];
  for (const step of steps) {
    const counts = late ? step.pocketed : step.points;
    lines.forEach((line) => line.values.push(counts[line.side] ?? line.values.at(-1)));
    if (step.board_over !== null) {
      marks.push(lines[0].values.length - 1);
    }
  }
  const what = late ? say("Pieces in, entry by entry") : say("Points of the board, entry by entry");
  const words = `${what}: ${sides.map((side, at) => `${who(match, side)} ${lines[at].values.at(-1)}`).join(", ")}`;
  element("course").replaceChildren(make("p", what, "quiet"), legend(match, sides), course(lines, marks, words));
  const strokes = steps.filter((step) => step.directive === undefined).map((step) => (step.took_s === null ? null : { seconds: step.took_s, side: step.side }));
  if (strokes.some((stroke) => stroke !== null)) {
    const title = say("Seconds per stroke, in order");
    element("times").replaceChildren(make("p", title, "quiet"), times(strokes, title));
  }
}

function legend(match, sides) {
  const made = make("p", "", "legend");
  sides.forEach((side, index) => {
    const entry = make("span", "", `side-${side} key key-${index}`);
    entry.append(make("i"), make("span", who(match, side)));
    made.append(entry);
  });
  return made;
}

function showStrokes(match) {
  const heads = ["", say("Time"), say("Stroke"), say("Ruling"), say("What follows"), say("Duration")];
  const made = table(heads, []);
  made.classList.add("strokes");
  const body = made.tBodies[0];
  let board = 0;
  for (const line of match.lines) {
    const steps = line.steps.filter((step) => step.entry !== "! placed");
    const first = steps[0];
    if (first && first.board !== board) {
      board = first.board;
      const cell = body.insertRow().insertCell();
      cell.colSpan = heads.length;
      cell.className = "board";
      cell.textContent = say("Board {n}", { n: board });
    }
    for (const row of rowsOf(line, steps)) {
      body.append(row);
    }
  }
  element("strokes").replaceChildren(made);
  const count = match.corrections;
  putOrHide(element("corrected"), count ? sayCount("{n} line was taken back; it is struck through.", "{n} lines were taken back; they are struck through.", count) : "");
}

function rowsOf(line, steps) {
  const at = line.at_s === null ? "" : clock(line.at_s);
  if (!line.stands) {
    const row = rowOf([line.number, at, entries(line.entries), line.rulings.join(" "), say("taken back"), ""]);
    row.className = "gone";
    return [row];
  }
  if (steps.length === 0) {
    const words = line.pockets.length ? say("no stroke: {pockets}", { pockets: line.pockets.join(", ") }) : "";
    return words ? [rowOf([line.number, at, "", "", words, ""])] : [];
  }
  return steps.map((step, index) => {
    const row = rowOf([
      index === 0 ? line.number : "",
      index === 0 ? at : "",
      entryShown(step.entry),
      step.rulings.join(" "),
      follows(step),
      step.took_s === null ? "" : say("{n} s", { n: number(Math.round(step.took_s * 10) / 10) }),
    ]);
    row.classList.toggle("foul", step.foul);
    row.classList.toggle("again", line.kept);
    if (line.kept && index === 0) {
      row.cells[0].title = say("entered again after a correction");
    }
    return row;
  });
}

function entries(lines) {
  const made = make("span");
  lines.filter((entry) => entry !== "! placed").forEach((entry) => made.append(entryShown(entry), " "));
  return made;
}

function rowOf(cells) {
  const row = document.createElement("tr");
  for (const cell of cells) {
    row.insertCell().append(cell);
  }
  return row;
}

function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
