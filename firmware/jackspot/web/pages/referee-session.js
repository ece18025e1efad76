// Signing in with the PIN, and out again.

import { patience, refusal, say } from "./words.js";

const PATIENCE_MS = 10000;

const element = (id) => document.getElementById(id);

/** Send something to the board; throws where it does not answer. */
export async function post(path, body) {
  return fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: patience(PATIENCE_MS),
  });
}

/** Ask the board who this page is; null where it does not answer. */
export async function session() {
  try {
    const answer = await fetch("/api/session", { cache: "no-store", signal: patience(5000) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** The code of the board's display, where this page was opened by scanning it. */
function scanned() {
  return location.hash.slice(1);
}

/** Show the PIN's form; `done()` is called when somebody has signed in. */
export function askForPin(done) {
  const dialog = element("sign-in");
  askWithPin(scanned() === "");
  element("sign-in-form").onsubmit = async (event) => {
    event.preventDefault();
    const wrong = await signIn(element("pin").value.trim(), element("name").value);
    element("wrong").textContent = wrong;
    if (wrong === "") {
      history.replaceState(null, "", location.pathname + location.search);
      dialog.onclose = null;
      dialog.close();
      done();
    } else {
      askWithPin(true);
      element("pin").select();
    }
  };
  // Without the PIN nothing here can be done, so there is nothing to go back to; browsers that are
  // asked to close it a second time do not ask the page.
  dialog.oncancel = (event) => event.preventDefault();
  dialog.onclose = () => dialog.showModal();
  element("pin").value = "";
  if (!dialog.open) {
    dialog.showModal();
  }
  element(scanned() === "" ? "pin" : "name").focus();
}

/** Ask for the PIN, or not: who has scanned the code needs none. */
function askWithPin(isAsked) {
  for (const id of ["pin-hint", "pin-label"]) {
    element(id).hidden = !isAsked;
  }
  element("pin").required = isAsked;
}

async function signIn(pin, name) {
  const code = scanned();
  try {
    const answer = await post("/api/session", code === "" ? { pin, name } : { pin, name, code });
    if (answer.ok) {
      return "";
    }
    const wait = Number(answer.headers.get("retry-after"));
    if (answer.status === 429 && wait > 0) {
      return say("Too many wrong PINs. Try again in {wait} s.", { wait });
    }
    return answer.status === 401 ? say("Wrong PIN.") : refusal(answer);
  } catch {
    return say("The board does not answer.");
  }
}

/** Sign out, wherever a copy of this page's cookie is kept; resolves to whether that was done. */
export async function signOut() {
  try {
    return (await post("/api/session/end", {})).ok;
  } catch {
    return false;
  }
}
