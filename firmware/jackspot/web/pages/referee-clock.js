// The phone's time, offered to a board that does not know what time it is. Nothing is set silently.

import { post } from "./referee-session.js";
import { language, refusal, say } from "./words.js";

const element = (id) => document.getElementById(id);

/** Offer this device's time where the board has none; `tell(words)` says how it went. */
export async function offerTime(tell) {
  try {
    const answer = await fetch("/api/clock", { cache: "no-store" });
    if (!answer.ok || (await answer.json()).known) {
      return;
    }
  } catch {
    return;
  }
  const time = new Date().toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
  element("offer-words").textContent = say("The board does not know what time it is. Is it {time}?", { time });
  element("offer-no").onclick = () => close();
  element("offer-yes").onclick = () => give(tell);
  element("offer").hidden = false;
}

function close() {
  element("offer").hidden = true;
}

async function give(tell) {
  close();
  try {
    const answer = await post("/api/clock", { unix_ms: Date.now() });
    const refused = answer.status === 409 ? say("The board knows what time it is by now.") : refusal(answer);
    tell(answer.ok ? say("The board's time is set.") : refused);
  } catch {
    tell(say("The board does not answer."));
  }
}
