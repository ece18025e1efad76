// Who plays: which seats, and at each of them a person, or the computer so well.

import { say } from "/words.js";
import { make } from "./make.js";
import { act } from "./post.js";

const STRENGTHS = { beginner: say("Beginner"), club: say("Club player"), master: say("Master") };
const CLOCKWISE = ["N", "E", "S", "W"];

export class Players {
  /** `sitDown` is called with the seats of a new match that people choose. */
  constructor(place, sitDown) {
    this.choices = new Map();
    this.list = make("div", "", "player-list");
    this.lineup = make("select", "");
    this.lineup.id = "lineup";
    this.lineup.ariaLabel = say("Seats of a new match");
    this.lineup.addEventListener("change", () => {
      const wanted = this.lineup.value.split(",");
      this.lineup.value = this.playing;
      sitDown(wanted);
    });
    place.replaceChildren(this.lineup, this.list);
  }

  /** Offer a choice for each seat that plays, and the other ways to sit. */
  reflect({ sides }, { players, strengths, lineups }) {
    const seats = sides.flatMap((side) => side.seats.map((seat) => [seat, side]));
    if (seats.map(([seat]) => seat).join() !== [...this.choices.keys()].join()) {
      this.choices = new Map(seats.map(([seat]) => [seat, this.choice(seat, strengths)]));
      this.list.replaceChildren(...[...this.choices.values()].map((choice) => choice.parentElement));
    }
    for (const [seat, side] of seats) {
      const choice = this.choices.get(seat);
      choice.value = players[seat] ?? "";
      choice.parentElement.className = `player side-${side.side}`;
    }
    this.showLineup(new Set(seats.map(([seat]) => seat)), lineups);
  }

  showLineup(seats, lineups) {
    if (this.lineup.options.length !== lineups.length) {
      this.lineup.replaceChildren(...lineups.map((lineup) => new Option(lineupName(lineup), lineup.join())));
    }
    const sits = lineups.find((lineup) => lineup.length === seats.size && lineup.every((seat) => seats.has(seat)));
    this.playing = sits?.join() ?? "";
    this.lineup.value = this.playing;
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

/** Two who face each other, two pairs, or a pair with one alone between them. */
function lineupName(lineup) {
  if (lineup.length === 2) {
    return say("Two: {first} and {second}", { first: lineup[0], second: lineup[1] });
  }
  if (lineup.length === 4) {
    return say("Pairs: {first} and {second}", { first: "N+S", second: "E+W" });
  }
  const alone = lineup.find((seat) => !lineup.includes(CLOCKWISE[(CLOCKWISE.indexOf(seat) + 2) % 4]));
  const pair = lineup.filter((seat) => seat !== alone).join("+");
  return say("Three: {first} and {second}", { first: pair, second: alone });
}
