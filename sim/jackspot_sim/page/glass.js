// The OLED, pixel for pixel: 1,024 bytes, row by row, the leftmost pixel in the highest bit; and
// its lines in words, for who does not see it.

import { pieceName } from "/names.js";
import { say } from "/words.js";

const LIT = [206, 234, 255];
const DARK = [6, 9, 13];

export class Glass {
  constructor(canvas) {
    this.pen = canvas.getContext("2d");
    this.picture = this.pen.createImageData(128, 64);
    this.canvas = canvas;
    this.name = canvas.getAttribute("aria-label");
  }

  /** Say in words what the OLED shows of a live state. */
  tell(state) {
    this.canvas.setAttribute("aria-label", [this.name, ...lines(state)].filter(Boolean).join(". "));
  }

  show({ bits, plugged }) {
    const bytes = Uint8Array.from(atob(bits), (letter) => letter.charCodeAt(0));
    const data = this.picture.data;
    for (let pixel = 0; pixel < 128 * 64; pixel += 1) {
      const lit = bytes[pixel >> 3] & (0x80 >> (pixel & 7));
      data.set(lit ? LIT : DARK, pixel * 4);
      data[pixel * 4 + 3] = 255;
    }
    this.pen.putImageData(this.picture, 0, 0);
    this.canvas.classList.toggle("unplugged", !plugged);
    document.getElementById("oled-note").textContent = plugged
      ? say("from the bytes on the bus")
      : say("unplugged");
  }
}

/** The lines of the OLED: counts, what is asked or next, what is wrong, what the buttons do. */
function lines({ sides, free, turn, menu, proposal, prompts, faults }) {
  const counts = free !== null
    ? free.counts.map(({ piece, count }) => `${pieceName(piece)} ${count}`)
    : sides.map(({ name, score, shoots }) => `${name} ${score}${shoots && turn ? ` ${turn}` : ""}`);
  const asked = menu !== null
    ? [menu.title, menu.items[menu.chosen]]
    : [free?.last, proposal?.what, proposal?.follows, proposal === null && prompts.headline, prompts.detail];
  const wrong = faults.slice(0, 1).map(({ what, remedy }) => `${what}: ${remedy}`);
  const keys = [["OK", prompts.ok], ["FIX", prompts.fix]].filter(([, does]) => does);
  return [counts.join(", "), ...asked, ...wrong, ...keys.map(([key, does]) => `${key}: ${does}`)];
}
