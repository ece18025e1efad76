// A table of standings, with what decided where wins did not.

import { make } from "/dom.js";
import { say } from "/words.js";
import { decided, names, sectionTitle, signed } from "./told.js";

const USUAL_ROWS = 10;

/** Draw a table, at most so many rows of it; `me` is somebody whose row is marked. */
export function tableOf(contest, table, most = USUAL_ROWS, me = "") {
  const made = make("section", "", "standing");
  const title = sectionTitle(contest, table.name);
  made.append(make("h2", contest.tables.length > 1 ? `${contest.title} · ${title}` : contest.title));
  const rows = make("table");
  const shown = table.rows.slice(0, most);
  for (const each of shown) {
    const line = make("tr", "", contest.upper && each.place <= contest.upper ? "goes-on" : "");
    line.classList.toggle("is-me", each.names.includes(me));
    line.append(
      make("td", String(each.place)),
      make("td", names(each.names)),
      make("td", `${each.won}${each.tied ? `+${each.tied}` : ""}/${each.played}`),
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
  const told = rows.some((each) => each.tied) ? [say("won + tied / played")] : [];
  const known = rows.filter((each) => each.played > 0 && decided(each));
  const cut = known.find((each) => upper && each.place === upper + 1);
  for (const each of new Set([known[0], cut].filter(Boolean))) {
    told.push(say("{one} before {other}: {reason}", { one: each.place - 1, other: each.place, reason: decided(each) }));
  }
  return told.map((text) => make("p", text, "reason"));
}
