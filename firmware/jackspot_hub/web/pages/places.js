// Who came in where, for a list on paper and as text for a newspaper.

import { make } from "/dom.js";
import { list, say } from "/words.js";
import { bracketsOf, parts, roundsOf } from "./parts.js";
import { paper } from "./sheets.js";
import { columnsOf, names, placeText, progress, reasonsIn, roundTitle, score, sectionTitle, signed, tally } from "./told.js";

/** Of longer tables it is not said what decided. */
const MOST_REASONED = 12;

// --- on paper --------------------------------------------------------------------------------

/** The sheet of a contest. */
export function standingsSheet(contest, day) {
  const content = [make("p", progress(contest), "progress")];
  if (contest.places.length > 0 && bracketsOf(contest).length > 0) {
    const list = make("ol", "", "final-places");
    list.append(...contest.places.flatMap((place) => place.who.map((side) => {
      const line = make("li");
      line.append(make("b", placeText(place)), make("span", names(side)));
      return line;
    })));
    content.push(list);
  }
  const tables = make("div", "", "tables");
  tables.dataset.count = contest.tables.length;
  tables.append(...contest.tables.map((name) => tableOf(contest, parts.get(`table/${name}`))));
  content.push(tables, ...bracketResults(contest));
  return paper(contest.title, `${parts.get("event").name} · ${day}`, ...content);
}

/** What stands over a table beside others, or beside the places of those who went on. */
function tableTitle(contest, name) {
  const goesOn = contest.places.length > 0 && bracketsOf(contest).length > 0;
  if (contest.tables.length === 1 && !goesOn) {
    return [];
  }
  return [name === contest.name ? say("Rounds") : sectionTitle(contest, name)];
}

function tableOf(contest, table) {
  const made = make("section", "", "ranked");
  made.append(...tableTitle(contest, table.name).map((title) => make("h3", title)));
  const rows = make("table");
  for (const row of table.rows) {
    const line = rows.insertRow();
    line.append(make("td", `${row.place}`), make("td", names(row.names)), make("td", tally(row)), make("td", `${row.points}:${row.against}`), make("td", signed(row.points - row.against)));
  }
  const reasons = table.rows.length <= MOST_REASONED ? reasonsIn(table.rows).map(({ text }) => text) : [];
  made.append(rows, ...[...columnsOf(table.rows), ...reasons].map((text) => make("p", text, "reason")));
  return made;
}

function sideOf(match, at) {
  return match.who[at].names;
}

/** How a match ended, and who won where the points do not say so: "forfeit, Aiko won". */
function scoreAndWinner(match, sides) {
  const winner = match.winner ?? null;
  if (winner === null) {
    return list([score(match), ...(match.forfeit ? [say("nobody wins")] : [])]);
  }
  const shown = !match.forfeit && match.points[winner] > match.points[1 - winner];
  return list([score(match), ...(shown ? [] : [say("{names} won", { names: names(sides[winner]) })])]);
}

/** What was played in brackets, the final first, then the match for the third place, as `[title, [[names, names, score]]]`. */
function resultsOf(contest) {
  const sections = bracketsOf(contest).reverse();
  const order = sections.flatMap((section) => {
    const rounds = roundsOf(contest, section).filter(([number]) => number > 0);
    const last = rounds.at(-1)?.[0];
    const isTree = !/-(third|final|lower)$/.test(section);
    return rounds.reverse().map(([number, matches]) => {
      const told = section.endsWith("-upper") ? say("Upper bracket, round {n}", { n: number })
        : isTree ? roundTitle(last - number)
          : section.endsWith("-lower") ? say("Lower bracket, round {n}", { n: number }) : sectionTitle(contest, section);
      return [told, matches.filter((match) => match.over).map((match) => [sideOf(match, 0), sideOf(match, 1), scoreAndWinner(match, [sideOf(match, 0), sideOf(match, 1)])])];
    });
  });
  if (/-third$/.test(sections[0])) {
    order.splice(0, 2, order[1], order[0]);
  }
  return order.filter(([, matches]) => matches.length > 0);
}

function bracketResults(contest) {
  const rounds = resultsOf(contest);
  if (rounds.length === 0) {
    return [];
  }
  const made = make("div", "", "results");
  made.append(...rounds.map(([told, matches]) => {
    const section = make("section");
    section.append(make("h3", told), ...matches.map(([one, other, ended]) => {
      const line = make("p", "", "meeting");
      line.append(make("span", `${names(one)} – ${names(other)}`), make("b", ended));
      return line;
    }));
    return section;
  }));
  return [made];
}

// --- as text ---------------------------------------------------------------------------------

/** A contest as plain text. */
export function inWords(contest) {
  const lines = [contest.title.toUpperCase(), progress(contest), ""];
  const isTree = bracketsOf(contest).length > 0;
  if (isTree) {
    const { places } = contest;
    lines.push(...places.flatMap((place) => place.who.map((side) => `${placeText(place)}. ${names(side)}`)), ...(places.length > 0 ? [""] : []));
  }
  for (const name of contest.tables) {
    const table = parts.get(`table/${name}`);
    lines.push(...tableTitle(contest, name), ...table.rows.map((row) => `${row.place}. ${names(row.names)}  ${tally(row)}, ${row.points}:${row.against}`), ...columnsOf(table.rows), "");
  }
  for (const [told, matches] of resultsOf(contest)) {
    lines.push(told, ...matches.map(([one, other, ended]) => `${names(one)} – ${names(other)}  ${ended}`), "");
  }
  return lines.join("\n");
}
