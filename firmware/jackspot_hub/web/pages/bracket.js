// A bracket as a picture: rounds from left to right, the last ones whole, who is through in full.

import { make } from "/dom.js";
import { besideBracket, roundsOf } from "./parts.js";
import { names, roundTitle, sectionTitle, shortIn, slot } from "./told.js";

const MOST_IN_A_ROUND = 16;

/** Draw a section of a contest; of a large one the rounds that fit, from the last backwards. */
export function bracket(contest, section) {
  const made = make("div", "", "bracket");
  const rounds = roundsOf(contest, section);
  const fits = rounds.filter(([, matches]) => matches.length <= MOST_IN_A_ROUND);
  const last = rounds.length;
  made.append(make("h2", `${contest.title} · ${sectionTitle(contest, section)}`));
  const columns = make("div", "", "rounds");
  columns.dataset.rounds = fits.length;
  const [widest] = fits.map(([, matches]) => matches.length).sort((one, other) => other - one);
  columns.dataset.most = 2 ** Math.ceil(Math.log2(widest ?? 1));
  const naming = fits.length > 3 ? shortIn(fits.flatMap(([, matches]) => matches.flatMap((match) => match.who.map((side) => side.names ?? [])))) : names;
  for (const [number, matches] of fits) {
    const column = make("section", "", "round");
    column.append(make("h3", section.endsWith("-lower") ? String(number) : roundTitle(last - number)));
    const list = make("ol");
    list.append(...matches.map((match) => matchOf(match, naming)));
    column.append(list);
    columns.append(column);
  }
  const beside = fits.length > 0 ? besideBracket(contest, section) : [];
  columns.lastElementChild?.append(...beside.map(([name, match]) => {
    const list = make("ol", "", "beside");
    list.append(make("h3", sectionTitle(contest, name)), matchOf(match, naming));
    return list;
  }));
  made.append(columns);
  return made;
}

function matchOf(match, naming) {
  const made = make("li", "", "match");
  made.classList.toggle("is-over", Boolean(match.over));
  made.classList.toggle("is-called", Boolean(match.called) && !match.over);
  match.who.forEach((side, at) => {
    const line = make("p", "", "line");
    line.classList.toggle("has-won", match.winner === at);
    line.classList.toggle("has-lost", Boolean(match.over) && match.winner === 1 - at);
    line.classList.toggle("is-awaited", !side.names);
    line.append(make("span", slot(side, naming)), make("b", points(match, at)));
    made.append(line);
  });
  return made;
}

function points(match, at) {
  if (!match.over) {
    return "";
  }
  return match.forfeit ? (match.winner === at ? "✓" : "–") : String(match.points[at]);
}

