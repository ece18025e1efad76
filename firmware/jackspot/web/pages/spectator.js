// The score for those who look on. It only shows; what is proposed never looks like what counts.

import { clockFrom, left, minutes } from "./clock.js";
import { element, make, put, putOrHide, renew } from "./dom.js";
import { showHelp } from "./help.js";
import { attend, renewIfChanged } from "./kiosk.js";
import { listen } from "./live.js";
import { showMap, showStanding, which } from "./middle.js";
import { offerSettings } from "./settings.js";
import { showSide, sideName } from "./side.js";
import { alsoToKnow, showAsked, showPlacing, showQueue } from "./talk.js";
import { fillWords, inLanguage, list, say } from "./words.js";

const SHOT_SOON_MS = 5000;
const SOON_MS = 60000;
const LAST_MS = 10000;
const STATUS = { connecting: say("connecting"), connected: "", lost: say("connection lost, trying again") };
let clock = null;
let shot = null;

function show(state) {
  clock = clockFrom(state);
  shot = state.shot === null ? null : clockFrom(state, 1, state.shot);
  showClock();
  Object.assign(document.body.dataset, { phase: state.phase, sequence: state.sequence });
  document.body.classList.toggle("free", state.free !== null);
  put(element("board"), state.board);
  put(element("which"), which(state));
  document.title = `${state.sides.map((side) => `${side.letter} ${side.score}`).join(" : ")} · ${state.board}`;
  state.sides.forEach((_, index) => showSide(element(`side-${index}`), state, index));
  showMap(element("map"), state);
  showStanding(element("standing"), state);
  showNow(state);
  showHelp(element("help"), state);
  putOrHide(element("ruling"), state.last?.words ?? "");
  renew(element("faults"), state.faults.map((fault) => make("li", `${fault.what}: ${fault.remedy}`)));
  put(element("told"), told(state));
}

/** What is to be done now: a proposal or question, what to place, else the headline. */
function showNow(state) {
  const asked = state.proposal !== null || state.menu !== null;
  const hints = state.hints.filter((hint) => !state.prompts.detail.includes(hint));
  const placing = state.place.length > 0;
  putOrHide(element("headline"), asked ? "" : state.prompts.headline);
  putOrHide(element("detail"), asked ? "" : [placing ? "" : state.prompts.detail, ...hints].filter(Boolean).join(" · "));
  showAsked(element("proposal"), state);
  showQueue(element("queue"), state);
  showPlacing(element("place"), state);
  putOrHide(element("also"), alsoToKnow(state));
}

/** The score in one sentence, for those who hear the page: it is said when it changes. */
function told(state) {
  const scores = state.sides.map((side) => `${sideName(side, state)} ${side.score}`);
  return [list(scores), ...state.sides.filter((side) => side.owed > 0).map((side) => `${sideName(side, state)}: ${say("owes {n}", { n: side.owed })}`)].join(". ");
}

function showClock() {
  const face = element("clock");
  const shown = clock !== null && clock.limit_ms > 0;
  face.hidden = !shown;
  if (shown) {
    const remaining = left(clock);
    put(face, minutes(remaining));
    face.classList.toggle("stopped", !clock.running);
    face.classList.toggle("armed", clock.armed);
    face.classList.toggle("soon", remaining <= SOON_MS);
    face.classList.toggle("last", remaining <= LAST_MS);
    face.dataset.says = clock.armed ? say("armed") : clock.running ? "" : say("clock stopped");
  }
  element("shot").hidden = shot === null;
  if (shot !== null) {
    put(element("shot"), say("{n} s", { n: Math.ceil(left(shot) / 1000) }));
    element("shot").classList.toggle("soon", left(shot) <= SHOT_SOON_MS);
  }
}

function showStatus(status) {
  element("status").dataset.status = status;
  put(element("status"), STATUS[status]);
  document.body.classList.toggle("stale", status === "lost");
  if (status === "connected") {
    renewIfChanged();
  }
}

attend();
fillWords();
offerSettings();
setInterval(showClock, 200);
listen(inLanguage("/api/events"), { message: show }, showStatus);
