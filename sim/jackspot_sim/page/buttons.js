// Buttons on wires: pressed, held and chorded with mouse, touch and keys.
//
// A button is down while at least one thing holds it: a pointer, a key, or a latch (Shift and
// click). A key is held until that same key comes up, whatever it means by then: with Shift a 1
// is a !. What the wire really is comes back from the table and is shown by `reflect`.

import { say } from "/words.js";
import { act, actOnLeaving } from "./post.js";
import { seatName } from "./seats.js";

const SEAT_KEYS = { N: ["Q", "W"], E: ["E", "R"], S: ["A", "S"], W: ["D", "F"] };
const BOX = [
  ["ok", "OK", "1"],
  ["fix", "FIX", "2"],
  ["foul", "FOUL", "3"],
  ["off", "OFF", "4"],
  ["undo", "UNDO", "5"],
];

export class Buttons {
  constructor() {
    this.buttons = new Map();
    this.holders = new Map();
    this.byKey = new Map();
    for (const place of document.querySelectorAll(".seat")) {
      this.makeSeat(place, place.dataset.seat);
    }
    const box = document.getElementById("box");
    for (const [key, label, shortcut] of BOX) {
      this.make(box, `referee_${key}`, key, label, shortcut, `${say("Referee")} ${label}`);
    }
    document.addEventListener("keydown", (event) => this.keyDown(event));
    document.addEventListener("keyup", (event) => this.letGo(keyHolder(event)));
    window.addEventListener("blur", () => this.letAllGo());
    window.addEventListener("pagehide", () => this.letAllGo());
  }

  /** The shortcuts by place, for the help: keys, and what they press. */
  get shortcuts() {
    const seats = Object.entries(SEAT_KEYS).map(([seat, keys]) => [keys, `${seatName(seat)}: OK, FIX`]);
    const keys = BOX.map(([, , shortcut]) => shortcut);
    return [...seats, [keys, `${say("Referee")}: ${BOX.map(([, label]) => label).join(", ")}`]];
  }

  /** Show which wires this board has, which are down, and whose turn it is. */
  reflect({ wires, active, faulty, lamps }, playing, turn) {
    const down = new Set(active);
    for (const [wire, button] of this.buttons) {
      button.hidden = !wires.includes(wire);
      button.setAttribute("aria-pressed", String(down.has(wire)));
      button.classList.toggle("broken", wire in faulty);
    }
    for (const place of document.querySelectorAll(".seat")) {
      place.classList.toggle("lit", lamps.includes(place.dataset.seat));
      place.classList.toggle("empty", !playing.has(place.dataset.seat));
      place.classList.toggle("plays", playing.has(place.dataset.seat));
      const side = playing.get(place.dataset.seat);
      place.dataset.side = side ? side.side : "";
      place.querySelector(".seat-label").className = `seat-label side-${place.dataset.side}`;
      place.classList.toggle("shoots", side !== undefined && place.dataset.seat === turn);
      place.querySelector(".seat-name").textContent = side?.name ?? "";
    }
  }

  makeSeat(place, seat) {
    const [ok, fix] = SEAT_KEYS[seat];
    const wire = `seat_${seat.toLowerCase()}`;
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", say("Seat {seat}", { seat: seatName(seat) }));
    const label = document.createElement("span");
    label.className = "seat-label";
    label.innerHTML = `<i class="lamp"></i><b>${seat}</b> <span class="seat-name"></span>`;
    place.append(label);
    this.make(place, `${wire}_ok`, "ok", "OK", ok, `${seatName(seat)} OK`);
    this.make(place, `${wire}_fix`, "fix", "FIX", fix, `${seatName(seat)} FIX`);
  }

  make(parent, wire, key, label, shortcut, name) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `cap cap-${key}`;
    button.dataset.wire = wire;
    button.ariaLabel = name;
    button.setAttribute("aria-keyshortcuts", shortcut);
    button.setAttribute("aria-pressed", "false");
    button.innerHTML = `<span class="cap-top" data-key="${shortcut}"><span>${label}</span></span>`;
    button.addEventListener("pointerdown", (event) => this.pointerDown(event, wire));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(end, (event) => this.letGo(`pointer ${event.pointerId}`));
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    parent.append(button);
    this.buttons.set(wire, button);
    this.byKey.set(shortcut, wire);
  }

  pointerDown(event, wire) {
    if (event.button !== 0) {
      return;
    }
    if (event.shiftKey) {
      this.latch(wire);
      return;
    }
    this.letGo(`latch ${wire}`);
    event.target.setPointerCapture(event.pointerId);
    this.hold(`pointer ${event.pointerId}`, wire);
  }

  latch(wire) {
    if (!this.letGo(`latch ${wire}`)) {
      this.hold(`latch ${wire}`, wire);
    }
  }

  keyDown(event) {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.target.closest("input, select, textarea") || document.querySelector("dialog[open]")) {
      return;
    }
    const focused = event.target.closest(".cap");
    const pressesFocused = focused && (event.key === " " || event.key === "Enter");
    const wire = pressesFocused ? focused.dataset.wire : this.byKey.get(event.key.toUpperCase());
    if (wire && !this.buttons.get(wire).hidden) {
      event.preventDefault();
      this.hold(keyHolder(event), wire);
    }
  }

  hold(holder, wire) {
    if (this.holders.has(holder)) {
      return;
    }
    const wasUp = ![...this.holders.values()].includes(wire);
    this.holders.set(holder, wire);
    if (wasUp) {
      this.buttons.get(wire).classList.add("held");
      act("button", { wire, down: true });
    }
  }

  letGo(holder) {
    const wire = this.holders.get(holder);
    if (wire === undefined) {
      return false;
    }
    this.holders.delete(holder);
    if (![...this.holders.values()].includes(wire)) {
      this.buttons.get(wire).classList.remove("held");
      act("button", { wire, down: false });
    }
    return true;
  }

  letAllGo() {
    const wires = new Set(this.holders.values());
    this.holders.clear();
    for (const wire of wires) {
      this.buttons.get(wire).classList.remove("held");
      actOnLeaving("button", { wire, down: false });
    }
  }
}

/** Names the key itself; keyboards on glass tell only what it means. */
function keyHolder({ code, key }) {
  return `key ${code || key.toLowerCase()}`;
}
