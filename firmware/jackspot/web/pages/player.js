// One player: figures over all matches, against whom, and the matches.

import { element, put, putOrHide } from "./dom.js";
import { peopleTable, pocketPanels, playerLink, table } from "./history-figures.js";
import { matchItem } from "./history-list.js";
import { ask, number } from "./history-words.js";
import { fillWords, say, sayCount } from "./words.js";

fillWords();
const name = new URLSearchParams(location.search).get("name") ?? "";
try {
  show(await ask(`/api/matches?${new URLSearchParams({ player: name })}`));
} catch (error) {
  putOrHide(element("trouble"), error.message);
}

function show(found) {
  const [player] = found.players;
  if (name === "" || player === undefined) {
    throw new Error(say("Nobody of this name has played here."));
  }
  document.title = player.name;
  put(element("name"), player.name);
  put(element("which"), sayCount("{n} match", "{n} matches", found.matches.length));
  element("figures").replaceChildren(peopleTable([player], true));
  const rows = opponents(found.matches, player.person).map((one) => [playerLink(one.name), number(one.matches), say("{won} of {all}", { won: one.won, all: one.finished })]);
  element("against").replaceChildren(table([say("Player"), say("Matches"), say("Won")], rows));
  element("matches").replaceChildren(...found.matches.map(matchItem));
  element("pockets").replaceChildren(...pocketPanels(found.pockets));
  element("player").hidden = false;
  document.body.dataset.ready = "yes";
}

/** Whom this player met, most often first: how many matches, how many were finished and won. */
function opponents(matches, player) {
  const met = new Map();
  for (const match of matches) {
    const own = match.seats.find((seat) => seat.person === player)?.side;
    const others = match.seats.filter((seat) => seat.side !== own && !["", player].includes(seat.person));
    for (const [person, name] of new Map(others.map((seat) => [seat.person, seat.name.trim()]))) {
      const one = met.get(person) ?? { name, matches: 0, finished: 0, won: 0 };
      one.matches += 1;
      one.finished += match.over ? 1 : 0;
      one.won += match.over && match.winner === own ? 1 : 0;
      met.set(person, one);
    }
  }
  return [...met.values()].sort((one, two) => two.matches - one.matches);
}
