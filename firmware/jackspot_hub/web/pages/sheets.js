// Sheets of paper for a hall: who meets whom, slips for scores, and the numbers of boards.

import { make } from "/dom.js";
import { list, say, systems } from "/words.js";
import { besideBracket, bracketsOf, parts, roundsOf, waitsIn } from "./parts.js";
import { columnsOf, matchNumber, names, placeIn, roundTitle, score, sectionTitle, signed, slot, tally, wonOf } from "./told.js";

/** Formats in which not everybody meets everybody. */
const NEVER_ALL = ["Swiss", "Partners", "OpenPlay"];
const MOST_CROSSED = 14;
const MOST_ON_A_SHEET = 16;
const MOST_COLUMNS = 6;
const A4 = 297 / 210;
const SMALLEST = 0.3;
const isPrinting = matchMedia("print");
const laidOut = new ResizeObserver((seen) => seen.forEach(({ target }) => fit(target)));
const MOST_TOGETHER = 12;

/** One sheet: its heading, and what stands on it. */
export function paper(title, under, ...content) {
  const made = make("article", "", "paper");
  const head = make("header", "", "head");
  head.append(make("h2", title), make("p", under));
  made.append(head, ...content);
  return made;
}

/** Every match of a contest, as `{ contest, section, match }`. */
export function matchesOf(contest) {
  return contest.rounds.flatMap((name) => {
    const section = name.slice(0, name.lastIndexOf("/"));
    return (parts.get(`round/${name}`)?.matches ?? []).map((match) => ({ contest, section, match }));
  });
}

// --- what is too high ------------------------------------------------------------------------

/** Set a bracket or a slip that is too high in the largest size that fits: smaller letters also need fewer lines. */
function fit(part) {
  let share = shareOf(part);
  if (share >= 1 || isPrinting.matches) {
    return;
  }
  laidOut.unobserve(part); // its own change is not to be told in the same frame
  for (let size = Math.sqrt(Math.max(share, SMALLEST)); share < 1 && size > SMALLEST; size *= 0.97) {
    part.style.setProperty("zoom", size);
    share = shareOf(part);
  }
  if (share >= 1) {
    requestAnimationFrame(() => laidOut.observe(part));  // where nothing helps it is not tried in every frame
  }
}

/** The share of a part's height for which there is room: a bracket's on its sheet, a slip's content in the slip. */
function shareOf(part) {
  if (part.matches(".slip")) {
    return part.scrollHeight - part.clientHeight < 2 ? 1 : part.clientHeight / part.scrollHeight;
  }
  const { width, height } = part.closest(".paper").getBoundingClientRect();
  const over = height - width * A4;
  return over < 1 ? 1 : 1 - over / part.getBoundingClientRect().height;
}

// --- draw sheets -----------------------------------------------------------------------------

/** The sheets of a contest: one for each table, then its brackets. */
export function drawSheets(contest) {
  const small = (section) => /-(third|final)$/.test(section);
  return [
    ...contest.tables.map((name) => tableSheet(contest, parts.get(`table/${name}`))),
    ...bracketsOf(contest).filter((section) => !small(section)).flatMap((section) => bracketSheets(contest, section)),
  ];
}

function under(contest) {
  const event = parts.get("event").name;
  return contest.seed ? say("{event} · lots drawn from {seed}", { event, seed: contest.seed }) : event;
}

function title(contest, section) {
  const told = sectionTitle(contest, section);
  return told === contest.title ? told : `${contest.title} · ${told}`;
}

function tableSheet(contest, table) {
  const rounds = roundsOf(contest, table.name);
  const matches = rounds.flatMap(([, each]) => each);
  const isCrossed = !NEVER_ALL.includes(contest.format) && table.rows.length <= MOST_CROSSED;
  return paper(title(contest, table.name), under(contest),
    ...(isCrossed ? crossed(table, matches) : ranking(table)), roundLists(contest, rounds));
}

/** Each against each: a row and a column for everybody, in the order of the draw. */
function crossed(table, matches) {
  const rows = [...table.rows].sort((one, other) => one.entrant - other.entrant);
  const made = make("table", "", "crossed");
  made.dataset.wide = rows.length > 8 ? "yes" : "no";
  const head = made.createTHead().insertRow();
  head.append(heading(""), heading(""), ...rows.map((_, at) => heading(String(at + 1))),
    heading(say("won")), heading("±"), heading(say("rank")));
  const body = made.createTBody();
  rows.forEach((row, at) => {
    const line = body.insertRow();
    line.append(make("td", String(at + 1)), make("th", names(row.names)));
    rows.forEach((other) => line.append(row === other ? make("td", "", "self") : meeting(matches, row.entrant, other.entrant)));
    const begun = row.played > 0;
    line.append(make("td", begun ? wonOf(row) : "", "sum"), make("td", begun ? signed(row.points - row.against) : "", "sum"),
      make("td", begun ? String(row.place) : "", "sum"));
  });
  return [made, ...(rows.some((row) => row.tied) ? [make("p", say("won + tied"), "reason")] : [])];
}

function heading(text) {
  const made = make(text ? "th" : "td", text);
  if (text) {
    made.scope = "col";
  }
  return made;
}

function meeting(matches, one, other) {
  const met = matches.filter(({ who, over }) => over && who.every(({ entrant }) => entrant === one || entrant === other));
  const told = met.map((match) => {
    const at = match.who.findIndex(({ entrant }) => entrant === one);
    return match.forfeit ? (match.winner === at ? "✓" : "–") : `${match.points[at]}:${match.points[1 - at]}`;
  });
  const has = met.some((match) => match.winner !== null && match.who[match.winner].entrant === one);
  return make("td", told.join(" "), has ? "won" : "");
}

function ranking(table) {
  const made = make("ol", "", "ranking");
  made.append(...table.rows.map((row) => {
    const line = make("li");
    line.append(make("b", row.played > 0 ? String(row.place) : ""), make("span", names(row.names)),
      make("i", row.played > 0 ? `${tally(row)}  ${signed(row.points - row.against)}` : ""));
    return line;
  }));
  return [made, ...columnsOf(table.rows).map((text) => make("p", text, "reason"))];
}

function roundLists(contest, rounds) {
  const made = make("div", "", "round-lists");
  made.append(...rounds.filter(([number]) => number > 0).map(([number, matches]) => {
    const section = make("section", "", matches.length > MOST_TOGETHER ? "long" : "");
    const heading = contest.format === "OpenPlay" ? say("Matches") : say("Round {n}", { n: number });
    section.append(make("h3", heading), ...matches.map((match) => {
      const line = make("p", "", "meeting");
      const number = contest.format === "OpenPlay" ? "" : placeIn(match.key);
      line.append(make("small", number), make("span", match.who.map((side) => slot(side)).join(" – ")),
        make("b", match.over ? score(match) : "", match.over ? "" : "blank"));
      return line;
    }));
    const waits = waitsIn(contest, number);
    if (waits.length > 0) {
      section.append(make("p", say("Waits: {names}", { names: list(waits.flatMap((side) => side.names)) }), "waits"));
    }
    return section;
  }));
  return made;
}

// --- brackets --------------------------------------------------------------------------------

/** A bracket on as many sheets as it needs: from round to round fewer; the last has what all others lead to. */
function bracketSheets(contest, section) {
  const rounds = roundsOf(contest, section).filter(([number]) => number > 0);
  if (rounds.length === 0) {
    return [];
  }
  const last = rounds.at(-1)[0];
  const isLower = section.endsWith("-lower");
  const places = (number) => 2 ** (isLower ? Math.ceil(last / 2) - Math.ceil(number / 2) : last - number);
  const name = (number) => (isLower ? say("Round {n}", { n: number }) : roundTitle(last - number));
  const stages = stagesOf(rounds, places);
  const total = stages.reduce((sum, { of }) => sum + of, 0);
  const drawn = ({ some, of }, at, sheet) => {
    const made = bracket(some.map(([number, matches]) => {
      const count = places(number) / of;
      const here = matches.filter((match) => Math.floor((numberOf(match) - 1) / count) === at);
      return { title: name(number), count, matches: here.map((match) => [(numberOf(match) - 1) % count, match]) };
    }));
    const where = total > 1 ? `${title(contest, section)} · ${sheet}/${total}` : title(contest, section);
    return paper(where, under(contest), made, ...(sheet === total ? lastMatches(contest, section) : []));
  };
  return stages.flatMap((stage) => Array.from({ length: stage.of }, (_, at) => [stage, at]))
    .map(([stage, at], sheet) => drawn(stage, at, sheet + 1));
}

/** Rounds that stand beside each other, on so many sheets each; every stage begins with the last round of the one before. */
function stagesOf(rounds, places) {
  const of = Math.max(1, places(rounds[0][0]) / MOST_ON_A_SHEET);
  const some = rounds.filter(([number]) => places(number) >= of).slice(0, MOST_COLUMNS);
  const rest = rounds.slice(some.length - 1);
  return [{ some, of }, ...(rest.length > 1 ? stagesOf(rest, places) : [])];
}

function numberOf(match) {
  return Number(/\d+$/.exec(match.key)[0]);
}

function bracket(columns) {
  const made = make("div", "", "tree");
  laidOut.observe(made);
  const rows = columns[0].count;
  made.style.setProperty("--columns", columns.length);
  made.style.setProperty("--rows", rows);
  made.dataset.rows = rows;
  const stands = (column, at) => columns[column]?.matches.some(([place]) => place === at) ?? false;
  columns.forEach(({ title: told, count, matches }, column) => {
    const [before, after] = [columns[column - 1]?.count, columns[column + 1]?.count];
    const head = make("h3", told);
    head.style.setProperty("grid-area", `1 / ${column + 1}`);
    made.append(head);
    for (const [at, match] of matches) {
      const cell = matchOf(match);
      const span = rows / count;
      if (after) {
        cell.classList.add(after === count ? "straight" : at % 2 ? "down" : "up");
      }
      cell.classList.toggle("fed", before === count ? stands(column - 1, at) : stands(column - 1, 2 * at) || stands(column - 1, 2 * at + 1));
      cell.style.setProperty("grid-area", `${2 + at * span} / ${column + 1} / span ${span} / auto`);
      made.append(cell);
    }
  });
  return made;
}

function matchOf(match) {
  const cell = make("div", "", "place");
  const box = make("div", "", "box");
  match.who.forEach((side, at) => {
    const line = make("p", "", match.winner === at ? "line won" : "line");
    line.append(make("span", slot(side), side.names ? "" : "awaited"), make("b", match.over && !match.forfeit ? String(match.points[at]) : match.winner === at ? "✓" : ""));
    box.append(line);
  });
  box.append(make("small", placeIn(match.key)));
  cell.append(box);
  return cell;
}

/** The matches that stand beside a bracket: for the third place, and the final of two brackets. */
function lastMatches(contest, section) {
  const made = make("div", "", "last-matches");
  made.append(...besideBracket(contest, section).map(([name, match]) => {
    const part = make("section");
    part.append(make("h3", sectionTitle(contest, name)), matchOf(match));
    return part;
  }));
  return made.childElementCount > 0 ? [made] : [];
}

// --- slips -----------------------------------------------------------------------------------

/** Slips to write scores on where a board does not count: so many on a sheet. */
export function slips(matches, each) {
  const made = [];
  for (let at = 0; at < matches.length; at += each) {
    const sheet = make("article", "", "paper slips");
    sheet.dataset.each = each;
    sheet.append(...matches.slice(at, at + each).map(slip));
    made.push(sheet);
  }
  return made;
}

function slip({ contest, section, match }) {
  const made = make("section", "", "slip");
  laidOut.observe(made);
  const call = (parts.get("calls") ?? []).find(({ key }) => key === match.key);
  const head = make("header");
  const where = make("p", "", "where");
  where.append(make("span", say("Board no.")), make("b", call ? String(call.board) : ""));
  const what = make("div");
  what.append(make("h2", matchNumber(match.key)), make("p", title(contest, section)), make("p", parts.get("event").name, "of"));
  head.append(what, where);
  const table = make("table");
  const row = table.createTHead().insertRow();
  row.append(make("td", say("Board")), ...["1", "2", "3"].map(heading), heading(say("Total")));
  const body = table.createTBody();
  match.who.forEach((side) => {
    const line = body.insertRow();
    const who = make("th", "", "who");
    who.scope = "row";
    who.append(...side.names.map((name) => make("span", name)));
    line.append(who, ...["", "", "", ""].map(() => make("td", "")));
  });
  const ended = make("div", "", "ended");
  ended.append(make("span", say("Winner")), ...match.who.map((side) => ticked(names(side.names))));
  if (systems[contest.rules]?.jack) {
    ended.append(make("span", ""), ticked(say("won by the jack")));
  }
  const signs = make("div", "", "signs");
  signs.append(...[...match.who.map((side) => names(side.names)), say("Referee")].map((name) => make("p", name)));
  made.append(head, table, ended, signs);
  return made;
}

function ticked(text) {
  const made = make("p", "", "tick");
  made.append(make("i"), make("span", text));
  return made;
}

// --- boards ----------------------------------------------------------------------------------

/** A card for each board, two on a sheet. */
export function boardCards(event, numbers) {
  const made = [];
  for (let at = 0; at < numbers.length; at += 2) {
    const sheet = make("article", "", "paper cards");
    sheet.append(...numbers.slice(at, at + 2).map((number) => boardCard(event, number)));
    made.push(sheet);
  }
  return made;
}

function boardCard(event, number) {
  const made = make("section", "", "board-card");
  const head = make("header");
  head.append(make("span", event.name), make("span", say("Board no.")));
  const big = make("p", String(number), "number");
  big.dataset.digits = String(number).length;
  const foot = make("footer");
  const code = make("img");
  code.src = "/phones.svg";
  code.alt = "";
  const told = make("div");
  told.append(make("b", say("Your matches on your phone")), make("span", location.host));
  foot.append(code, told);
  made.append(head, big, foot);
  return made;
}
