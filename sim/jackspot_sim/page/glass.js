// The OLED, pixel for pixel: 1,024 bytes, row by row, the leftmost pixel in the highest bit.

import { say } from "/words.js";

const LIT = [206, 234, 255];
const DARK = [6, 9, 13];

export class Glass {
  constructor(canvas) {
    this.pen = canvas.getContext("2d");
    this.picture = this.pen.createImageData(128, 64);
    this.canvas = canvas;
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
