// The LED sign: what its decoder understood of the bytes on the serial line.

const SCREEN_MS = 2500;

export class Sign {
  constructor(place) {
    this.place = place;
    this.screens = [];
    this.current = 0;
    setInterval(() => this.turnOver(), SCREEN_MS);
  }

  show(sign) {
    this.place.classList.toggle("unplugged", !sign.plugged);
    this.place.dataset.kind = sign.kind ?? "alpha";
    this.screens = sign.kind === "segment" ? [segments(sign)] : sign.pages;
    this.current = Math.min(this.current, Math.max(0, this.screens.length - 1));
    this.draw();
  }

  turnOver() {
    if (this.screens.length > 1) {
      this.current = (this.current + 1) % this.screens.length;
      this.draw();
    }
  }

  draw() {
    const runs = this.screens[this.current] ?? [];
    this.place.replaceChildren(
      ...runs.map(({ text, colour }) => {
        const run = document.createElement("span");
        run.className = `led led-${colour.replace(" ", "-")}`;
        run.textContent = text;
        return run;
      }),
    );
  }
}

function segments({ digits, points, colon }) {
  const text = [...digits].map((digit, place) => digit + (points[place] ? "." : "")).join("");
  return [{ text: colon ? `${text.slice(0, 2)}:${text.slice(2)}` : text, colour: "red" }];
}
