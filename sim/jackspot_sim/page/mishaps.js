// What usually goes wrong at a table, one press each.

import { make, makeButton } from "./make.js";
import { act } from "./post.js";

// Each mishap: its name, its label, and what it does, said once it has been pressed.
const GROUPS = [
  ["People", [
    ["shoot_on", "Shoot on, no press", "Three own pucks, a stroke every 4 seconds, and no press."],
    ["forgotten_press", "A miss, no press", "The shooter misses; 4 seconds later the next seat's puck falls."],
    ["double_press", "OK pressed twice", "The same finger twice, a third of a second apart."],
    ["two_press", "Two people press OK", "Two OK buttons, a tenth of a second apart."],
    ["fetch_hand", "Hand fetches striker", "Through the beam of the pocket it lies in."],
    ["stray_hand", "A stray hand", "It breaks the beam and takes nothing."],
  ]],
  ["Pieces", [
    ["late_fall", "Late fall after OK", "OK for a miss; 2 seconds later the puck drops that had hung on the edge."],
    ["tumble", "Tumbles: two pulses", "One own puck turns over in the beam."],
    ["two_at_once", "Two in one pulse", "Two own pucks, one on the other."],
    ["beside_beam", "Beside the beam", "An own puck falls and nothing is sensed."],
  ]],
  ["Wires and power", [
    ["chatter", "A loose contact", "A beam's wire, for about a second."],
    ["power_cut", "Power cut, and back", "Somebody trips over the strip. The pieces stay where they are."],
  ]],
];

export class Mishaps {
  constructor(place, told) {
    this.told = told;
    for (const [title, mishaps] of GROUPS) {
      const section = make("fieldset", "");
      section.append(make("legend", title), ...mishaps.map((one) => this.button(one)));
      place.append(section);
    }
  }

  button([mishap, label, does]) {
    const button = makeButton(label, "plain mishap", async () => {
      if (await act("mishap", { mishap })) {
        this.told.textContent = does;
      }
    });
    button.dataset.mishap = mishap;
    button.title = does;
    return button;
  }
}
