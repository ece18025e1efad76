// What the pages of the history say of a match: who, when, how it ended, what became of a stroke.

import { element, make, putOrHide } from "./dom.js";
import { colour, pieceName } from "./names.js";
import { piece } from "./pieces.js";
import { language, list, locale, refusal, say, sayCount, systems } from "./words.js";

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

const HOW = {
  jack: say("by the jack"),
  pieces: say("by the pieces"),
  foul: say("by a foul"),
  time: say("on time"),
  resign: say("by resignation"),
  draw: say("by agreement"),
};

const REFUSED = {
  404: say("This address names no match."),
  503: say("The matches cannot be read now."),
};

const NUMBER = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });

/** Ask the board for something; a promise of it, or an error in the reader's words. */
export async function ask(url) {
  const answer = await fetch(url, { cache: "no-store" }).catch(() => null);
  const found = await answer?.json().catch(() => null);
  if (!answer?.ok || !found) {
    throw new Error(REFUSED[answer?.status] ?? refusal(answer?.ok ? null : answer));
  }
  return found;
}

/** Hand on the match that the page's address names, or say on the page why there is none. */
export async function showMatch(show) {
  const wanted = new URLSearchParams(location.search).get("number") ?? "";
  try {
    if (!/^\d{1,9}$/.test(wanted)) {
      throw new Error(REFUSED[404]);
    }
    show(await ask(`/api/matches/${wanted}`));
  } catch (error) {
    putOrHide(element("trouble"), error.message);
  }
}

/** Write a number as people here do. */
export function number(value) {
  return NUMBER.format(value);
}

/** When it was; with a sign where the board did not know whether its clock was right. */
export function when({ wall_ns: wall, synchronised }) {
  const said = DAY.format(new Date(wall / 1e6));
  return synchronised ? said : `~ ${said}`;
}

/** Both sides of a match, that of the seat which shot first in front. */
export function sidesOf(match) {
  const first = match.seats[0].side;
  return [first, Object.keys(match.points).find((side) => side !== first)];
}

/** The players of a side, else its colour. */
export function who(match, side) {
  const names = match.seats.filter((seat) => seat.side === side && seat.name).map((seat) => seat.name);
  return names.join(" & ") || colour(side);
}

/** What a side has: its points, those of the running board too. */
export function pointsOf(match, side) {
  const running = match.running;
  const counts = running !== null && side in running.points && !match.boards.some((board) => board.number === running.board);
  return match.points[side] + (counts ? running.points[side] : 0);
}

/** Whether a game is counted in points, and not only won. */
export function hasPoints({ rules }) {
  return systems[rules]?.points ?? true;
}

/** The number of a side: its points, else the boards it won, or its pucks where there was one. */
export function scoreOf(match, side) {
  return hasPoints(match) || match.boards.length < 2 ? pointsOf(match, side) : match.boards_won[side];
}

/** How a match ended, or stands, in words. */
export function outcome(match) {
  if (!match.over) {
    return match.put_aside ? say("suspended") : say("not over");
  }
  if (match.winner === null) {
    return say("drawn");
  }
  const last = match.boards.at(-1);
  const won = say("{name} won", { name: who(match, match.winner) });
  return match.boards.length === 1 && last.winner === match.winner ? `${won}, ${HOW[last.how]}` : won;
}

/** How a board ended. */
export function howEnded(how) {
  return HOW[how] ?? how;
}

/** How long, in hours, minutes or seconds; nothing where it is not known. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) {
    return "";
  }
  if (seconds >= 5400) {
    const minutes = Math.round(seconds / 60);
    return say("{h} h {n} min", { h: Math.floor(minutes / 60), n: minutes % 60 });
  }
  return seconds < 90 ? say("{n} s", { n: number(Math.round(seconds)) }) : say("{n} min", { n: number(Math.round(seconds / 60)) });
}

/** An entry of a record as pieces and words: "N red@NE" becomes N, a red piece, NE. */
export function entryShown(entry) {
  const shown = make("span", "", "entry");
  shown.title = entry;
  const [first, ...words] = entry.split(" ");
  if (first === "!") {
    shown.append(make("code", entry));
    return shown;
  }
  shown.append(make("b", first, "seat"));
  const said = [];
  for (const word of words) {
    const found = /^(?:(\d+)\*)?([a-z]+)(?:@(\w\w))?(\^?)$/.exec(word);
    if (word === "-") {
      said.push(say("nothing fell"));
      shown.append(make("span", "–", "miss"));
    } else if (found && KINDS.has(found[2])) {
      const [, count, kind, pocket, off] = found;
      if (count) {
        shown.append(make("span", `${count}×`));
      }
      shown.append(piece(kind));
      if (pocket || off) {
        shown.append(make("small", off ? say("off the board") : pocket));
      }
      said.push(`${count ?? ""} ${pieceName(kind)} ${pocket ?? ""}`.trim());
    } else if (!word.startsWith("t=")) {
      shown.append(make("span", FLAGS[word] ?? word, "flag"));
      said.push(FLAGS[word] ?? word);
    }
  }
  const aloud = make("span", list(said), "visually-hidden");
  shown.append(aloud);
  return shown;
}

const KINDS = new Set(["red", "green", "white", "black", "brown", "jack", "queen", "striker"]);

const FLAGS = {
  foul: say("foul"),
  area: say("area"),
  nobreak: say("break missed"),
  banked: say("by a cushion"),
  unbanked: say("without a cushion"),
};

/** What an entry leads to, in words. */
export function follows(step) {
  const said = [];
  if (step.foul) {
    said.push(say("foul"));
  }
  if (step.place.length > 0) {
    said.push(say("place {pieces}", { pieces: list(step.place.map(pieceName)) }));
  }
  if (step.board_over !== null) {
    const { winner, how } = step.board_over;
    said.push(winner === null ? say("tied") : say("{side} wins {how}", { side: colour(winner), how: howEnded(how) }));
  } else if (step.next !== null) {
    said.push(step.keeps_turn ? say("{seat} shoots again", { seat: step.next }) : say("{seat} is next", { seat: step.next }));
  }
  return said.join(" · ");
}

/** How many strokes, and how many were corrected. */
export function strokesSaid(match) {
  const strokes = sayCount("{n} stroke", "{n} strokes", match.strokes);
  if (match.corrections === 0) {
    return strokes;
  }
  return `${strokes}, ${sayCount("{n} corrected", "{n} corrected", match.corrections)}`;
}
