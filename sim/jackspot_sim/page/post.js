// What hands do, sent to the simulated table one after the other, in the order it was done.

import { inLanguage, patience, say } from "/words.js";

// A browser holds back requests beyond its six connections to one place, each of them for ever.
const PATIENCE_MS = 10000;

let last = Promise.resolve();
let complain = () => {};

/** Name the function that shows a refusal to people. */
export function onRefusal(show) {
  complain = show;
}

/** Do something at the table; resolves to whether it was done. */
export function act(name, body = {}) {
  const done = last.then(() => send(name, body));
  last = done;
  return done;
}

/** The same when the page is being left: it is sent though nobody waits for the answer. */
export function actOnLeaving(name, body) {
  const content = new Blob([JSON.stringify(body)], { type: "application/json" });
  navigator.sendBeacon(`/sim/do/${name}`, content);
}

async function send(name, body) {
  try {
    const answer = await fetch(inLanguage(`/sim/do/${name}`), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: patience(PATIENCE_MS),
    });
    if (!answer.ok) {
      complain((await answer.json()).error);
    }
    return answer.ok;
  } catch {
    complain(say("The table does not answer."));
    return false;
  }
}
