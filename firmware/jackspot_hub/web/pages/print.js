// What an organiser prints: sheets of an event on A4, as they will look, and a button.
//
// All of it is public, so nobody is asked for the PIN. Certificates alone carry names in full where
// the public sees less: for whoever has signed in at the desk.

import { element, make, put, putOrHide, renew } from "/dom.js";
import { session } from "/referee-session.js";
import { fillWords, languageSwitch, locale, patience, say, sayCount } from "/words.js";
import { certificates } from "./certificate.js";
import { playersSheet, refereesSheet } from "./guides.js";
import { contests, follow, now, parts } from "./parts.js";
import { inWords, standingsSheet } from "./places.js";
import { boardCards, drawSheets, matchesOf, slips } from "./sheets.js";
import { plain } from "./told.js";

const SAID_MS = 4000;
const PATIENCE_MS = 10000;
const SHEET_PX = (210 / 25.4) * 96;
let inFull = null;  // the people of each entrant by contest, as the desk alone knows them; null: it is not signed in
const form = element("choice");

fillWords();
element("language").append(languageSwitch());
element("signs").value = say("Organiser, Referee");
form.addEventListener("input", draw);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  await lookUp();
  window.print();
});
element("copy").addEventListener("click", copy);
form.addEventListener("change", (event) => event.target.name === "what" && lookUp());
addEventListener("focus", lookUp);
addEventListener("visibilitychange", () => document.visibilityState === "visible" && lookUp());

const KINDS = {
  draws: (chosen) => chosen.flatMap(drawSheets),
  slips: (chosen) => slips(chosen.flatMap(matchesOf).filter(isWanted), Number(element("each").value)),
  cards: () => boardCards(parts.get("event"), wantedBoards()),
  players: () => [playersSheet(parts.get("event"))],
  referees: () => [refereesSheet(parts.get("event"))],
  standings: (chosen) => chosen.map((contest) => standingsSheet(contest, day())),
  certificates: (chosen) => chosen.flatMap((contest) => certificates(contest, {
    event: parts.get("event").name, places: Number(element("places").value) || 0, date: element("date").value,
    named: (entrant) => inFull?.get(contest.name)?.get(entrant),
    signs: element("signs").value.split(/[,、]/).map((each) => each.trim()).filter(Boolean),
  })),
};

function draw() {
  const event = parts.get("event");
  if (!event) {
    return;
  }
  put(element("event"), event.name);
  document.title = say("Print: {event}", { event: event.name });
  offer(event);
  const what = form.elements.what.value;
  for (const field of form.querySelectorAll("[data-for]")) {
    field.hidden = !field.dataset.for.split(" ").includes(what);
  }
  const which = element("contest").value;
  const chosen = contests().filter((contest) => which === "" || contest.name === which);
  const made = KINDS[what](chosen);
  made.forEach((sheet) => sheet.classList.add(`of-${what}`));
  const leads = ["cards", "players", "referees"].includes(what) && isHereAlone() ? [make("p", element("leads").textContent, "note is-wrong alone")] : [];
  renew(element("sheets"), [...leads, ...(made.length > 0 ? made : [make("p", nothing(what), "none")])]);
  put(element("known"), inFull ? say("Names stand here in full, also where the public sees less.")
    : say("Names stand here as the public sees them. Once you have signed in at the desk they stand here in full."));
  put(element("count"), sayCount("{n} sheet", "{n} sheets", made.length));
  put(element("text"), what === "standings" ? [event.name, day(), "", ...chosen.map(inWords)].join("\n") : "");
  fit();
}

/** Look the names up that certificates carry: they are the desk's, and nobody else is told them. */
async function lookUp() {
  const reader = form.elements.what.value === "certificates" ? await session() : null;
  if (!reader) {
    return;
  }
  inFull = reader.signed_in ? await namesInFull() ?? inFull : null;
  draw();
}

async function namesInFull() {
  try {
    const answer = await fetch("/api/hub/results/results.json", { cache: "no-store", signal: patience(PATIENCE_MS) });
    const known = answer.ok ? (await answer.json()).contests : null;
    return known && new Map(known.map(({ name, entrants }) => [name, new Map(entrants.map((each) => [each.entrant, each.names]))]));
  } catch {
    return null;
  }
}

/** Fill what can be chosen, once it is known. */
function offer(event) {
  const select = element("contest");
  const known = contests();
  if (select.options.length !== known.length + 1) {
    const before = select.value;
    select.replaceChildren(new Option(say("all classes"), ""), ...known.map((each) => new Option(each.title, each.name)));
    select.value = known.some((each) => each.name === before) ? before : "";
  }
  element("first").placeholder = String(Math.min(...event.boards));
  element("last").placeholder = String(Math.max(...event.boards));
  if (element("date").value === "" && document.activeElement !== element("date")) {
    element("date").value = day();
  }
  const address = location.origin + "/";
  put(element("leads"), isHereAlone()
    ? say("The code on the cards leads to {address}, which only this machine reaches. Open this page by the address that the hub has in the hall.", { address })
    : say("The code on the cards leads to {address}", { address }));
  element("leads").classList.toggle("is-wrong", isHereAlone());
}

/** Whether this page was opened by an address that means another machine on every phone. */
function isHereAlone() {
  return location.hostname === "localhost" || location.hostname === "[::1]" || location.hostname.startsWith("127.");
}

function nothing(what) {
  return what === "certificates" ? say("No class is finished yet.") : say("Nothing of this is known yet.");
}

function day() {
  return new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(now());
}

function isWanted({ match }) {
  const way = element("matches").value;
  const wanted = plain(element("search").value);
  const isOf = way === "all" || (!match.over && (way === "open" || match.called));
  return isOf && match.who.every((side) => side.names) && plain(`${match.key} ${match.who.flatMap((side) => side.names).join(" ")}`).includes(wanted);
}

function wantedBoards() {
  const { boards } = parts.get("event");
  const first = Number(element("first").value) || Math.min(...boards);
  const last = Number(element("last").value) || Math.max(...boards);
  return boards.filter((number) => number >= first && number <= last);
}

/** Set what is long in smaller letters until it has room, and sheets as small as they have room on this screen. */
function fit() {
  const sheets = element("sheets");
  const { paddingLeft, paddingRight } = getComputedStyle(sheets);
  const room = sheets.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  sheets.style.setProperty("--fits", Math.min(1, room / SHEET_PX));
  for (const line of element("sheets").querySelectorAll(".fits")) {
    line.style.removeProperty("font-size");
    const wide = line.scrollWidth;
    if (wide > line.clientWidth) {
      const size = Number.parseFloat(getComputedStyle(line).fontSize);
      line.style.setProperty("font-size", `${(size * line.clientWidth * 0.98) / wide}px`);
    }
  }
}

/** Copy the text; over plain http a browser lets a page do it in the old way alone. */
async function copy() {
  const text = element("text");
  let done = true;
  try {
    await navigator.clipboard.writeText(text.value);
  } catch {
    text.select();
    done = document.execCommand("copy");
  }
  put(element("copied"), done ? say("Copied.") : say("It is marked: copy it with your keyboard."));
  setTimeout(() => put(element("copied"), ""), SAID_MS);
}

document.fonts.addEventListener("loadingdone", fit);
addEventListener("resize", fit);
follow("/api/hub/matches", draw, (status) => {
  putOrHide(element("status"), status === "lost" ? say("No connection to the hub: this is how it stood.") : "");
});
