// A result at the desk that belongs to no order: of which match it is, or of none.

import { element, make, put, renew } from "/dom.js";
import { say } from "/words.js";
import { act } from "./asking.js";
import { wouldChange } from "./desk-match.js";
import { allOf, parts } from "./parts.js";
import { matchNumber, names } from "./told.js";

const OTHERS = "";
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
  renew(element("loose-match"), [new Option(say("choose a match"), OTHERS), ...known.map(({ key, who }) =>
    new Option(`${matchNumber(key)}  ${who.map((each) => names(each.names)).join(" – ")}`, key))]);
  const own = known.find((match) => match.who.every((each) => result.sides.some((played) => same(played.names, each.names))));
  element("loose-match").value = own?.key ?? OTHERS;
  choose();
  element("loose").showModal();
}

function resultOf(id) {
  return (parts.get("needs") ?? []).find((each) => each.what === "loose" && each.id === id);
}

/** The matches that it can be of, those first that are not over. */
function matches() {
  const known = allOf("round").flatMap(([, round]) => round.matches)
    .filter((match) => match.who.every((each) => each.names));
  return known.sort((one, other) => Number(Boolean(one.over)) - Number(Boolean(other.over)));
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
  element("loose-first").hidden = !match;
  element("attach").disabled = !match;
  put(element("loose-preview"), "");
  if (!match) {
    return;
  }
  put(element("loose-asks"), say("Which side was {names}?", { names: names(match.who[0].names) }));
  renew(element("loose-choices"), result.sides.map((each, at) => {
    const label = make("label", "", "choice");
    const radio = document.createElement("input");
    Object.assign(radio, { type: "radio", name: "first", value: each.side, checked: same(each.names, match.who[0].names) || at === 0 });
    label.append(radio, make("span", `${names(each.names)}  ${each.points}`));
    return label;
  }));
  preview();
}

function body() {
  return { result: shown, key: element("loose-match").value, first: element("loose-form").elements.first?.value ?? "" };
}

async function preview() {
  const mine = ++asked;
  const changes = await wouldChange("attach", body());
  if (mine === asked) {
    element("attach").disabled = changes === null;
    put(element("loose-preview"), changes ?? say("This result is not of that match."));
  }
}

element("loose-match").addEventListener("change", choose);
element("loose-choices").addEventListener("change", preview);
element("loose").addEventListener("close", () => {
  const way = element("loose").returnValue;
  if (way === "attach") {
    act("attach", body());
  } else if (way === "aside") {
    act("put-aside", { result: shown });
  }
  element("loose").returnValue = "";
  shown = "";
});
