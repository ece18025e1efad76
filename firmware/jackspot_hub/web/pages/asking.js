// Asking the hub to do something, for pages of the desk; why it was refused is shown on top.

import { element, putOrHide } from "/dom.js";
import { askForPin, session, signOut } from "/referee-session.js";
import { inLanguage, languageSwitch, list, say, sayCount } from "/words.js";
import { follow } from "./parts.js";
import { matchTitle } from "./told.js";

// A double click that opens or closes a sheet is not meant for what lies there then.
let clicked = null;
document.addEventListener("click", (event) => {
  const sheet = event.target.closest("dialog");
  if (event.detail > 1 && sheet !== clicked) {
    event.preventDefault();
    event.stopPropagation();
  } else {
    clicked = sheet;
  }
}, { capture: true });

/** Send something; null where the hub does not answer. */
export async function send(path, body) {
  try {
    return await fetch(inLanguage(`/api/hub/${path}`), {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
    });
  } catch {
    return null;
  }
}

/** Have something done; gives whether it was. */
export async function act(action, body) {
  const answer = await send(`do/${action}`, body);
  const why = await whyNot(answer);
  refuse(why);
  return why === "";
}

/** Why the hub did not do what was sent; empty: it did. */
export async function whyNot(answer) {
  if (answer?.ok) {
    return "";
  }
  const said = await answer?.json().catch(() => null);  // a hub that fails says no more than that
  return said?.error || say("The hub does not answer; nothing was changed.");
}

const MOST_NAMED = 6;

/**
 * What an action would change, in words; empty: nothing that is drawn or ranked; null where it
 * cannot be done: `tell(why)` hears why, or an empty text.
 */
export async function wouldChange(action, body, tell = () => {}) {
  const answer = await send(`preview/${action}`, body);
  tell(await whyNot(answer));
  if (!answer?.ok) {
    return null;
  }
  const { matches, reopened, settled, called_anew: calledAnew, taken, conflicts, places, classes, results } = await answer.json();
  const lines = classes.flatMap(classChange);
  if (matches.length > 0) {
    lines.push(say("This changes who plays in {matches}.", { matches: titles(matches) }));
  }
  if (reopened.length > 0) {
    lines.push(say("To be played, as if no result had come: {matches}.", { matches: titles(reopened) }));
  }
  if (settled.length > 0) {
    lines.push(say("Over from then on: {matches}.", { matches: titles(settled) }));
  }
  if (calledAnew.length > 0) {
    lines.push(say("Called again with the right people, since nobody has begun: {matches}.", { matches: titles(calledAnew) }));
  }
  lines.push(...taken.map(({ key, board }) => say("Taken from board {n}: {match}.", { n: board, match: matchTitle(key) })));
  if (conflicts.length > 0) {
    lines.push(say("{matches} stand as played; you decide what becomes of them.", { matches: titles(conflicts) }));
  }
  if (places.length > 0) {
    lines.push(sayCount("It changes {n} place in the tables.", "It changes {n} places in the tables.", places.length));
  }
  return [...lines, ...results.map(resultChange)].join(" ");
}

/** What becomes of the results of a class that is over, or was, in a sentence. */
function resultChange({ title, was_over: wasOver, is_over: isOver, before, after, moved }) {
  if (!isOver) {
    return say("{title} is not over any more.", { title });
  }
  if (!wasOver) {
    return say("{title} is over, first: {names}.", { title, names: list(after) });
  }
  return list(before) === list(after)
    ? sayCount("It changes {n} place in the results of {title}.", "It changes {n} places in the results of {title}.", moved, { title })
    : say("First in {title}: {names} instead of {before}.", { title, names: list(after), before: list(before) });
}

/** What becomes of a class, as sentences. */
function classChange({ title, before, after, was_drawn: wasDrawn, is_drawn: isDrawn }) {
  const count = sayCount("{n} entry", "{n} entries", after ?? 0);
  if (before === null || after === null) {
    return [before === null ? say("{title} is a class of its own, {count}.", { title, count }) : say("{title} is no class any more.", { title })];
  }
  return [
    before === after ? "" : say("{title}: {count} instead of {before}.", { title, count, before }),
    wasDrawn === isDrawn ? "" : isDrawn ? say("{title} is drawn.", { title }) : say("{title} is not drawn any more.", { title }),
  ].filter(Boolean);
}

/** Matches by their titles; of many the first ones, and how many others. */
function titles(keys) {
  const more = keys.length - MOST_NAMED;
  return list([...keys.slice(0, MOST_NAMED).map(matchTitle), ...(more > 0 ? [sayCount("{n} other", "{n} others", more)] : [])]);
}

/** Say why something was refused, on top of the sheet that is open, else of the page; empty: nothing was. */
export function refuse(why) {
  const refused = element("refused");
  const sheet = document.querySelector("dialog[open]");
  if (sheet) {
    sheet.prepend(refused);
  } else {
    element("status").after(refused);
  }
  putOrHide(refused, why);
  if (why !== "") {
    refused.scrollIntoView({ block: "nearest" });
  }
}

/** Ask for the PIN if need be, then follow what the desk is shown. */
export async function begin(draw) {
  const known = await session();
  if (!known?.signed_in) {
    askForPin(() => begin(draw));
    return;
  }
  element("language").replaceChildren(languageSwitch());
  element("sign-out").onclick = async () => {
    if (await signOut()) {
      location.reload();
    } else {
      refuse(await whyNot(null));
    }
  };
  follow("/api/hub/desk", draw, (status) => {
    putOrHide(element("status"), status === "lost" ? say("No connection to the hub: this is how it stood.") : "");
    if (status === "lost") {
      session().then((again) => again && !again.signed_in && location.reload());
    }
  });
  setInterval(draw, 5000);
}
