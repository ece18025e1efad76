// The score card of a match, to print: on A6, or whatever the printer has.

import { element, make } from "./dom.js";
import { outcome, showMatch } from "./history-words.js";
import { colour, rulesName } from "./names.js";
import { fillWords, language, say } from "./words.js";

const DAY = new Intl.DateTimeFormat(language, { dateStyle: "long" });

fillWords();
element("print").addEventListener("click", () => window.print());
await showMatch(show);

function show(match) {
  document.title = say("Match {n}", { n: match.number });
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
  made.append(make("h1", say("Score card")), make("p", `${rulesName(match.rules)} · ${match.board} · ${say("Match {n}", { n: match.number })}`), make("p", day));
  if (where) {
    made.append(make("p", where));
  }
  return made;
}

/** In carom a column for the jack's hundred and one for the pucks; else points and their sum. */
function scores(match) {
  const { slip } = match;
  const hundreds = slip.rows.some((row) => row.cells[0].hundreds !== null);
  const heads = hundreds ? [say("Jack: 100"), say("Pucks"), say("Points")] : [say("Points"), say("So far")];
  const made = make("table");
  const top = made.createTHead().insertRow();
  top.append(head("", 1), ...slip.sides.map((side) => head(side.names || colour(side.side), heads.length)));
  const second = made.tHead.insertRow();
  second.append(head(say("Board"), 1), ...slip.sides.flatMap(() => heads.map((words) => head(words, 1))));
  const body = made.createTBody();
  for (const row of slip.rows) {
    const cells = row.cells.flatMap((cell, side) => [
      ...(hundreds ? [cell.hundreds || "–", cell.ones] : []),
      row.winner === side ? won(cell.points) : cell.points,
      ...(hundreds ? [] : [cell.total]),
    ]);
    const line = body.insertRow();
    [row.board, ...cells].forEach((cell) => line.insertCell().append(cell));
  }
  const foot = made.createTFoot().insertRow();
  foot.append(head(say("Total"), 1));
  slip.totals.forEach((total) => {
    const cell = foot.insertCell();
    cell.colSpan = heads.length;
    cell.className = "total";
    cell.textContent = total;
  });
  return made;
}

function won(points) {
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
