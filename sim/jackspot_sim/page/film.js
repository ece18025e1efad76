// A match on film: its strokes beside what the record has of each, and buttons that wind it.

import { say } from "/words.js";
import { make } from "./make.js";
import { act } from "./post.js";

const element = (id) => document.getElementById(id);

export class Film {
  constructor() {
    this.strokes = [];
    this.stroke = 0;
    this.paused = false;
    element("film-before").addEventListener("click", () => this.windTo(Math.max(this.stroke - 1, 1)));
    element("film-next").addEventListener("click", () => this.windTo(this.stroke + 1));
    element("film-parting").addEventListener("click", () => this.windTo(this.parting()));
    element("film-pause").addEventListener("click", () => act("wind", { paused: !this.paused }));
  }

  /** Take what is on it: the command that shows it, and `[number, stroke, entries, agrees, missed]` of each. */
  take({ command, right, strokes, left }) {
    this.strokes = strokes;
    document.body.dataset.film = "";
    element("film").hidden = false;
    element("film-which").textContent = command;
    element("film-result").textContent = right ? say("The final score is right.") : say("The final score is wrong.");
    element("film-result").classList.toggle("differs", !right);
    const partings = strokes.filter(([, , , agrees]) => !agrees).length;
    element("film-parting").disabled = partings === 0;
    element("film-partings").textContent = partings === 0
      ? say("The record has every stroke as it was.")
      : say("Strokes that the record has otherwise: {n}", { n: partings });
    const rows = strokes.map((one) => this.row(one));
    if (left.length > 0) {
      rows.push(row(say("after that"), "", `≠ ${left.join("\n")}`));
    }
    element("film-strokes").replaceChildren(...rows);
  }

  row([number, stroke, entries, agrees, missed]) {
    const told = entries.length === 0 ? say("not in the record") : entries.join("\n");
    const made = row(String(number), stroke, agrees ? "" : `≠ ${told}`);
    if (missed.length > 0) {
      made.append(make("span", say("no beam saw {pieces}", { pieces: missed.join(", ") }), "film-missed"));
    }
    made.addEventListener("click", () => this.windTo(number));
    return made;
  }

  /** Show where it stands. */
  stand({ stroke, paused }) {
    const other = stroke !== this.stroke;
    [this.stroke, this.paused] = [stroke, paused];
    element("film-pause").textContent = paused ? say("▶ Go on") : say("❚❚ Pause");
    element("film-before").disabled = stroke <= 1;
    const rows = [...element("film-strokes").children];
    rows.forEach((one, index) => one.toggleAttribute("aria-current", index + 1 === stroke));
    if (other) {
      rows[stroke - 1]?.scrollIntoView({ block: "nearest" });
    }
  }

  /** The next stroke that the record has otherwise; after the last of them the first again. */
  parting() {
    const numbers = this.strokes.filter(([, , , agrees]) => !agrees).map(([number]) => number);
    return numbers.find((number) => number > this.stroke) ?? numbers[0];
  }

  windTo(stroke) {
    act("wind", { stroke });
  }
}

function row(number, stroke, told) {
  const made = make("button", "", told ? "film-stroke differs" : "film-stroke");
  made.type = "button";
  made.append(make("span", number, "film-number"), make("code", stroke), make("code", told, "film-told"));
  return made;
}
