// What usually goes wrong at a table, one press each.

import { say } from "/words.js";
import { make, makeButton } from "./make.js";
import { act } from "./post.js";

// Each mishap: its name, its label, and what it does, said once it has been pressed.
const GROUPS = [
  [say("People"), [
    ["shoot_on", say("Shoot on, no press"), say("Three own pucks, a stroke every 4 seconds, and no press.")],
    ["forgotten_press", say("A miss, no press"), say("The shooter misses; 4 seconds later the next seat's puck falls.")],
    ["double_press", say("OK pressed twice"), say("The same finger twice, a third of a second apart.")],
    ["two_press", say("Two people press OK"), say("Two OK buttons, a tenth of a second apart.")],
    ["fetch_hand", say("Hand picks up striker"), say("Through the beam of the pocket it lies in.")],
    ["stray_hand", say("A stray hand"), say("It breaks the beam and takes nothing.")],
  ]],
  [say("Pieces"), [
    ["late_fall", say("Late fall after OK"), say("OK for a miss; 2 seconds later the puck drops that had hung on the edge.")],
    ["tumble", say("Tumbles: two pulses"), say("One own puck turns over in the beam.")],
    ["two_at_once", say("Two in one pulse"), say("Two own pucks, one on the other.")],
    ["beside_beam", say("Beside the beam"), say("An own puck falls and nothing is sensed.")],
  ]],
  [say("Wires and power"), [
    ["chatter", say("A loose contact"), say("A beam's wire, for about a second.")],
    ["power_cut", say("Power cut, and back"), say("Someone pulls the plug. The pieces stay where they are.")],
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
