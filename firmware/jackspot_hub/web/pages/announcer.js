// The announcer: who is called, to be read aloud by somebody or by the browser's own voice.
//
// Theory of operation. A call is an order of the hub, known by its number and its time: it is said
// once, whatever becomes of its text or of the connection, and again each time that its players
// have not come two minutes later; a match that moves, or is called anew, is another order. The
// newest that has not been said comes first, those that are said again last. It is taken as said when
// somebody presses the button, or when the voice has begun with it. When the voice is switched on
// it says the newest and leaves those before to people; after that it says every new call, the
// newest first, unless its players have come meanwhile. What was said is remembered by the browser,
// for this event.

import { element, make, put, putOrHide, renew } from "/dom.js";
import { fillWords, language, languageSwitch, locale, say } from "/words.js";
import { contests, follow, now, parts } from "./parts.js";
import { names } from "./told.js";
import { canSpeak, chooseRate, chooseVoice, hush, rate, speak, voice, voices, whenVoicesChange } from "./voice.js";

const KEPT = "jackspot-said";
const MOST_KEPT = 400;
const MOST_LISTED = 60;
const STALE_MS = 180000;
const AGAIN_MS = 120000;
let isSpeaking = false; // as somebody has switched it
let left = new Set(); // the calls that were there when the voice was switched on
let busy = false;
let spoken = ""; // the call that the voice has said last
let story = null; // { event, said: [{ call, text, spoken, at_ms }] }

fillWords();
element("language").append(languageSwitch());
element("said-it").addEventListener("click", () => {
  note(toSay()[0]);
  draw();
});
element("speak").addEventListener("click", () => turn(!isSpeaking));
element("voices").addEventListener("change", () => chooseVoice(element("voices").value));
element("rate").value = rate();
element("rate").addEventListener("input", () => chooseRate(Number(element("rate").value)));
element("said").addEventListener("click", (event) => {
  const { call } = event.target.closest("button")?.dataset ?? {};
  const known = story.said.find((each) => each.call === call);
  if (known) {
    utter(known.spoken);
  }
});
whenVoicesChange(drawVoices);

function draw() {
  const event = parts.get("event");
  if (!event) {
    return;
  }
  put(element("event"), event.name);
  document.title = say("Announcer: {event}", { event: event.name });
  story = story?.event === event.name ? story : remembered(event.name);
  goOn();
  const current = (parts.get("calls") ?? []).find((call) => isSpeaking && idOf(call) === spoken);
  const [first, ...others] = current ? [current, ...toSay()] : toSay();
  renew(element("newest"), first ? [large(first)] : [make("p", say("Nobody is waiting to be called."), "none")]);
  element("said-it").hidden = !first || isSpeaking;
  renew(element("others"), others.slice(0, MOST_LISTED).map(line));
  renew(element("said"), [...story.said].reverse().slice(0, MOST_LISTED).map(past));
}

function idOf(call) {
  return `${call.order}@${call.since_ms}`;
}

/** The calls that have not been said, the newest first; then those that are to be said again. */
function toSay() {
  const calls = parts.get("calls") ?? [];
  const saidMs = lastSaid();
  const again = calls.filter((call) => now() - saidMs.get(idOf(call)) > AGAIN_MS);
  return [...calls.filter((call) => !saidMs.has(idOf(call))), ...again];
}

/** When each call was said last. */
function lastSaid() {
  return new Map(story.said.map(({ call, at_ms: atMs }) => [call, atMs]));
}

function large(call) {
  const made = make("div", "", "call");
  made.append(make("p", say("Board no. {n}", { n: call.board }), "board"));
  call.who.forEach((side, at) => {
    if (at > 0) {
      made.append(make("p", say("against"), "against"));
    }
    const who = make("p", "", "who");
    side.forEach((name, place) => {
      const reading = call.say?.[at]?.[place];
      const one = make("span", name);
      if (reading && reading !== name) {
        one.append(make("small", reading));
      }
      who.append(one);
    });
    made.append(who);
  });
  const contest = contests().find(({ name }) => name === call.contest);
  made.append(make("p", contest?.title ?? "", "contest"));
  if (now() - lastSaid().get(idOf(call)) > AGAIN_MS) {
    made.append(make("p", say("They have not come: call them again."), "again"));
  }
  return made;
}

function line(call) {
  const made = make("li");
  made.append(make("b", String(call.board)), make("span", call.who.map(names).join(" – ")));
  return made;
}

function past(each) {
  const made = make("li");
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(each.at_ms);
  made.append(make("time", time), make("span", each.text));
  if (canSpeak()) {
    const again = make("button", say("say it again"), "plain");
    again.type = "button";
    again.dataset.call = each.call;
    again.setAttribute("aria-label", say("say it again: {text}", { text: each.text }));
    made.append(again);
  }
  return made;
}

// --- what is said ----------------------------------------------------------------------------

/** A call as a sentence: as it is read, or as it is spoken, with the readings of names. */
function sentence(call, isSpoken) {
  const [one, other] = call.who.map((side, at) => together(
    side.map((name, place) => (isSpoken && call.say?.[at]?.[place]) || name)));
  return say("Board {n}: {one} against {other}", { n: call.board, one, other });
}

function together(side) {
  return side.length === 2 ? say("{one} and {other}", { one: side[0], other: side[1] }) : names(side);
}

/** Take a call as said. */
function note(call) {
  story.said.push({ call: idOf(call), text: sentence(call, false), spoken: sentence(call, true), at_ms: now() });
  story.said.splice(0, story.said.length - MOST_KEPT);
  keep();
}

/** Let the voice say the newest call that it has not, one after the other. */
function goOn() {
  const call = isSpeaking && !busy && toSay().find((each) => !left.has(idOf(each)) && now() - each.since_ms < STALE_MS);
  if (!call) {
    return;
  }
  spoken = idOf(call);
  note(call);
  utter(sentence(call, true));
}

function utter(text) {
  busy = true;
  speak(text, () => {
    busy = false;
    draw();
  });
}

function turn(on) {
  hush();
  isSpeaking = on;
  busy = false;
  left = new Set(story ? toSay().slice(1).map(idOf) : []);
  drawVoices();
  draw();
}

// --- the voice -------------------------------------------------------------------------------

function drawVoices() {
  const known = voices(language);
  const can = known.length > 0;
  isSpeaking &&= can;
  element("speak").disabled = !can;
  element("speak").setAttribute("aria-pressed", String(isSpeaking));
  element("speak").classList.toggle("first", can && !isSpeaking);
  put(element("speak"), isSpeaking ? say("Stop speaking") : say("Speak"));
  putOrHide(element("trouble"), can ? "" : say("This browser has no voice of its own for this language. Read the calls aloud."));
  element("how").hidden = !can;
  const chosen = voice(language)?.name;
  renew(element("voices"), known.map((each) => new Option(each.name, each.name)));
  element("voices").value = chosen ?? "";
}

// --- remembering -----------------------------------------------------------------------------

function remembered(event) {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    return kept?.event === event && Array.isArray(kept.said) ? kept : { event, said: [] };
  } catch {
    return { event, said: [] };
  }
}

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(story));
  } catch {
    // A browser that keeps nothing says again, after a reload, who still has not come.
  }
}

drawVoices();
follow("/api/hub/matches", draw, (status) => {
  putOrHide(element("status"), status === "lost" ? say("No connection to the hub: nothing new is called.") : "");
});
setInterval(draw, 5000);
