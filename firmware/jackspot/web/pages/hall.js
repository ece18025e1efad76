// Joining a hall: the text of its QR code, which stands behind # where this page was opened by it.

import { post, session } from "./referee-session.js";
import { fillWords, say } from "./words.js";

const element = (id) => document.getElementById(id);

/** Ask for the PIN where it is needed and nobody has signed in on this device. */
async function askForPin() {
  const who = await session();
  const isAsked = who !== null && who.pin && !who.signed_in;
  for (const id of ["pin-label", "pin-hint"]) {
    element(id).hidden = !isAsked;
  }
  element("pin").required = isAsked;
  return isAsked;
}

async function signIn() {
  const answer = await post("/api/session", { pin: element("pin").value.trim(), name: "" });
  if (answer.ok) {
    return "";
  }
  const wait = Number(answer.headers.get("retry-after"));
  if (answer.status === 429 && wait > 0) {
    return say("Too many wrong PINs. Try again in {wait} s.", { wait });
  }
  return answer.status === 401 ? say("Wrong PIN.") : (await answer.json()).error;
}

async function join() {
  if (await askForPin()) {
    if (element("pin").value === "") {
      return "";
    }
    const wrong = await signIn();
    if (wrong !== "") {
      return wrong;
    }
    await askForPin();
  }
  const answer = await post("/api/hall", { text: element("text").value });
  const said = await answer.json();
  if (!answer.ok) {
    return said.error;
  }
  history.replaceState(null, "", location.pathname + location.search);
  element("text").value = "";
  return say("The board is in the hall {hall}. Now set its number in its menu.", { hall: said.hall });
}

fillWords();
document.title = say("Join a hall");
element("text").value = decodeURIComponent(location.hash.slice(1));
element("form").onsubmit = async (event) => {
  event.preventDefault();
  element("told").textContent = "";
  try {
    element("told").textContent = await join();
  } catch {
    element("told").textContent = say("The board does not answer.");
  }
};
await askForPin();
document.body.dataset.ready = "yes";
