// The five buttons of the referee's box, for thumbs, with what each of them does now.

import { pressable, ring } from "./finger.js";
import { make } from "./make.js";
import { say } from "./words.js";

const KEYS = [
  ["ok", "OK", "1", ""],
  ["fix", "FIX", "2", ""],
  ["undo", "UNDO", "5", say("take back")],
  ["foul", "FOUL", "3", say("call a foul")],
  ["off", "OFF", "4", say("off the board")],
];
const HELD = ["ok", "fix"];

export class Keys {
  /** `send(button, gesture, ask)` presses. */
  constructor(place, send) {
    this.place = place;
    this.send = send;
    this.ask = "";
    this.buttons = new Map();
    this.shortcuts = new Map();
    for (const [key, label, shortcut, words] of KEYS) {
      this.make(key, label, shortcut, words);
    }
    this.menu = make("button", "", "key key-menu");
    this.menu.type = "button";
    this.menu.hidden = true;
    pressable(this.menu, { start: () => this.ask, press: (ask) => send("fix", "hold", ask) });
    place.append(this.menu);
    document.addEventListener("keydown", (event) => this.keyDown(event));
    document.addEventListener("keyup", (event) => this.shortcuts.get(event.key)?.letGo());
    addEventListener("blur", () => this.letAllGo());
  }

  make(key, label, shortcut, words) {
    const button = make("button", "", `key key-${key}`);
    button.type = "button";
    button.dataset.button = key;
    button.setAttribute("aria-keyshortcuts", shortcut);
    button.append(make("b", label), make("span", words, "does"));
    if (HELD.includes(key)) {
      button.append(ring());
    }
    this.place.append(button);
    const held = HELD.includes(key) ? (ask) => this.send(key, "hold", ask) : null;
    const finger = pressable(button, {
      start: () => this.ask,
      press: (ask, by) => this.send(key, by === "click" && button.dataset.holds ? "hold" : "short", ask),
      hold: held,
    });
    this.buttons.set(key, { button, words, finger });
    this.shortcuts.set(shortcut, finger);
  }

  /** Show what each of them does now; while the board is not heard none of them does anything. */
  show({ ask, prompts, proposal, menu }, connected) {
    this.ask = ask;
    this.place.dataset.ask = ask;
    const can = new Set(prompts.can);
    for (const [key, { button, words, finger }] of this.buttons) {
      const usable = connected && (can.has(key) || can.has(`${key}_held`));
      if (!usable) {
        finger.cancel();
      }
      button.disabled = !usable;
      button.querySelector(".does").textContent = { ok: prompts.ok, fix: prompts.fix }[key] ?? words;
    }
    const { button } = this.buttons.get("ok");
    const holds = can.has("ok_held") && !can.has("ok") || (menu === null && proposal?.ends_board);
    button.classList.toggle("holds", Boolean(holds));
    button.dataset.holds = holds ? "yes" : "";
    this.menu.textContent = prompts.fix_held;
    this.menu.hidden = prompts.fix_held === "";
    this.menu.disabled = !connected || !can.has("fix_held");
  }

  keyDown(event) {
    const elsewhere = event.target.closest?.("input, select, textarea") || document.querySelector("dialog[open]");
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || elsewhere) {
      return;
    }
    this.shortcuts.get(event.key)?.begin();
  }

  letAllGo() {
    for (const { finger } of this.buttons.values()) {
      finger.cancel();
    }
  }
}
