// The score card of a match, to print: on A6, or whatever the printer has.

import { element, make } from "./dom.js";
import { hasPoints, outcome, showMatch } from "./history-words.js";
import { colour, rulesName } from "./names.js";
import { fillWords, locale, say } from "./words.js";

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: "long" });

fillWords();
element("print").addEventListener("click", () => window.print());
await showMatch(show);

function show(match) {
  document.title = say("Match {n}", { n: String(match.number) });
  element("back").href = `/match?number=${match.number}`;
  element("card").replaceChildren(heading(match), scores(match), result(match), signatures(match));
  element("card").hidden = false;
  document.body.dataset.ready = "yes";
}

function heading(match) {
  const made = make("header");
  const dated = match.date !== null || match.began.synchronised;
  const day = dated ? DAY.format(new Date(`${match.day}T12:00`)) : `${say("Date")}: ________________`;
  const where = [match.event, match.round, match.place].filter(Boolean).join(" · ");
  made.append(make("h1", say("Score card")), make("p", `${rulesName(match.rules)} · ${match.board} · ${say("Match {n}", { n: String(match.number) })}`), make("p", day));
  if (where) {
    made.append(make("p", where));
  }
  return made;
}

/**
 * The boards: where the jack decides, a column for it and one for the pucks, with their sum where
 * the game has points; else points and what they come to.
 */
function scores(match) {
  const { slip } = match;
  const counts = hasPoints(match);
  const jack = slip.rows.some((row) => row.cells[0].hundreds !== null);
  const heads = columns(jack, counts);
  const made = make("table");
  const top = made.createTHead().insertRow();
  top.append(head("", 1), ...slip.sides.map((side) => head(side.names || colour(side.side), heads.length)));
  const second = made.tHead.insertRow();
  second.append(head(say("Board"), 1), ...slip.sides.flatMap(() => heads.map((words) => head(words, 1))));
  const body = made.createTBody();
  for (const row of slip.rows) {
    const line = body.insertRow();
    line.insertCell().append(row.board);
    row.cells.forEach((cell, side) => {
      const last = counts ? cell.points : cell.ones;
      const won = row.winner === side ? circled(last) : last;
      const cells = jack ? [cell.hundreds ? (counts ? 1 : "●") : "–", ...(counts ? [cell.ones] : []), won] : [won, cell.total];
      cells.forEach((each) => line.insertCell().append(each));
    });
  }
  const totals = counts ? slip.totals : slip.sides.map(({ side }) => match.boards_won[side]);
  if (counts || slip.rows.length > 1) {
    made.createTFoot().append(totalRow(counts ? say("Total") : say("Boards won"), totals, heads.length));
  }
  return made;
}

function columns(jack, counts) {
  if (!jack) {
    return [say("Points"), say("So far")];
  }
  return counts ? [say("Jack: 100"), say("Pucks"), say("Points")] : [say("Jack"), say("Pucks")];
}

function totalRow(words, totals, wide) {
  const made = make("tr");
  made.append(head(words, 1));
  totals.forEach((total) => {
    const cell = made.insertCell();
    cell.colSpan = wide;
    cell.className = "total";
    cell.textContent = total;
  });
  return made;
}

function circled(points) {
  const made = make("span", "", "won");
  made.append(String(points));
  return made;
}

function head(words, wide) {
  const made = make("th", words);
  made.colSpan = wide;
  made.scope = wide === 1 ? "col" : "colgroup";
  return made;
}

function result(match) {
  const made = make("p", "", "outcome");
  made.append(make("b", outcome(match)));
  return made;
}

function signatures(match) {
  const made = make("div", "", "signatures");
  const names = match.slip.sides.map((side) => side.names || colour(side.side));
  for (const name of [...names, say("Referee")]) {
    made.append(make("p", name));
  }
  return made;
}
