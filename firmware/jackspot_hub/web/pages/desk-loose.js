// A result at the desk that belongs to no order: of which match it is, or of none.

import { element, make, put, putOrHide, renew } from "/dom.js";
import { list, say } from "/words.js";
import { act, wouldChange } from "./asking.js";
import { ended } from "./desk-match.js";
import { allOf, contests, parts } from "./parts.js";
import { matchTitle, names, plain } from "./told.js";

const OTHERS = "";
const FREE = "free ";
let shown = "";
let asked = 0;

/** Open the sheet of a loose result. */
export function openLoose(id) {
  const result = resultOf(id);
  if (!result) {
    return;
  }
  shown = id;
  put(element("loose-title"), say("Board {n}: who played this?", { n: result.board }));
  renew(element("loose-sides"), result.sides.map(side));
  const known = matches();
  const free = contests().filter((contest) => contest.format === "OpenPlay" && isDrawn(contest));
  const later = contests().filter((contest) => contest.format === "OpenPlay" && !isDrawn(contest));
  putOrHide(element("loose-later"), later.length === 0 ? ""
    : say("{titles}: not drawn yet. Draw it on the page of people, then this result can count there.", { titles: list(later.map(({ title }) => title)) }));
  renew(element("loose-match"), [new Option(say("choose a match"), OTHERS),
    ...free.map((contest) => new Option(contest.title, FREE + contest.name)), ...known.map(({ key }) => new Option(matchTitle(key), key))]);
  const named = (match) => match.who.every((each) => result.sides.some((played) => same(played.names, each.names)));
  const own = known.find(({ key }) => key === result.of) ?? known.find(named);
  element("loose-match").value = own?.key ?? (free.length > 0 ? FREE + free[0].name : OTHERS);
  choose();
  element("loose").showModal();
}

function resultOf(id) {
  return (parts.get("needs") ?? []).find((each) => each.what === "loose" && each.id === id);
}

/** The matches that it can be of, those first that are not over; what was played freely is none. */
function matches() {
  const known = allOf("round").flatMap(([, round]) => (isFree(round.contest) ? [] : round.matches))
    .filter((match) => match.who.every((each) => each.names));
  return known.sort((one, other) => Number(Boolean(one.over)) - Number(Boolean(other.over)));
}

/** Whether what was played freely can count in a contest: it has a table once it is drawn. */
function isDrawn(contest) {
  return parts.has(`table/${contest.name}`);
}

function isFree(contest) {
  return parts.get(`contest/${contest}`).format === "OpenPlay";
}

function same(some, others) {
  return some.length === others.length && some.every((name) => others.includes(name));
}

function side({ names: people, points, won }) {
  const line = make("p", "", won ? "played has-won" : "played");
  line.append(make("span", names(people)), make("b", String(points)));
  return line;
}

/** Let the sides be chosen, once the match is; by names where these say it. */
function choose() {
  const result = resultOf(shown);
  const match = matches().find(({ key }) => key === element("loose-match").value);
  const free = contestOf();
  element("loose-first").hidden = !match && !free;
  element("attach").disabled = !match;
  put(element("loose-preview"), "");
  if (free) {
    chooseEntrants(result, free);
  }
  if (!match) {
    return;
  }
  put(element("loose-asks"), say("Which side was {names}?", { names: names(match.who[0].names) }));
  element("loose-choices").replaceChildren(...result.sides.map((each, at) => {
    const label = make("label", "", "choice");
    const radio = document.createElement("input");
    Object.assign(radio, { type: "radio", name: "first", value: each.side, checked: same(each.names, match.who[0].names) || at === 0 });
    label.append(radio, make("span", `${names(each.names)}  ${each.points}`));
    return label;
  }));
  preview();
}

/** The contest of free play that is chosen, if one is. */
function contestOf() {
  const { value } = element("loose-match");
  return value.startsWith(FREE) ? contests().find((contest) => FREE + contest.name === value && isDrawn(contest)) : null;
}

/** Let somebody be chosen for each side of what was played freely. */
function chooseEntrants(result, contest) {
  const rows = [...parts.get(`table/${contest.name}`).rows].sort((one, other) => names(one.names).localeCompare(names(other.names)));
  put(element("loose-asks"), say("Who was it?"));
  element("loose-choices").replaceChildren(...result.sides.map((each) => {
    const label = make("label", `${names(each.names)}  ${each.points}`);
    const who = make("select");
    who.name = "entrant";
    who.append(new Option("–", ""), ...rows.map((row) => new Option(names(row.names), String(row.entrant))));
    const own = rows.filter((row) => plain(row.names.join(" ")) === plain(each.names.join(" ")));
    who.value = own.length === 1 ? String(own[0].entrant) : "";
    label.append(who);
    return label;
  }));
  preview();
}

function body() {
  const free = contestOf();
  if (free) {
    const chosen = [...element("loose-choices").querySelectorAll("select")].map((each) => Number(each.value));
    return { result: shown, contest: free.name, entrants: chosen };
  }
  return { result: shown, key: element("loose-match").value, first: element("loose-form").elements.first?.value ?? "" };
}

async function preview() {
  const mine = ++asked;
  const said = body();
  if (said.entrants && !(said.entrants[0] > 0 && said.entrants[1] > 0)) {
    element("attach").disabled = true;
    put(element("loose-preview"), "");
    return;
  }
  const changes = await wouldChange(action(), said);
  if (mine === asked) {
    element("attach").disabled = changes === null;
    const match = matches().find(({ key }) => key === element("loose-match").value);
    const stands = match?.over ? ended(match) : "";
    put(element("loose-preview"), `${stands} ${changes ?? say("This result does not fit that match.")}`.trim());
  }
}

function action() {
  return contestOf() ? "attach-free" : "attach";
}

element("loose-match").addEventListener("change", choose);
element("loose-choices").addEventListener("change", preview);
element("loose").addEventListener("close", () => {
  const way = element("loose").returnValue;
  if (way === "attach") {
    act(action(), body());
  } else if (way === "aside") {
    act("put-aside", { result: shown });
  }
  element("loose").returnValue = "";
  shown = "";
});
