// The buzzer: heard through the browser, and always shown in words as well.

import { Notes } from "/notes.js";
import { say } from "/words.js";

const WORDS = {
  tick: say("tick"),
  again: say("rising: shoot again"),
  pass: say("falling: turn passes"),
  foul: say("low: foul"),
  refused: say("low beep: not taken"),
  minute: say("one minute left"),
  ten_seconds: say("ten seconds left"),
  horn: say("horn: time"),
  win: say("fanfare"),
};
const SHOWN_MS = 1600;

export class Speaker {
  constructor(button, words) {
    this.words = words;
    this.notes = new Notes(button);
    this.timer = 0;
  }

  play(sounds) {
    for (const { name, notes } of sounds) {
      this.write(WORDS[name] ?? name);
      this.notes.play(notes);
    }
  }

  write(text) {
    this.words.textContent = `♪ ${text}`;
    this.words.classList.add("now");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.words.classList.remove("now"), SHOWN_MS);
  }
}
