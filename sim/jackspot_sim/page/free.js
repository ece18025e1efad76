// Free play: how many of each piece are in, and what fell last; nobody has a turn.

import { pieceName } from "/names.js";
import { say } from "/words.js";
import { make } from "./make.js";
import { picture } from "./palette.js";

/** Fill the counts of free play; hidden in a match. */
export function showFree(place, free) {
  place.hidden = free === null;
  if (free === null) {
    return;
  }
  const counts = free.counts.map(({ piece, count }) => {
    const one = make("span", "", "free-count");
    one.append(picture(piece, 34), make("span", pieceName(piece), "visually-hidden"), make("span", String(count), "count"));
    return one;
  });
  place.replaceChildren(make("small", say("Free play: counts only, no turns")), ...counts);
  if (free.last) {
    place.append(make("span", free.sure ? free.last : say("{what}, not confirmed", { what: free.last }), free.sure ? "last" : "last maybe"));
  }
}
