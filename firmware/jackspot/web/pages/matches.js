// The list of matches, by player and by day, and the figures of those that are listed.

import { element, make, put, putOrHide } from "./dom.js";
import { peopleTable, pocketPanels } from "./history-figures.js";
import { matchItem } from "./history-list.js";
import { ask } from "./history-words.js";
import { fillWords, say, sayCount } from "./words.js";

const AT_ONCE = 50;

const filter = element("filter");
let shown = AT_ONCE;
let found = null;
let newest = 0;

fillWords();
document.title = say("Matches");
readAddress();
filter.addEventListener("change", () => {
  shown = AT_ONCE;
  writeAddress();
  load();
});
filter.addEventListener("submit", (event) => event.preventDefault());
element("more").addEventListener("click", () => {
  shown += AT_ONCE;
  showList();
});
await load();

function readAddress() {
  const asked = new URLSearchParams(location.search);
  for (const name of ["since", "until"]) {
    filter.elements[name].value = asked.get(name) ?? "";
  }
  const player = asked.get("player") ?? "";
  filter.elements.player.replaceChildren(new Option(say("everybody"), ""), ...(player ? [new Option(player, player, true, true)] : []));
}

function writeAddress() {
  const address = new URL(location.href);
  for (const name of ["player", "since", "until"]) {
    const { value } = filter.elements[name];
    if (value) {
      address.searchParams.set(name, value);
    } else {
      address.searchParams.delete(name);
    }
  }
  history.replaceState(null, "", address);
}

async function load() {
  const asked = new URLSearchParams(new FormData(filter));
  newest += 1;
  const own = newest;
  let answer = null;
  let trouble = "";
  try {
    answer = await ask(`/api/matches?${asked}`);
  } catch (error) {
    trouble = error.message;
  }
  if (own !== newest) {
    return; // another filter was chosen meanwhile
  }
  putOrHide(element("trouble"), trouble);
  if (answer === null) {
    return;
  }
  found = answer;
  put(element("board"), found.board);
  showNames();
  showList();
  showFigures();
  document.body.dataset.ready = "yes";
}

function showNames() {
  const { player } = filter.elements;
  const chosen = player.value;
  const names = chosen === "" || found.names.includes(chosen) ? found.names : [chosen, ...found.names];
  player.replaceChildren(new Option(say("everybody"), ""), ...names.map((name) => new Option(name, name, false, name === chosen)));
}

function showList() {
  const matches = found.matches.slice(0, shown);
  const words = found.matches.length === 0 ? say("No matches yet.") : sayCount("{n} match", "{n} matches", found.matches.length);
  put(element("count"), words);
  element("matches").replaceChildren(...matches.map(matchItem));
  element("more").hidden = found.matches.length <= shown;
}

function showFigures() {
  const nobody = make("p", say("These matches name no players."), "quiet");
  element("players").replaceChildren(found.players.length === 0 ? nobody : peopleTable(found.players, true));
  element("pockets").replaceChildren(...pocketPanels(found.pockets));
}
