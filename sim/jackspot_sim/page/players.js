// Who plays which seat: a person, or the computer so well.

import { say } from "/words.js";
import { make } from "./make.js";
import { act } from "./post.js";

const STRENGTHS = { beginner: say("Beginner"), club: say("Club player"), master: say("Master") };

export class Players {
  constructor(place) {
    this.place = place;
    this.choices = new Map();
  }

  /** Offer a choice for each seat that plays. */
  reflect({ sides }, { players, strengths }) {
    const seats = sides.flatMap((side) => side.seats.map((seat) => [seat, side]));
    if (seats.map(([seat]) => seat).join() !== [...this.choices.keys()].join()) {
      this.choices = new Map(seats.map(([seat]) => [seat, this.choice(seat, strengths)]));
      this.place.replaceChildren(...[...this.choices.values()].map((choice) => choice.parentElement));
    }
    for (const [seat, side] of seats) {
      const choice = this.choices.get(seat);
      choice.value = players[seat] ?? "";
      choice.parentElement.className = `player side-${side.side}`;
    }
  }

  choice(seat, strengths) {
    const label = make("label", "", "player");
    const choice = make("select", "");
    const computer = make("optgroup", "");
    computer.label = say("Computer");
    computer.append(...strengths.map((one) => new Option(STRENGTHS[one], one)));
    choice.append(new Option(say("Person"), ""), computer);
    choice.ariaLabel = say("Who plays {seat}", { seat });
    choice.addEventListener("change", () => act("player", { seat, strength: choice.value || null }));
    label.append(make("b", seat), choice);
    return choice;
  }
}
