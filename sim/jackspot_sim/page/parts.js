// The parts of the board, and what is wrong with each: unplugged, blocked, stuck, dead, or well.

import { say } from "/words.js";
import { make, makeButton } from "./make.js";
import { act } from "./post.js";

const DISPLAYS = [
  ["oled", say("Unplug the OLED")],
  ["sign", say("Unplug the LED sign")],
];
const HUB = ["sensor_hub", say("Unplug the sensor hub")];
const WELL = ["", say("OK")];

export class Parts {
  constructor(place) {
    this.place = place;
    this.key = "";
  }

  show({ wires, faulty, has_hub }) {
    const key = [...wires, has_hub].join();
    if (key !== this.key) {
      this.key = key;
      this.build(wires, has_hub ? [...DISPLAYS, HUB] : DISPLAYS);
    }
    for (const button of this.place.querySelectorAll("[data-part]")) {
      const broken = faulty[button.dataset.part] ?? "";
      button.setAttribute("aria-pressed", String(broken === button.dataset.broken));
    }
  }

  build(wires, devices) {
    const beams = wires.filter((wire) => wire.startsWith("pocket_"));
    const buttons = wires.filter((wire) => !wire.startsWith("pocket_"));
    const displays = group(say("Displays"));
    displays.append(...devices.map(([part, words]) => plug(part, words)));
    const beamRows = group(say("Beams"));
    beamRows.append(...beams.map((wire) => row(wire, wire.slice(-2).toUpperCase(), ["jammed", say("blocked")])));
    const buttonRows = group(say("Buttons"));
    buttonRows.append(...buttons.map((wire) => row(wire, called(wire), ["jammed", say("stuck")])));
    this.place.replaceChildren(displays, beamRows, buttonRows);
  }
}

function called(wire) {
  const [place, key] = wire.replace(/^seat_/, "").split("_");
  return `${place === "referee" ? say("box") : place.toUpperCase()} ${key.toUpperCase()}`;
}

function group(title) {
  const section = make("fieldset", "");
  section.append(make("legend", title));
  return section;
}

/** A display's or the sensor hub's cable: pressed is out, and pressed again is in. */
function plug(part, words) {
  const button = makeButton(words, "switch", () => {
    act("fault", { part, broken: button.getAttribute("aria-pressed") === "true" ? null : "unplugged" });
  });
  button.dataset.part = part;
  button.dataset.broken = "unplugged";
  button.setAttribute("aria-pressed", "false");
  return button;
}

/** A wire: well, active for good, or dead. */
function row(part, name, jammed) {
  const line = make("div", "", "part");
  line.setAttribute("role", "group");
  line.ariaLabel = name;
  line.append(make("span", name, "part-name"));
  for (const [broken, word] of [WELL, jammed, ["dead", say("dead")]]) {
    const button = makeButton(word, "switch", () => act("fault", { part, broken: broken || null }));
    button.dataset.part = part;
    button.dataset.broken = broken;
    button.ariaLabel = `${name} ${word}`;
    line.append(button);
  }
  return line;
}
