// The buzzer: heard through the browser, and always shown in words as well.

import { Notes } from "/notes.js";

const WORDS = {
  tick: "tick",
  again: "rising: shoot again",
  pass: "falling: turn passes",
  foul: "low: foul",
  refused: "low beep: not taken",
  minute: "one minute left",
  ten_seconds: "ten seconds left",
  horn: "horn: time",
  win: "fanfare",
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
