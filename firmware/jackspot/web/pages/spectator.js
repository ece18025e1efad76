// The score for those who look on. It only shows; what is proposed never looks like what counts.

import { showBanner } from "./banner.js";
import { clockFrom, left, minutes } from "./clock.js";
import { element, put, putOrHide, renew } from "./dom.js";
import { showIdle } from "./idle.js";
import { attend, renewIfChanged } from "./kiosk.js";
import { listen } from "./live.js";
import { showStanding, showWhich } from "./middle.js";
import { hideMoment, momentBetween, showMoment, showWin } from "./moments.js";
import { showPlacing, showProposal, story } from "./now.js";
import { offerSettings } from "./settings.js";
import { scoreWords, showSide } from "./side.js";
import { sideName } from "./names.js";
import { fillWords, inLanguage, list, say } from "./words.js";

const SHOT_SOON_MS = 5000;
const SOON_MS = 60000;
const LAST_MS = 10000;
const STATUS = { connecting: say("connecting"), connected: "", lost: say("connection lost, trying again") };
let before = null;
let clock = null;
let shot = null;

function show(state, isFirst) {
  if (isFirst && state.ask !== before?.ask) {
    before = null; // what was played since then is not known
  }
  clock = clockFrom(state);
  shot = state.shot === null ? null : clockFrom(state, 1, state.shot);
  showClock();
  Object.assign(document.body.dataset, { phase: state.phase, sequence: state.sequence });
  document.body.classList.toggle("free", state.free !== null);
  put(element("board"), state.board);
  showWhich(element("which"), state);
  document.title = `${scoreWords(state).join(" : ")} · ${state.board}`;
  state.sides.forEach((_, index) => showSide(element(`side-${index}`), state, index));
  showStanding(element("standing"), state);
  renew(element("headline"), story(state));
  showPlacing(element("place"), state);
  showProposal(element("proposal"), state);
  showWin(element("win"), state);
  if (["setup", "match_over"].includes(state.phase) || state.free !== null) {
    hideMoment(element("moment"));
  }
  showMoment(element("moment"), momentBetween(before, state), state);
  showIdle(element("idle"), state);
  putOrHide(element("notice"), state.notice);
  put(element("told"), told(state));
  before = state;
}

/** The score in one sentence, for those who hear the page: it is said when it changes. */
function told(state) {
  const owing = state.sides.filter((side) => side.owed > 0);
  return [list(scoreWords(state)), ...owing.map((side) => `${sideName(side, state)}: ${say("owes {n}", { n: side.owed })}`)].join(". ");
}

/** The match clock; in its last minute the seconds alone, as large as the room allows. */
function showClock() {
  const face = element("clock");
  const shown = clock !== null && clock.limit_ms > 0;
  face.hidden = !shown;
  if (shown) {
    const remaining = left(clock);
    const soon = remaining <= SOON_MS;
    put(face, soon ? String(Math.ceil(remaining / 1000)) : minutes(remaining));
    face.dataset.digits = String(face.textContent.length);
    face.classList.toggle("stopped", !clock.running);
    face.classList.toggle("armed", clock.armed);
    face.classList.toggle("soon", soon);
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
    showBanner(element("event"), element("logo"));
    renewIfChanged();
  }
}

attend();
fillWords();
offerSettings();
setInterval(showClock, 200);
listen(inLanguage("/api/events"), { message: show }, showStatus);
