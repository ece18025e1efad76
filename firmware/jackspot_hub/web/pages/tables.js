// A table of standings, with what decided where wins did not.

import { make } from "/dom.js";
import { columnsOf, names, reasonsIn, sectionTitle, signed, tally } from "./told.js";

const USUAL_ROWS = 10;

/** Draw a table, at most so many rows of it; rows that `isMe` are marked. */
export function tableOf(contest, table, most = USUAL_ROWS, isMe = () => false) {
  const made = make("section", "", "standing");
  const title = sectionTitle(contest, table.name);
  made.append(make("h2", contest.tables.length > 1 ? `${contest.title} · ${title}` : contest.title));
  const rows = make("table");
  const shown = table.rows.slice(0, most);
  for (const each of shown) {
    const line = make("tr", "", contest.upper && each.place <= contest.upper ? "goes-on" : "");
    line.classList.toggle("is-me", isMe(each));
    line.append(
      make("td", String(each.place)),
      make("td", names(each.names)),
      make("td", tally(each)),
      make("td", signed(each.points - each.against)),
    );
    rows.append(line);
  }
  made.append(rows, ...reasons(shown, contest.upper));
  return made;
}

/**
 * What the columns say where it is not plain, and what decided where wins did not: at the top of
 * the table, and at the line between who goes on and who does not.
 */
function reasons(rows, upper) {
  const known = reasonsIn(rows);
  const cut = known.find(({ place }) => upper && place === upper + 1);
  const told = [...new Set([known[0], cut].filter(Boolean))].map(({ text }) => text);
  return [...columnsOf(rows), ...told].map((text) => make("p", text, "reason"));
}
