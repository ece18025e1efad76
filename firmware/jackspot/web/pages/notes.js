// The buzzer's sounds through the browser: notes of hertz and milliseconds, played one after the other.

const KEY = "jackspot-muted";
const LOUD = 0.06;
const FADE_S = 0.012;
const REST_MS = 150;
const WAITING = 4;

export class Notes {
  constructor(button) {
    this.button = button;
    this.context = null;
    this.sounding = false;
    this.waiting = [];
    this.muted = remembered() === "yes";
    button.addEventListener("click", () => this.mute(!this.muted));
    this.mute(this.muted);
    // A browser lets a page be heard only after somebody has touched it, which counts once a finger
    // is lifted; after a device has slept, that is needed again.
    for (const kind of ["pointerup", "keydown"]) {
      document.addEventListener(kind, () => this.wake());
    }
  }

  mute(muted) {
    this.muted = muted;
    this.waiting = [];
    this.button.setAttribute("aria-pressed", String(muted));
    try {
      localStorage.setItem(KEY, muted ? "yes" : "no");
    } catch {
      // A browser that keeps nothing asks again next time.
    }
  }

  wake() {
    this.context ??= new AudioContext();
    if (!this.isAwake()) {
      this.context.resume().catch(() => {}); // the next touch tries again
    }
  }

  isAwake() {
    return this.context?.state === "running";
  }

  /**
   * Play notes after those that sound already, unless the page is mute or nobody has touched it
   * yet. Of the sounds that wait, the newest few are kept.
   */
  play(notes) {
    if (this.muted || !this.isAwake()) {
      return;
    }
    this.waiting = [...this.waiting, notes].slice(-WAITING);
    if (!this.sounding) {
      this.next();
    }
  }

  next() {
    this.waiting = this.isAwake() ? this.waiting : [];
    const notes = this.waiting.shift();
    this.sounding = notes !== undefined;
    if (this.sounding) {
      setTimeout(() => this.next(), this.sound(notes) + REST_MS);
    }
  }

  /** Sound notes now; return how long they take in milliseconds. */
  sound(notes) {
    let at = this.context.currentTime;
    for (const [hertz, milliseconds] of notes) {
      const end = at + milliseconds / 1000;
      if (hertz > 0) {
        const volume = new GainNode(this.context, { gain: LOUD });
        volume.gain.setValueAtTime(LOUD, Math.max(at, end - FADE_S));
        volume.gain.linearRampToValueAtTime(0, end);
        const tone = new OscillatorNode(this.context, { type: "square", frequency: hertz });
        tone.connect(volume).connect(this.context.destination);
        tone.start(at);
        tone.stop(end);
      }
      at = end;
    }
    return notes.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
  }
}

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
