// Things to break: unplug a display, block a beam, jam a button; and to mend again.

import { act } from "./post.js";

const DISPLAYS = [
  ["oled", "Unplug the OLED"],
  ["sign", "Unplug the LED sign"],
];

export class Breaks {
  constructor(place) {
    this.place = place;
    this.key = "";
  }

  show({ wires, faulty }) {
    const key = wires.join();
    if (key !== this.key) {
      this.key = key;
      this.build(wires);
    }
    for (const button of this.place.querySelectorAll("[data-part]")) {
      const broken = faulty.includes(button.dataset.part);
      button.setAttribute("aria-pressed", String(broken));
    }
  }

  build(wires) {
    const beams = wires.filter((wire) => wire.startsWith("pocket_"));
    const buttons = wires.filter((wire) => !wire.startsWith("pocket_"));
    this.place.replaceChildren(
      group("Displays", DISPLAYS),
      group("Beams: something stays in front", beams.map((wire) => [wire, wire.slice(-2).toUpperCase()])),
      group("Buttons: jammed down", buttons.map((wire) => [wire, wire.replace(/^(seat_)?/, "").replace("_", " ")])),
    );
  }
}

function group(title, parts) {
  const section = document.createElement("fieldset");
  const legend = document.createElement("legend");
  legend.textContent = title;
  section.append(legend);
  for (const [part, name] of parts) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "switch";
    button.dataset.part = part;
    button.setAttribute("aria-pressed", "false");
    button.textContent = name;
    button.addEventListener("click", () => {
      act("fault", { part, broken: button.getAttribute("aria-pressed") !== "true" });
    });
    section.append(button);
  }
  return section;
}
