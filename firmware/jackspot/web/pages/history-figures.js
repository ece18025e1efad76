// Figures of players and pockets, as tables with bars.

import { make } from "./dom.js";
import { number } from "./history-words.js";
import { pieceName } from "./names.js";
import { piece } from "./pieces.js";
import { bar } from "./plots.js";
import { list, say } from "./words.js";

/** A table of people: `rows` has `{ name, side?, matches?, finished?, won?, shooting, ... }`. */
export function peopleTable(rows, overMatches) {
  const heads = [say("Player")];
  if (overMatches) {
    heads.push(say("Matches"), say("Won"));
  }
  heads.push(say("Strokes"), say("Own"), say("Own per stroke"), "", say("Opponent's"), say("Striker"), say("Fouls"), say("Paid"), say("Seconds per stroke"));
  const best = Math.max(0, ...rows.map((row) => row.own_a_stroke));
  const people = table(heads, rows.map((row) => {
    const shot = row.shooting;
    const cells = [name(row)];
    if (overMatches) {
      cells.push(number(row.matches), say("{won} of {all}", { won: row.won, all: row.finished }));
    }
    const usual = row.usual_s === null ? "" : number(row.usual_s);
    cells.push(number(shot.strokes), number(shot.own), number(row.own_a_stroke), bar(row.own_a_stroke, best), number(shot.others), number(shot.strikers), number(shot.fouls), number(shot.paid), usual);
    return cells;
  }));
  people.className = "people";
  return people;
}

/** A name that leads to its player's page. */
export function playerLink(name) {
  const link = make("a", name);
  link.href = `/player?${new URLSearchParams({ name })}`;
  return link;
}

function name(row) {
  const made = make("span", "", "name");
  made.append(row.isNamed === false ? row.name : playerLink(row.name));
  if (row.side) {
    made.prepend(piece(row.side, "in", row.seat), " ");
  }
  return made;
}

/** The pockets as they lie on a board, two above, two below: what was entered, and what the beam saw. */
export function pocketPanels(pockets) {
  const entered = ({ kinds }) => Object.values(kinds).reduce((sum, count) => sum + count, 0);
  const most = Math.max(0, ...Object.values(pockets).map(entered));
  return ["NW", "NE", "SW", "SE"].map((at) => {
    const one = pockets[at];
    const panel = make("section", "", "pocket");
    const kinds = Object.entries(one.kinds);
    const pieces = make("p", "", "kinds");
    for (const [kind, count] of kinds) {
      pieces.append(piece(kind), make("span", `${number(count)} `));
    }
    pieces.append(make("span", list(kinds.map(([kind, count]) => `${count} ${pieceName(kind)}`)), "visually-hidden"));
    const told = [say("the beam saw {n}", { n: one.falls }), say("{n} hands", { n: one.hands }), say("{n} late", { n: one.late })];
    panel.append(make("h3", at), bar(entered(one), most), pieces, make("p", told.join(" · "), "quiet"));
    return panel;
  });
}

/** A table of texts and elements; numbers stand right by CSS. */
export function table(heads, rows) {
  const made = make("table");
  const head = made.createTHead().insertRow();
  for (const words of heads) {
    const cell = make("th", words);
    cell.scope = "col";
    head.append(cell);
  }
  const body = made.createTBody();
  for (const cells of rows) {
    const row = body.insertRow();
    for (const [index, content] of cells.entries()) {
      const cell = row.insertCell();
      cell.dataset.head = heads[index];
      cell.append(content);
    }
  }
  return made;
}
