// What falls and how: the pieces chosen, the manner, and the pockets to click.

import { pieceName } from "/names.js";
import { say } from "/words.js";
import { paintPiece } from "./pieces.js";
import { act } from "./post.js";

const NAMES = {
  red: say("Red puck"), green: say("Green puck"), jack: say("Jack"), striker: say("Striker"),
  white: say("White"), black: say("Black"), brown: say("Brown"), queen: say("Queen"),
};
const MOST = 4;

// Each manner with what the beam would see, as a line: x is time, y 0 is whole, 1 is broken.
const MANNERS = [
  ["clean", say("Clean"), "0,0 9,0 9,1 15,1 15,0 32,0"],
  ["edge", say("On edge"), "0,0 7,0 7,1 24,1 24,0 32,0"],
  ["tumbling", say("Tumbling"), "0,0 6,0 6,1 11,1 11,0 18,0 18,1 22,1 22,0 32,0"],
  ["double", say("Double"), "0,0 6,0 6,1 12,1 12,0 13.5,0 13.5,1 20,1 20,0 32,0"],
  ["noisy", say("Noisy"), "0,0 6,0 6,1 7,1 7,0 8.5,0 8.5,1 16,1 16,0 17.5,0 17.5,1 18.5,1 18.5,0 32,0"],
  ["stuck", say("Stuck"), "0,0 8,0 8,1 32,1"],
  ["missed", say("Missed"), "0,0 32,0"],
  ["hand", say("A hand"), "0,0 3,0 3,1 8,1 8,0 11,0 11,1 25,1 25,0 32,0"],
];

export class Palette {
  constructor() {
    this.kinds = [];
    this.chosen = [];
    this.manner = "clean";
    this.working = false;
    this.pockets = new Map();
    this.makeManners(document.getElementById("manners"));
    document.getElementById("fly").addEventListener("click", () => {
      act("fly", { pieces: this.chosen });
    });
    this.showTray();
  }

  /** Show at each pocket what lies in it, whether its beam is broken, and what is proposed. */
  reflect({ active, faulty, lit, byHand, proposed, called, contents }) {
    for (const [pocket, button] of this.pockets) {
      const wire = `pocket_${pocket.toLowerCase()}`;
      button.classList.toggle("breaking", active.includes(wire) || lit.includes(pocket));
      button.classList.toggle("proposed", proposed.includes(pocket));
      button.classList.toggle("called", pocket === called);
      button.classList.toggle("broken", wire in faulty);
      button.classList.toggle("dead", faulty[wire] === "dead");
      button.classList.toggle("by-hand", byHand.includes(pocket));
      button.ariaLabel = say("Pocket {pocket}: {contents}", { pocket, contents: contents[pocket] || say("empty") });
    }
  }

  /** Offer these kinds of pieces, and the pockets of this board. */
  use(kinds, board) {
    if (kinds.join() === this.kinds.join()) {
      return;
    }
    this.kinds = kinds;
    this.chosen = [kinds[0]];
    this.makePieces(document.getElementById("pieces"));
    this.makePockets(document.getElementById("pockets"), board);
    this.showTray();
  }

  makePieces(place) {
    place.replaceChildren();
    for (const kind of this.kinds) {
      const name = NAMES[kind];
      const button = document.createElement("button");
      const more = document.createElement("button");
      button.type = "button";
      button.className = "piece";
      button.dataset.kind = kind;
      button.title = say("{piece} (Shift or right click: one more)", { piece: name });
      button.append(picture(kind, 38), label(name));
      button.addEventListener("click", (event) => {
        // Where there is no room for "+", a further tap adds one more.
        const again = more.offsetParent === null && this.chosen.includes(kind);
        this.choose(kind, event.shiftKey || again);
      });
      button.addEventListener("contextmenu", (event) => {
        event.preventDefault();
        this.choose(kind, true);
      });
      more.type = "button";
      more.className = "more";
      more.textContent = "+";
      more.ariaLabel = say("{piece}, one more at once", { piece: name });
      more.addEventListener("click", () => this.choose(kind, true));
      const pair = document.createElement("div");
      pair.className = "piece-pair";
      pair.append(button, more);
      place.append(pair);
    }
  }

  makeManners(place) {
    for (const [manner, name, line] of MANNERS) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "manner";
      button.dataset.manner = manner;
      button.setAttribute("role", "radio");
      const points = line.split(" ").map((point) => {
        const [x, y] = point.split(",").map(Number);
        return `${x},${9 - 7 * y}`;
      });
      button.innerHTML = `<svg viewBox="0 0 32 11" aria-hidden="true"><polyline points="${points.join(" ")}"/></svg>`;
      button.append(label(name));
      button.addEventListener("click", () => this.setManner(manner));
      button.addEventListener("keydown", (event) => this.mannerKey(event, manner));
      place.append(button);
    }
    this.setManner(this.manner);
  }

  makePockets(place, board) {
    place.replaceChildren();
    const extent = board.field_mm + 2 * board.frame_mm;
    for (const [pocket, [x, y]] of Object.entries(board.pockets)) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "pocket";
      button.disabled = !this.working;
      button.dataset.pocket = pocket;
      button.dataset.byHand = say("manual");
      button.style.left = `${(x / extent + 0.5) * 100}%`;
      button.style.top = `${(y / extent + 0.5) * 100}%`;
      button.innerHTML = `<span class="pocket-name">${pocket}</span>`;
      button.addEventListener("click", () => this.drop(pocket));
      place.append(button);
      this.pockets.set(pocket, button);
    }
  }

  /** Whether pockets can be clicked to let pieces fall. */
  work(working) {
    this.working = working;
    for (const button of this.pockets.values()) {
      button.disabled = !working;
    }
  }

  choose(kind, more) {
    if (!more) {
      this.chosen = [kind];
    } else if (this.chosen.length < MOST) {
      this.chosen.push(kind);
    } else {
      this.chosen = [kind];
    }
    if (this.manner === "hand") {
      this.setManner("clean");
    }
    this.showTray();
  }

  setManner(manner) {
    this.manner = manner;
    for (const button of document.querySelectorAll(".manner")) {
      const chosen = button.dataset.manner === manner;
      button.setAttribute("aria-checked", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    }
    this.showTray();
  }

  mannerKey(event, manner) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const names = MANNERS.map(([name]) => name);
      const next = names.at((names.indexOf(manner) + step) % names.length);
      this.setManner(next);
      document.querySelector(`[data-manner="${next}"]`).focus();
    }
  }

  drop(pocket) {
    const pieces = this.manner === "hand" ? [] : this.chosen;
    act("drop", { pocket, pieces, manner: this.manner });
  }

  showTray() {
    const tray = document.getElementById("tray");
    const hand = this.manner === "hand";
    for (const button of document.querySelectorAll(".piece")) {
      const chosen = !hand && this.chosen.includes(button.dataset.kind);
      button.setAttribute("aria-pressed", String(chosen));
      const count = this.chosen.filter((kind) => kind === button.dataset.kind).length;
      button.dataset.count = !hand && count > 1 ? `${count}` : "";
    }
    tray.textContent = hand ? say("No piece: a hand reaches in") : this.chosen.map(pieceName).join(" + ");
  }
}

/** A small picture of a piece. */
export function picture(kind, size) {
  const canvas = document.createElement("canvas");
  const scale = 2;
  canvas.width = canvas.height = size * scale;
  canvas.style.width = canvas.style.height = `${size}px`;
  canvas.setAttribute("aria-hidden", "true");
  const sprite = paintPiece(kind, size * scale * (kind === "jack" ? 0.94 : 0.84));
  const at = (canvas.width - sprite.width) / 2;
  canvas.getContext("2d").drawImage(sprite, at, at);
  return canvas;
}

function label(text) {
  const span = document.createElement("span");
  span.textContent = text;
  return span;
}
