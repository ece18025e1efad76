// What waits behind the question that is asked now, in the order in which it will be asked.

import { percent } from "/percent.js";
import { say } from "/words.js";
import { make } from "./make.js";

const KINDS = {
  waits: say("waits"),
  parked: say("for later"),
  hand: say("a hand"),
  kept: say("kept"),
};

/** Fill the list of what waits; none of it counts yet. */
export function showQueue(place, { queue, waiting }) {
  const more = waiting - queue.length;
  place.hidden = waiting === 0 && queue.length === 0;
  place.replaceChildren(...queue.map(row));
  if (more > 0) {
    place.append(make("li", say("+{n} waiting", { n: more }), "queued rest"));
  }
}

function row({ kind, what, why, probability }) {
  const line = make("li", "", `queued queued-${kind}`);
  const said = make("span", "");
  said.append(make("span", what, "what"), " ", make("span", why, "why"));
  line.append(make("span", KINDS[kind], "kind"), said);
  if (kind !== "kept") {
    line.append(make("span", percent(probability), "share"));
  }
  return line;
}
