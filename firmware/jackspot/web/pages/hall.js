// Joining a hall: the text of its QR code, which stands behind # where this page was opened by it.

import { post, session } from "./referee-session.js";
import { fillWords, refusal, say } from "./words.js";

const element = (id) => document.getElementById(id);
const REFUSED = {
  409: say("No hall is joined here: the organiser locked it, or the board is simulated."),
  422: say("This is not the text of a hall's code, or not all of it."),
};

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
  return answer.status === 401 ? say("Wrong PIN.") : refusal(answer);
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
  if (!answer.ok) {
    return REFUSED[answer.status] ?? refusal(answer);
  }
  const said = await answer.json();
  history.replaceState(null, "", location.pathname + location.search);
  element("text").value = "";
  return say("The board is in the hall {hall}. Now set its number in its menu.", { hall: said.hall });
}

/** The text behind # in the address; as it stands there where it cannot be decoded. */
function handedOver() {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

fillWords();
document.title = say("Join a hall");
element("form").onsubmit = async (event) => {
  event.preventDefault();
  element("told").textContent = "";
  try {
    element("told").textContent = await join();
  } catch {
    element("told").textContent = say("The board does not answer.");
  }
};
element("text").value = handedOver();
await askForPin();
document.body.dataset.ready = "yes";
