// The LED sign: what its decoder understood of the bytes on the serial line.

const SCREEN_MS = 2500;
const PIXELS_PER_S = 90;

export class Sign {
  constructor(place) {
    this.place = place;
    this.said = "";
    this.screens = [];
    this.current = 0;
    this.timer = 0;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }

  show(sign) {
    this.place.classList.toggle("unplugged", !sign.plugged);
    const screens = sign.kind === "segment" ? [segments(sign)] : (sign.pages ?? []);
    const said = JSON.stringify(screens);
    if (said === this.said) {
      return;
    }
    this.said = said;
    this.screens = screens;
    this.current = 0;
    this.draw();
  }

  draw() {
    const line = document.createElement("span");
    line.className = "line";
    line.append(...(this.screens[this.current] ?? []).map(run));
    this.place.replaceChildren(line);
    clearTimeout(this.timer);
    const stay_ms = SCREEN_MS + this.scroll(line);
    if (this.screens.length > 1) {
      this.timer = setTimeout(() => {
        this.current = (this.current + 1) % this.screens.length;
        this.draw();
      }, stay_ms);
    }
  }

  /** Run a line that is too long past the eye; gives how long that takes. */
  scroll(line) {
    const over = line.scrollWidth - this.place.clientWidth;
    if (over <= 0) {
      return 0;
    }
    line.classList.add("long");
    if (this.calm.matches) {
      return 0;
    }
    const duration = (over / PIXELS_PER_S) * 1000;
    line.animate([{ transform: "none" }, { transform: `translateX(${-over}px)` }], {
      delay: SCREEN_MS / 2,
      duration,
      fill: "forwards",
    });
    return duration;
  }
}

function run({ text, colour }) {
  const letters = document.createElement("span");
  letters.className = `led led-${colour.replace(" ", "-")}`;
  letters.textContent = text;
  return letters;
}

function segments({ digits, points, colon }) {
  const text = [...digits].map((digit, place) => digit + (points[place] ? "." : "")).join("");
  return [{ text: colon ? `${text.slice(0, 2)}:${text.slice(2)}` : text, colour: "red" }];
}
