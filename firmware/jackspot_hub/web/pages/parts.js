// The event as this page knows it: parts by their names, renewed by a stream.

import { listen } from "/live.js";

/** Every part: `event`, `calls`, `board/7`, `contest/singles`, `table/singles-A`, `round/singles-A/2`. */
export const parts = new Map();

const SET_BACK_MS = 5000;
let ahead = performance.timeOrigin;
let faster = 1;
let drawing = null;

/** What the hub's clock shows now, in milliseconds since 1970. */
export function now() {
  return performance.now() * faster + ahead;
}

/** Hear the hub's clock: what came fastest says best how far it is ahead, until the hub's is set back. */
function hear(at, isFirst) {
  const heard = at - performance.now() * faster;
  ahead = isFirst || heard < ahead - SET_BACK_MS * faster ? heard : Math.max(ahead, heard);
}

/**
 * Follow a stream of parts; `draw()` is called after each change, `onStatus` as `listen` calls it.
 *
 * A connection begins with all parts, so those of the one before are forgotten with its first news.
 */
export function follow(url, draw, onStatus) {
  return listen(url, { message: take }, onStatus);

  function take({ now: at, pace, ...news }, isFirst) {
    if (isFirst) {
      parts.clear();
      faster = pace;
    }
    hear(at, isFirst);
    for (const [name, part] of Object.entries(news)) {
      if (part === null) {
        parts.delete(name);
      } else {
        parts.set(name, part);
      }
    }
    drawing ??= requestAnimationFrame(() => {
      drawing = null;
      draw();
    });
  }
}

/** The parts of a kind, as `[name, part]` without the kind: `board`, `contest`, `table`, `round`. */
export function allOf(kind) {
  return [...parts].filter(([name]) => name.startsWith(`${kind}/`)).map(([name, part]) => [name.slice(kind.length + 1), part]);
}

/** The boards in the order of their numbers. */
export function boards() {
  return (parts.get("event")?.boards ?? []).map((number) => parts.get(`board/${number}`)).filter(Boolean);
}

/** The contests in the order of the event. */
export function contests() {
  return (parts.get("event")?.contests ?? []).map((name) => parts.get(`contest/${name}`)).filter(Boolean);
}

const TEAM = 1_000_000;

/**
 * What tells the people of a side from all others, in the order of their names: their numbers. Of a
 * second partner, whose number is not public, it is the contest and the number of the first.
 */
export function idsOf(contest, { entrant, names = [] }) {
  const numbers = entrant < TEAM ? [entrant] : [Math.floor(entrant / TEAM) - 1, entrant % TEAM];
  return names.map((_name, at) => String(numbers[at] ?? `${contest} ${entrant}`));
}

/** The rounds of a contest that belong to a table or a bracket, as `[number, matches]`, in their order. */
export function roundsOf(contest, section) {
  return contest.rounds
    .filter((name) => name.slice(0, name.lastIndexOf("/")) === section)
    .map((name) => [Number(name.slice(name.lastIndexOf("/") + 1)), parts.get(`round/${name}`)?.matches ?? []])
    .sort(([one], [other]) => one - other);
}

/** Who waits in a round of a contest, as sides of a match. */
export function waitsIn(contest, number) {
  return parts.get(`round/${contest.name}/${number}`)?.waits ?? [];
}

/** A match by its key, as `{ contest, section, match }`; undefined where there is none. */
export function findMatch(key) {
  for (const [round, { matches }] of allOf("round")) {
    const match = matches.find((each) => each.key === key);
    if (match) {
      return { contest: contests().find((each) => each.rounds.includes(round)), section: round.slice(0, round.lastIndexOf("/")), match };
    }
  }
  return undefined;
}

/**
 * The single matches that stand beside a bracket, as `[section, match]`: for the third place, and
 * the finals of two brackets beside the lower one, or beside the upper one of two who meet at once.
 */
export function besideBracket(contest, section) {
  const last = bracketsOf(contest).includes(`${contest.name}-lower`) ? "lower" : "upper";
  const beside = section === `${contest.name}-${last}` ? [`${contest.name}-final`, `${contest.name}-second-final`] : [`${section}-third`];
  return beside.map((name) => [name, roundsOf(contest, name)[0]?.[1][0]]).filter(([, match]) => match);
}

/** The sections of a contest that are no table: brackets, and what belongs to them. */
export function bracketsOf(contest) {
  const sections = new Set(contest.rounds.map((name) => name.slice(0, name.lastIndexOf("/"))));
  return [...sections].filter((section) => !contest.tables.includes(section));
}
