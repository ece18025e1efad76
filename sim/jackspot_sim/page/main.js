// The page of the simulated table: one stream in, hands out.
//
// The stream's events: `state` (the board's live state), `oled`, `sign`, `truth`, `happenings`,
// `table` (lamps, wires, faults, speed, show, power), `edges` and `sounds`. Each part is drawn
// by a module of its own; this one only tells them what is new.

import { listen } from "/live.js";
import { rulesName } from "/names.js";
import { fillWords, inLanguage, languageSwitch, say } from "/words.js";
import { Belief } from "./belief.js";
import { BoardDrawing } from "./board.js";
import { boardOf } from "./boards.js";
import { Buttons } from "./buttons.js";
import { Film } from "./film.js";
import { Glass } from "./glass.js";
import { Hands } from "./hands.js";
import { Happened } from "./happened.js";
import { Knocks } from "./knocks.js";
import { Lying } from "./lying.js";
import { Mishaps } from "./mishaps.js";
import { Palette } from "./palette.js";
import { Parts } from "./parts.js";
import { Play } from "./play.js";
import { act, onRefusal } from "./post.js";
import { Captions, told } from "./show.js";
import { Sign } from "./sign.js";
import { Speaker } from "./sound.js";
import { Stage } from "./stage.js";
import { makeTabs } from "./tabs.js";
import { pocketContents, showTruth } from "./truth.js";
import { Wires } from "./wires.js";

const element = (id) => document.getElementById(id);

fillWords();
element("language").append(languageSwitch());

const drawing = new BoardDrawing(element("board-canvas"), boardOf("hikone"));
const lying = new Lying();
const belief = new Belief();
const buttons = new Buttons();
const film = new Film();
const glass = new Glass(element("oled"));
const happened = new Happened(element("happened"), element("happenings"));
const palette = new Palette();
const parts = new Parts(element("parts"));
const sign = new Sign(element("sign"));
const speaker = new Speaker(element("mute"), element("sounding"));
const knocks = new Knocks(speaker.notes);
const hands = new Hands(lying, { point: onBoard, changed: handsMoved });
const play = new Play({ point: onBoard, animate, sitDown });
const captions = new Captions(element("caption"));
const stage = new Stage(buttons);
const wires = new Wires(element("lanes"), element("edges"));

let state = null;
let table = null;
let truth = null;
// How fast the table's time runs: a film that stands has none.
let pace = 1;
let jumps = 0;
// What fell into which pocket since the table said where everything lies.
let fallen_now = [];
// A show's caption stays when its match has ended, until the table is set up anew; not when
// somebody stopped it.
let captioned = false;
let stopped = false;
// The question during which the last shot was shot.
let shotAsk = null;

const handlers = {
  film: (told) => film.take(told),
  wound(newer) {
    film.stand(newer);
    if (newer.jumps !== jumps) {
      jumps = newer.jumps;
      forget();
    }
    setPace(newer.paused ? 0 : (table?.speed ?? 1));
  },
  oled: (oled) => glass.show(oled),
  sign: (shown) => sign.show(shown),
  edges: (lines) => wires.add(lines),
  happenings: (list) => happened.take(list),
  written: (lines) => belief.showWritten(lines),
  sounds: (sounds) => speaker.play(sounds),
  state(newer) {
    state = newer;
    glass.tell(state);
    belief.show(state, table?.speed ?? 1, truth);
    happened.reflect(state);
    update();
  },
  table(newer) {
    if (newer.board !== table?.board) {
      wires.forget();
    }
    table = newer;
    useBoard();
    setPace(film.paused || table.paused ? 0 : table.speed);
    parts.show(table);
    document.body.classList.toggle("unpowered", !table.powered);
    element("no-power").hidden = table.powered;
    showSpeed(table.speed);
    update();
  },
  shot(shot) {
    shotAsk = state?.ask ?? null;
    lying.run(shot, pace, performance.now());
    play.begun();
    reflectPlay();
    animate();
  },
  lying(told) {
    lying.agree(told, fallen_now, performance.now());
    fallen_now = [];
    reflectPlay();
    animate();
  },
  truth(newer) {
    const fell = truth === null ? [] : fallen(truth, newer);
    truth = newer;
    fallen_now = fell;
    if (state !== null) {
      belief.show(state, table?.speed ?? 1, truth);
    }
    update();
    animate();
  },
};

function setPace(speed) {
  pace = speed;
  lying.pace(speed);
  play.theirs.pace = speed;
  wires.speed = speed;
}

/** What comes next is told from its beginning. */
function forget() {
  truth = null;
  lying.forget();
  wires.forget();
}

/** Draw the board of the rules on the table, and offer their pieces. */
function useBoard() {
  const { rules, pieces, systems, diameters_mm } = table;
  const board = Object.assign(boardOf(rules), { diameters_mm });
  drawing.use(board);
  lying.use(board);
  palette.use(Object.keys(pieces), board);
  const choice = element("rules");
  if (choice.options.length !== systems.length) {
    choice.replaceChildren(...systems.map((system) => new Option(rulesName(system), system)));
  }
  choice.value = rules;
}

/** Which pieces went into which pocket between two states of the table. */
function fallen(before, after) {
  const fell = [];
  for (const [pocket, kinds] of Object.entries(after.in_pockets)) {
    for (const [kind, count] of Object.entries(kinds)) {
      const more = count - (before.in_pockets[pocket]?.[kind] ?? 0);
      for (let one = 0; one < more; one += 1) {
        fell.push({ kind, pocket });
      }
    }
  }
  return fell;
}

/** The speed, also one that cannot be chosen: the show has its own. */
function showSpeed(speed) {
  const options = [...element("speed").options];
  let option = options.find((one) => Number(one.value) === speed);
  if (option === undefined) {
    option = new Option(`${speed}×`, String(speed));
    option.disabled = true;
    element("speed").add(option);
  }
  option.selected = true;
}

/** What depends on more than one part of the stream. */
function update() {
  if (state === null || table === null || truth === null) {
    return;
  }
  showShow();
  const contents = pocketContents(truth);
  const departures = state.proposal?.departures ?? [];
  palette.reflect({
    active: table.active,
    faulty: table.faulty,
    lit: state.lit,
    byHand: state.by_hand,
    proposed: departures.map((one) => one.pocket).filter(Boolean),
    called: table.called,
    contents: contents.words,
  });
  hands.reflect(table);
  buttons.reflect(table, playing(state), inPlay(state) ? state.turn : null);
  drawing.tally(contents.lists);
  const away = Object.values(contents.lists).some((kinds) => kinds.includes("striker"));
  reflectPlay();
  document.body.dataset.phase = state.phase;
  stage.reflect(state, table, document.body.dataset.mode !== "how" && !hands.on && film.strokes.length === 0);
  const differs = showTruth(element("truth"), element("truth-note"), truth, state, table.pieces);
  element("truth-dot").hidden = !differs;
  element("put-back").classList.toggle("asked", play.putBack.offers);
  element("fetch").classList.toggle("asked", away);
  animate();
}

/** Whether somebody is to shoot. */
function inPlay({ phase }) {
  return !["setup", "board_over", "match_over"].includes(phase);
}

/** The seats that play, each with its side and the player's name. */
function playing(state) {
  const seats = new Map();
  for (const side of state.sides) {
    side.seats.forEach((seat, index) => {
      seats.set(seat, { side: side.side, name: side.names[index] ?? "" });
    });
  }
  return seats;
}

let animating = false;

function animate() {
  if (!animating) {
    animating = true;
    requestAnimationFrame(frame);
  }
}

function frame() {
  const ran = lying.running;
  const { pieces, moving } = lying.at(performance.now());
  const aims = play.advance(performance.now());
  knocks.play(lying.heard());
  const held = play.striker;
  const others = pieces.filter(({ kind }) => kind !== "striker");
  drawing.show(held === null ? pieces : [...others, { kind: "striker", x: held[0], y: held[1], lift: 0.4 }]);
  animating = moving || aims;
  if (ran && !lying.running) {
    update();
  }
  if (animating) {
    requestAnimationFrame(frame);
  }
}

/** Tell who plays what is to be seen. */
function reflectPlay() {
  if (state !== null && table !== null && truth !== null) {
    const on = document.body.dataset.mode !== "how" && !hands.on;
    play.reflect({ state, table, truth, board: boardOf(table.rules), lying, on });
  }
}

/** Hands have come, moved a piece, or gone. */
function handsMoved() {
  if (hands.on && document.body.dataset.mode !== "play") {
    element("tab-play").click();
  }
  update();
  animate();
}

/** Where on the board an event is, in millimetres from its middle. */
function onBoard({ clientX, clientY }) {
  const box = element("board").getBoundingClientRect();
  const extent = drawing.extent_mm;
  return [((clientX - box.left) / box.width - 0.5) * extent, ((clientY - box.top) / box.height - 0.5) * extent];
}

/** What the board is for: to be played on, or to let pieces fall by hand. */
function useMode() {
  const open = document.querySelector('.palette [role="tab"][aria-selected="true"]').id.replace("tab-", "");
  document.body.dataset.mode = open;
  palette.work(open === "how");
  if (hands.on && open !== "play") {
    hands.turn(false);
  }
  reflectPlay();
  update();
}

function showShow() {
  const running = table.showing;
  const button = element("show");
  captioned = running || (captioned && !stopped && ["board_over", "match_over"].includes(state.phase));
  stopped &&= running;
  element("show-tools").classList.toggle("now", running);
  element("show-pause").disabled = element("show-step").disabled = !running;
  element("show-pause").textContent = table.paused ? say("▶ Go on") : say("❚❚ Pause");
  button.textContent = running ? say("■ Stop") : say("▶ Show me");
  button.classList.toggle("running", running);
  element("caption").hidden = !captioned;
  element("play-note").hidden = captioned;
  if (captioned) {
    captions.tell(told(state, table, { running: lying.running, shot: shotAsk === state.ask }));
  } else {
    captions.end();
  }
}

function showStatus(status) {
  const words = { connecting: say("connecting"), connected: say("live"), lost: say("connection lost, trying again") };
  element("status").dataset.status = status;
  element("status").textContent = words[status];
  document.body.classList.toggle("stale", status === "lost");
  if (status !== "connected") {
    forget();
  }
}

onRefusal((why) => {
  const toast = document.createElement("p");
  toast.textContent = why;
  element("toasts").replaceChildren(toast);
  setTimeout(() => toast.remove(), 5000);
});

element("speed").addEventListener("change", (event) => act("speed", { speed: Number(event.target.value) }));
element("show").addEventListener("click", () => {
  if (table?.showing) {
    stopped = true;
    act("show", { running: false });
  } else {
    putAside(() => act("show", { running: true }));
  }
});
element("show-pause").addEventListener("click", () => act("show", { paused: !table.paused }));
element("show-step").addEventListener("click", () => act("show", { step: true }));
element("put-back").addEventListener("click", () => act("put-back"));
element("fetch").addEventListener("click", () => act("fetch"));
element("new").addEventListener("click", () => putAside(() => act("new", { rules: table.rules })));
element("rules").addEventListener("change", ({ target }) => {
  const rules = target.value;
  target.value = table.rules;
  putAside(() => act("new", { rules }));
});

/** Begin a match with these seats, unless people would rather play on. */
function sitDown(seats) {
  putAside(() => act("new", { rules: table.rules, seats }));
}

/** Do this at once, or, where people play a match, once they have said that it may be put aside. */
function putAside(instead) {
  const played = state !== null && !table?.showing && !["setup", "match_over"].includes(state.phase);
  if (!played) {
    instead();
    return;
  }
  const asked = element("put-aside");
  asked.returnValue = "";
  asked.onclose = () => asked.returnValue === "stop" && instead();
  asked.showModal();
}

element("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("jackspot-theme", root.dataset.theme);
});
if (localStorage.getItem("jackspot-theme")) {
  document.documentElement.dataset.theme = localStorage.getItem("jackspot-theme");
}

const help = element("help");
element("help-open").addEventListener("click", () => help.showModal());
for (const [keys, what] of [...buttons.shortcuts, [["M"], say("Sound on or off")], [["?"], say("This help")]]) {
  const term = document.createElement("dt");
  for (const key of keys) {
    const keycap = document.createElement("kbd");
    keycap.textContent = key;
    term.append(keycap);
  }
  const meaning = document.createElement("dd");
  meaning.textContent = what;
  element("keys").append(term, meaning);
}
const pages = document.querySelector(".pages");
document.addEventListener("click", (event) => {
  pages.open &&= pages.contains(event.target) && event.target.closest("a") === null;
});
document.addEventListener("keydown", (event) => {
  pages.open &&= event.key !== "Escape";
  const elsewhere = event.target.closest("input, select") || document.querySelector("dialog[open]");
  if (elsewhere || event.ctrlKey || event.metaKey) {
    return;
  }
  if (event.key === "?") {
    help.showModal();
  } else if (event.key.toLowerCase() === "m") {
    element("mute").click();
  }
});

new Mishaps(element("mishaps"), element("mishap-told"));
makeTabs(() => {
  wires.run();
  useMode();
});
useMode();

listen(inLanguage("/sim/stream"), handlers, showStatus);
