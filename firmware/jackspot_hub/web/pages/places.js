// Who came in where, for a list on paper and as text for a newspaper.

import { make } from "/dom.js";
import { say } from "/words.js";
import { bracketsOf, parts, roundsOf } from "./parts.js";
import { paper } from "./sheets.js";
import { decided, names, progress, roundTitle, score, sectionTitle, signed } from "./told.js";

/**
 * The places of a contest that is over, as `{ first, last, sides }`: who share a place stand
 * together. Empty while it is not over. Who stayed behind in one of several groups has no place.
 */
export function placesOf(contest) {
  if (contest.over < contest.known || contest.over === 0) {
    return [];
  }
  const found = [];
  const placed = new Set();
  const give = (sides) => {
    const others = sides.filter((side) => !placed.has(names(side)));
    if (others.length > 0) {
      found.push({ first: placed.size + 1, last: placed.size + others.length, sides: others });
      others.forEach((side) => placed.add(names(side)));
    }
  };
  if (bracketsOf(contest).length > 0) {
    if (!contest.final) {
      return [];
    }
    contest.final.forEach((side) => give([side]));
    knockedOut(contest).forEach(give);
  }
  if (contest.tables.length === 1) {
    byPlace(contest).forEach(give);
  }
  return found;
}

/** Who went out in a bracket, last first: those who did so in the same round together. */
function knockedOut(contest) {
  const sections = bracketsOf(contest);
  const third = sections.find((section) => section.endsWith("-third"));
  const [decider] = third ? roundsOf(contest, third)[0][1] : [];
  const early = decider && decider.winner !== null
    ? [[sideOf(decider, decider.winner)], [sideOf(decider, 1 - decider.winner)]] : [];
  const main = sections.find((section) => section.endsWith("lower")) ?? sections.find((section) => !/-(third|final)$/.test(section));
  const rounds = main ? roundsOf(contest, main).filter(([number]) => number > 0).reverse() : [];
  return [...early, ...rounds.map(([, matches]) =>
    matches.filter(({ winner }) => winner === 0 || winner === 1).map((match) => sideOf(match, 1 - match.winner)))];
}

function sideOf(match, at) {
  return match.who[at].names;
}

/** Who is first, second and so on in the only table. */
function byPlace(contest) {
  const { rows } = parts.get(`table/${contest.tables[0]}`);
  const places = [...new Set(rows.map(({ place }) => place))].sort((one, other) => one - other);
  return places.map((place) => rows.filter((row) => row.place === place).map((row) => row.names));
}

/** A place as it is written: "3", "5–8". */
export function placeText({ first, last }) {
  return first === last ? String(first) : `${first}–${last}`;
}

// --- on paper --------------------------------------------------------------------------------

/** The sheet of a contest. */
export function standingsSheet(contest, day) {
  const content = [make("p", progress(contest), "progress")];
  const places = placesOf(contest);
  if (places.length > 0 && bracketsOf(contest).length > 0) {
    const list = make("ol", "", "final-places");
    list.append(...places.flatMap((place) => place.sides.map((side) => {
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

function tableOf(contest, table) {
  const made = make("section", "", "ranked");
  if (contest.tables.length > 1) {
    made.append(make("h3", sectionTitle(contest, table.name)));
  }
  const rows = make("table");
  for (const row of table.rows) {
    const line = rows.insertRow();
    const name = make("td", names(row.names));
    const why = row.played > 0 && table.rows.length <= 12 ? decided(row) : "";
    if (why) {
      name.append(make("small", why));
    }
    line.append(make("td", `${row.place}`), name, make("td", tally(row)), make("td", `${row.points}:${row.against}`), make("td", signed(row.points - row.against)));
  }
  made.append(rows);
  return made;
}

function tally(row) {
  return `${row.won}${row.tied ? `+${row.tied}` : ""}/${row.played}`;
}

/** What was played in brackets, the last match first, as `[title, [[names, names, score]]]`. */
function resultsOf(contest) {
  return bracketsOf(contest).flatMap((section) => {
    const rounds = roundsOf(contest, section).filter(([number]) => number > 0);
    const last = rounds.at(-1)?.[0];
    const isTree = !/-(third|final|lower)$/.test(section);
    return rounds.reverse().map(([number, matches]) => {
      const told = section.endsWith("upper") ? say("Upper bracket, round {n}", { n: number })
        : isTree ? roundTitle(last - number)
          : section.endsWith("lower") ? say("Lower bracket, round {n}", { n: number }) : sectionTitle(contest, section);
      return [told, matches.filter((match) => match.over).map((match) => [sideOf(match, 0), sideOf(match, 1), score(match)])];
    });
  }).filter(([, matches]) => matches.length > 0);
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
    const places = placesOf(contest);
    lines.push(...places.flatMap((place) => place.sides.map((side) => `${placeText(place)}. ${names(side)}`)), ...(places.length > 0 ? [""] : []));
  }
  for (const name of contest.tables) {
    const table = parts.get(`table/${name}`);
    if (contest.tables.length > 1) {
      lines.push(sectionTitle(contest, name));
    }
    lines.push(...table.rows.map((row) => `${row.place}. ${names(row.names)}  ${tally(row)}, ${row.points}:${row.against}`), "");
  }
  for (const [told, matches] of resultsOf(contest)) {
    lines.push(told, ...matches.map(([one, other, ended]) => `${names(one)} – ${names(other)}  ${ended}`), "");
  }
  return lines.join("\n");
}
