// Asking the hub to do something, for pages of the desk; why it was refused is shown on top.

import { element, putOrHide } from "/dom.js";
import { askForPin, session, signOut } from "/referee-session.js";
import { languageSwitch, say } from "/words.js";
import { follow } from "./parts.js";

/** Send something; null where the hub does not answer. */
export async function send(path, body) {
  try {
    return await fetch(`/api/hub/${path}`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
    });
  } catch {
    return null;
  }
}

/** Have something done; gives whether it was. */
export async function act(action, body) {
  const answer = await send(`do/${action}`, body);
  const why = answer === null ? say("The hub does not answer; nothing was changed.")
    : answer.ok ? "" : (await answer.json()).error;
  refuse(why);
  return why === "";
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
    await signOut();
    location.reload();
  };
  follow("/api/hub/desk", draw, (status) => {
    putOrHide(element("status"), status === "lost" ? say("No connection to the hub: this is how it stood.") : "");
    if (status === "lost") {
      session().then((again) => again && !again.signed_in && location.reload());
    }
  });
  setInterval(draw, 5000);
}
