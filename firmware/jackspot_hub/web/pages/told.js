// What is said of an event in words: names, rounds, places, clocks.

import { say, sayCount, list, locale } from "/words.js";
import { boards, findMatch, now, parts } from "./parts.js";

const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Everybody of a side: "Aiko, Ben". A name that is written from the right is enclosed in Unicode's
 * marks for that, so that it does not turn round the numbers and names beside it.
 */
export function names(side) {
  return list(side.map((name) => (FROM_THE_RIGHT.test(name) ? `\u2068${name}\u2069` : name)));
}

/**
 * How sides are called in short, for small fields: the first word of each name, and of the rest so
 * much as tells those apart who stand in these fields together: "Girl Th.", "Girl Tw."
 */
export function shortIn(sides) {
  const rests = new Map();
  for (const name of new Set(sides.flat())) {
    const [first, rest] = parted(name);
    rests.set(first, [...(rests.get(first) ?? []), rest]);
  }
  return (side) => side.map((name) => {
    const [first, rest] = parted(name);
    return apart(first, rest, (rests.get(first) ?? []).filter((other) => other !== rest));
  }).join("·");
}

/** The first word of a name, and its rest. */
function parted(name) {
  const [first, ...rest] = name.trim().split(/[\s　]+/);
  return [first, rest.join(" ")];
}

/** A first word with as much of the rest as no other rest begins with. */
function apart(first, rest, others) {
  const letters = [...rest];
  if (others.length === 0 || letters.length === 0) {
    return first;
  }
  const length = letters.findIndex((_letter, at) => others.every((other) => !other.startsWith(letters.slice(0, at + 1).join("")))) + 1;
  if (length === 0 || length >= letters.length - 1) {
    return `${first} ${rest}`;
  }
  const dot = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(letters[length - 1]) ? "" : ".";
  return `${first} ${letters.slice(0, length).join("")}${dot}`;
}

/** What a section is called: "Group A", "Knockout", else its contest's own title. */
export function sectionTitle(contest, section) {
  const rest = section.slice(contest.name.length + 1);
  if (rest === "") {
    return contest.format === "Knockout" ? say("Knockout") : contest.title;
  }
  return bracketTitle(rest) ?? say("Group {name}", { name: rest });
}

/** What people call a bracket, or a match that stands alone; undefined of a group. */
function bracketTitle(section) {
  const known = {
    ko: say("Knockout"),
    "ko-third": say("Third place"),
    third: say("Third place"),
    upper: say("Upper bracket"),
    lower: say("Lower bracket"),
    final: say("Final"),
    "second-final": say("Second final"),
  };
  return known[section];
}

/** Where a match is in its contest: "Open singles · Group A · 3-2". */
export function whereOf(contest, section, key) {
  return [...new Set([contest.title, sectionTitle(contest, section), placeIn(key)])].filter(Boolean).join(" · ");
}

/** A match in full: "Open singles · Group A · 3-2, Aiko – Ben". */
export function matchTitle(key) {
  const found = findMatch(key);
  if (!found) {
    return key;
  }
  const { contest, section, match } = found;
  return list([whereOf(contest, section, key), match.who.map((side) => slot(side)).join(" – ")]);
}

/** A place as it is written: "3", "5–8". */
export function placeText({ first, last }) {
  return first === last ? String(first) : `${first}–${last}`;
}

/** What a round of a bracket is called, `left` rounds before its last. */
export function roundTitle(left) {
  const known = [say("Final"), say("Semi-finals"), say("Quarter-finals")];
  return known[left] ?? say("Last {n}", { n: 2 ** (left + 1) });
}

/** Who plays in a side of a match, or who is awaited. */
export function slot(side, naming = names) {
  if (side.names) {
    return naming(side.names);
  }
  if (side.how === "winner") {
    return say("winner of {match}", { match: matchNumber(side.from) });
  }
  if (side.how === "loser") {
    return say("loser of {match}", { match: matchNumber(side.from) });
  }
  if (side.how) {
    const [, group] = side.from.split("-");
    if (!group) {
      return say("no. {place} of the table", { place: side.how });
    }
    return say("no. {place} of group {group}", { place: side.how, group });
  }
  return "";
}

/** A match as people name it within its contest: "A 3-2", "1-2" of a knockout. */
export function matchNumber(key) {
  const number = placeIn(key);
  const section = key.slice(key.indexOf("-") + 1).replace(number, "").replace(/-$/, "");
  const title = section === "ko" ? "" : bracketTitle(section) ?? section;
  return [title, number].filter(Boolean).join(" ");
}

/** A match within its group or bracket: round and number in it, "3-2"; nothing of a single one. */
export function placeIn(key) {
  return /\d+-\d+$/.exec(key)?.[0] ?? "";
}

/** Why somebody is behind the one above, where it is not plain from the wins. */
export function decided(row) {
  const { by, before, own } = row.decided ?? {};
  const known = {
    meeting: () => own === 0
      ? say("won their match")
      : say("wins among those tied, {before} to {own}", { before: wins(before), own: wins(own) }),
    difference: () => say("difference {before} to {own}", { before: signed(before), own: signed(own) }),
    points: () => say("points {before} to {own}", { before, own }),
    jack: () => say("wins by the jack, {before} to {own}", { before, own }),
    opponents: () => say("opponents' wins, {before} to {own}", { before: wins(before), own: wins(own) }),
    lot: () => say("by lot"),
  };
  return known[by]?.() ?? "";
}

/** What decided in a table where wins did not, from the top: who is before whom, and by what. */
export function reasonsIn(rows) {
  return rows.flatMap((row, at) => (at > 0 && row.played > 0 && decided(row)
    ? [{ place: row.place, text: say("{one} before {other}: {reason}", { one: rows[at - 1].place, other: row.place, reason: decided(row) }) }] : []));
}

/** How often somebody has won and tied, of how many matches, and how many rounds they waited: "2+1/4 +1". */
export function tally(row) {
  return `${wonOf(row)}/${row.played}${row.waited ? ` +${row.waited}` : ""}`;
}

/** How often somebody has won and tied in matches that were played: "2+1". */
export function wonOf(row) {
  return `${row.won - (row.waited ?? 0)}${row.tied ? `+${row.tied}` : ""}`;
}

/** What the numbers of a tally are where that is not plain; nothing where it is. */
export function columnsOf(rows) {
  const tied = rows.some((each) => each.tied);
  if (rows.some((each) => each.waited)) {
    return [tied ? say("won + tied / played + waited: a round waited counts as a win") : say("won / played + waited: a round waited counts as a win")];
  }
  return tied ? [say("won + tied / played")] : [];
}

/** Wins of a table, in which a win counts two and a tied match one: "3", "2½", "½". */
function wins(counted) {
  const whole = Math.floor(counted / 2);
  return `${whole || counted % 2 === 0 ? whole : ""}${counted % 2 ? "½" : ""}`;
}

/** A number with its sign: "+3", "−2". */
export function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0";
}

/** The match clock as it stands now: "4:05"; empty where there is none. */
export function clock(board) {
  if (!board.clock) {
    return "";
  }
  const { left_ms: left, runs, at_ms: at } = board.clock;
  return minutes(Math.max(0, runs ? left - (now() - at) : left));
}

/** How long ago something was, in words. */
export function ago(atMs) {
  const seconds = Math.max(0, Math.round((now() - atMs) / 1000));
  if (seconds < 60) {
    return say("{n} s", { n: seconds });
  }
  const whole = Math.floor(seconds / 60);
  return whole < 100 ? say("{n} min", { n: whole }) : say("{n} h", { n: Math.floor(whole / 60) });
}

/** A duration as a clock shows it: "4:05". */
export function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** How far a contest has come. */
export function progress(contest) {
  if (contest.format === "OpenPlay") {
    return sayCount("{n} match", "{n} matches", contest.over);
  }
  if (contest.known === 0) {
    return say("not drawn");
  }
  return sayCount("{over} of {n} match", "{over} of {n} matches", contest.known, { over: contest.over });
}

/** What the event's rule offers now of a match to which not all have come; undefined: nothing. */
export function offeredByRule(key) {
  return (parts.get("late") ?? []).find((each) => each.key === key && each.rule_ms !== null && now() >= each.rule_ms);
}

/** The line that the desk shows everybody now, in this page's language if it has that; else empty. */
export function noticeNow() {
  const notice = parts.get("event")?.notice;
  if (!notice || notice.until_ms <= now()) {
    return "";
  }
  return notice.text[locale.split("-")[0]] ?? notice.text.en ?? Object.values(notice.text)[0];
}

/** How a match ended, from the first side: "12 : 7"; empty while it has not. */
export function score(match) {
  if (!match.over) {
    return "";
  }
  return match.forfeit ? say("forfeit") : `${match.points[0]} : ${match.points[1]}`;
}

/** A result by the sides of its record: "Aiko 12 : 7 Ben". */
export function resultOf([one, two]) {
  return `${names(one.names)} ${one.points} : ${two.points} ${names(two.names)}`;
}

/** The board that a match is called to or played at, if it is. */
export function boardOf(key) {
  const call = (parts.get("calls") ?? []).find((each) => each.key === key);
  return call?.board ?? boards().find((each) => each.key === key && each.state !== "over")?.n ?? null;
}

/** A name without accents and blanks, as people type it. */
export function plain(text) {
  return text.normalize("NFKD").replace(/[\p{M}\s]/gu, "").toLowerCase().replaceAll("ß", "ss");
}
