// The buzzer: heard through the browser, and always shown in words as well.

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
    this.button = button;
    this.context = null;
    this.muted = localStorage.getItem("jackspot-muted") === "yes";
    this.timer = 0;
    button.addEventListener("click", () => this.mute(!this.muted));
    this.mute(this.muted);
    // A browser lets a page be heard only after somebody has touched it.
    for (const kind of ["pointerdown", "keydown"]) {
      document.addEventListener(kind, () => this.wake(), { once: true });
    }
  }

  mute(muted) {
    this.muted = muted;
    localStorage.setItem("jackspot-muted", muted ? "yes" : "no");
    this.button.setAttribute("aria-pressed", String(muted));
  }

  wake() {
    this.context ??= new AudioContext();
  }

  play(sounds) {
    for (const { name, notes } of sounds) {
      this.write(WORDS[name] ?? name);
      if (!this.muted && this.context !== null) {
        this.sound(notes);
      }
    }
  }

  write(text) {
    this.words.textContent = `♪ ${text}`;
    this.words.classList.add("now");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.words.classList.remove("now"), SHOWN_MS);
  }

  sound(notes) {
    let at = this.context.currentTime;
    for (const [hertz, milliseconds] of notes) {
      const end = at + milliseconds / 1000;
      if (hertz > 0) {
        const volume = new GainNode(this.context, { gain: 0.06 });
        volume.gain.setValueAtTime(0.06, Math.max(at, end - 0.012));
        volume.gain.linearRampToValueAtTime(0, end);
        const tone = new OscillatorNode(this.context, { type: "square", frequency: hertz });
        tone.connect(volume).connect(this.context.destination);
        tone.start(at);
        tone.stop(end);
      }
      at = end;
    }
  }
}
