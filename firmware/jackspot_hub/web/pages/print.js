// What an organiser prints: sheets of an event on A4, as they will look, and a button.
//
// All of it is public, so nobody is asked for the PIN.

import { element, make, put, putOrHide, renew } from "/dom.js";
import { fillWords, languageSwitch, locale, say, sayCount } from "/words.js";
import { certificates } from "./certificate.js";
import { playersSheet, refereesSheet } from "./guides.js";
import { contests, follow, now, parts } from "./parts.js";
import { inWords, standingsSheet } from "./places.js";
import { boardCards, drawSheets, matchesOf, slips } from "./sheets.js";
import { plain } from "./told.js";

const HERE_ALONE = ["localhost", "127.0.0.1", "[::1]"];
const SAID_MS = 4000;
const form = element("choice");

fillWords();
element("language").append(languageSwitch());
element("signs").value = say("Organiser, Referee");
form.addEventListener("input", draw);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  window.print();
});
element("copy").addEventListener("click", copy);

const KINDS = {
  draws: (chosen) => chosen.flatMap(drawSheets),
  slips: (chosen) => slips(chosen.flatMap(matchesOf).filter(isWanted), Number(element("each").value)),
  cards: () => boardCards(parts.get("event"), wantedBoards()),
  players: () => [playersSheet(parts.get("event"))],
  referees: () => [refereesSheet(parts.get("event"))],
  standings: (chosen) => chosen.map((contest) => standingsSheet(contest, day())),
  certificates: (chosen) => chosen.flatMap((contest) => certificates(contest, {
    event: parts.get("event").name, places: Number(element("places").value) || 0, date: element("date").value,
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
  renew(element("sheets"), made.length > 0 ? made : [make("p", nothing(what), "none")]);
  put(element("count"), sayCount("{n} sheet", "{n} sheets", made.length));
  put(element("text"), what === "standings" ? [event.name, day(), "", ...chosen.map(inWords)].join("\n") : "");
  fit();
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
  put(element("leads"), HERE_ALONE.includes(location.hostname)
    ? say("The code on the cards leads to {address}, which only this machine reaches. Open this page by the address that the hub has in the hall.", { address })
    : say("The code on the cards leads to {address}", { address }));
  element("leads").classList.toggle("is-wrong", HERE_ALONE.includes(location.hostname));
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

/** Set what is long in smaller letters until it has room. */
function fit() {
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
follow("/api/hub/matches", draw, (status) => {
  putOrHide(element("status"), status === "lost" ? say("No connection to the hub: this is how it stood.") : "");
});
