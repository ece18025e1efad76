// The referees' page, for a phone in a hand: which boards need somebody, and where to go first.

import { element, make, put, putOrHide, renew } from "/dom.js";
import { askForPin, session, signOut } from "/referee-session.js";
import { fillWords, languageSwitch, say, sayCount } from "/words.js";
import { boards, follow, now, parts } from "./parts.js";
import { ago, names } from "./told.js";

const QUIET_MS = 180000;
const BUZZ_MS = [400, 150, 400];
const LOOKS_MS = 1000;
let known = null; // what was asked for when it was looked at last

fillWords();
element("language").append(languageSwitch());
element("sign-out").addEventListener("click", async () => {
  if (await signOut()) {
    location.reload();
  } else {
    putOrHide(element("status"), say("The hub does not answer; nothing was changed."));
  }
});

/** The boards that need somebody, the most urgent first, who has waited longest before others. */
function asking() {
  return boards().map(need).filter(Boolean)
    .sort((one, other) => one.urgent - other.urgent || one.since - other.since || one.board.n - other.board.n);
}

function need(board) {
  if (board.calls_ms) {
    return { board, urgent: 0, since: board.calls_ms, what: "calls", text: say("asks for you, {time}", { time: ago(board.calls_ms) }) };
  }
  if (board.state === "away" && board.key) {
    const since = board.since_ms || 0;
    return { board, urgent: 1, since, what: "away", text: since ? say("away in a match, {time}", { time: ago(since) }) : say("away in a match") };
  }
  if (board.state === "declined") {
    return { board, urgent: 2, since: board.since_ms, what: "declined", text: say("others are sitting there") };
  }
  if (board.state === "playing" && board.heard_ms && now() - board.heard_ms > QUIET_MS) {
    return { board, urgent: 3, since: board.heard_ms, what: "quiet", text: say("no stroke for {time}", { time: ago(board.heard_ms) }) };
  }
  return null;
}

function draw() {
  if (!parts.has("event")) {
    return;
  }
  const found = asking();
  renew(element("asking"), found.length > 0 ? found.map(card) : [make("li", say("No board needs you."), "none")]);
  renew(element("rota"), rota().map(duty));
  document.title = found.length > 0 ? sayCount("{n} board needs you", "{n} boards need you", found.length) : say("Referees");
  const fresh = found.filter((each) => known && !known.has(idOf(each)));
  if (fresh.length > 0) {
    navigator.vibrate?.(BUZZ_MS);
    put(element("new"), fresh.map(({ board, text }) => say("Board no. {n}: {text}", { n: board.n, text })).join(". "));
  }
  known = new Set(found.map(idOf));
}

function rota() {
  return parts.get("rota") ?? [];
}

/** A referee and the boards that are theirs now. */
function duty({ name, own, now: boardsNow, plays }) {
  const text = plays ? say("plays now, otherwise boards {boards}", { boards: spans(own) }) : say("boards {boards}", { boards: spans(boardsNow) });
  const made = make("li", "", plays ? "is-playing" : "");
  made.append(make("b", name), make("span", text));
  return made;
}

/** Numbers in words: "1–4, 7". */
function spans(numbers) {
  const found = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.[1] === number - 1) {
      last[1] = number;
    } else {
      found.push([number, number]);
    }
  }
  return found.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join(", ") || "–";
}

function idOf({ board, what }) {
  return `${board.n} ${what}`;
}

function card({ board, what, text }) {
  const made = make("li", "", `card is-${what}`);
  made.append(make("b", String(board.n)));
  const told = make("div");
  const [mine] = rota().filter((each) => each.now.includes(board.n));
  told.append(make("p", text, "what"), ...(mine ? [make("p", say("for {name}", { name: mine.name }), "whose")] : []), ...(board.who ?? []).map((side) => make("p", names(side))));
  made.append(told);
  return made;
}

async function begin() {
  const mine = await session();
  if (!mine?.signed_in) {
    askForPin(begin);
    return;
  }
  follow("/api/hub/desk", draw, (status) => {
    putOrHide(element("status"), status === "lost" ? say("No connection to the hub: this is how it stood.") : "");
    if (status === "lost") {
      session().then((again) => again && !again.signed_in && location.reload());
    }
  });
  setInterval(draw, LOOKS_MS);
}

begin();
