// A list of matches: each a row that leads to it, with who, how many, when and how long.

import { make } from "./dom.js";
import { duration, outcome, scoreOf, sidesOf, strokesSaid, when, who } from "./history-words.js";
import { colour, rulesName } from "./names.js";
import { piece } from "./pieces.js";
import { say } from "./words.js";

/** A match as an item of a list. */
export function matchItem(match) {
  const made = make("li");
  const link = make("a", "", "match");
  link.href = `/match?number=${match.number}`;
  made.append(link);
  if (match.unreadable) {
    const cannot = make("span", say("This version cannot read the match."), "quiet");
    cannot.title = match.unreadable;
    link.append(make("span", String(match.number), "number"), cannot);
    return made;
  }
  const score = make("span", "", "score");
  score.append(...sidesOf(match).flatMap((side) => sideLine(match, side)));
  const about = [say("Match {n}", { n: String(match.number) }), rulesName(match.rules), match.event, match.round, strokesSaid(match)];
  const ended = make("span", "", "ended");
  const lasted = duration(match.lasted_s);
  ended.append(make("span", outcome(match), match.over ? "outcome" : "outcome quiet"), make("time", [when(match.began), lasted].filter(Boolean).join(" · "), "quiet"));
  link.append(score, ended, make("span", about.filter(Boolean).join(" · "), "quiet told"));
  return made;
}

function sideLine(match, side) {
  const name = make("span", "", match.winner === side ? "who won" : "who");
  const words = make("span", who(match, side), "player");
  words.title = colour(side);
  name.append(piece(side, "in"), words);
  return [make("b", String(scoreOf(match, side)), "points"), name];
}
