// The pieces, turned and lacquered, each painted in the size it has on a canvas.

/** A filled circle. */
export function disc(pen, x, y, radius, fill) {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

/** The outline of a circle. */
export function ring(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.stroke();
}

const TURNED = {
  red: ["#f07a62", "#c93321", "#7e150b"],
  green: ["#57b184", "#1d7a50", "#0b4128"],
  jack: ["#5a4b44", "#241b18", "#070504"],
  striker: ["#fffdf6", "#efe4cf", "#b9a888"],
  white: ["#ffffff", "#fbf6ea", "#d9cdb4"],
  black: ["#59514b", "#2b2623", "#0b0908"],
  brown: ["#b98250", "#8a5427", "#4c2a10"],
  queen: ["#f4837a", "#cf2a3c", "#7c0d1e"],
};

/**
 * One turned and lacquered piece of `diameter` pixels, with room around it for soft edges.
 *
 * Red is a full disc, green an outlined one with a pale inlay, the jack has a ring of gold,
 * the striker is ivory; white has two fine grooves, black is plain, brown has a pale ring, the
 * queen a crown of dots: they differ in shape as well as in colour.
 */
export function paintPiece(kind, diameter) {
  const extent = Math.ceil(diameter * 1.3) + 4;
  const sprite = new OffscreenCanvas(extent, extent);
  const pen = sprite.getContext("2d");
  const radius = diameter / 2;
  pen.translate(extent / 2, extent / 2);
  if (kind === "shadow") {
    const soft = pen.createRadialGradient(0, 0, radius * 0.7, 0, 0, radius * 1.26);
    soft.addColorStop(0, "rgb(40 18 4 / 95%)");
    soft.addColorStop(1, "rgb(40 18 4 / 0%)");
    disc(pen, 0, 0, radius * 1.26, soft);
    return sprite;
  }
  const [light, base, dark] = TURNED[kind];
  const body = pen.createRadialGradient(-radius * 0.35, -radius * 0.45, radius * 0.1, 0, 0, radius);
  body.addColorStop(0, light);
  body.addColorStop(0.55, base);
  body.addColorStop(1, dark);
  disc(pen, 0, 0, radius, body);
  const pale = kind === "striker" || kind === "white";
  if (pale) {
    // A dark edge: pale on pale wood is seen by its outline.
    pen.strokeStyle = "rgb(74 46 18 / 85%)";
    pen.lineWidth = Math.max(1.2, radius * 0.1);
    ring(pen, 0, 0, radius - pen.lineWidth / 2);
  }
  groove(pen, radius * 0.8, radius, pale ? "rgb(120 96 60 / 70%)" : "rgb(0 0 0 / 32%)");
  if (kind === "green") {
    const inlay = pen.createLinearGradient(-radius, -radius, radius, radius);
    inlay.addColorStop(0, "#fff4d8");
    inlay.addColorStop(1, "#dcc596");
    disc(pen, 0, 0, radius * 0.52, inlay);
    groove(pen, radius * 0.52, radius, "rgb(10 50 28 / 60%)");
  } else if (kind === "red") {
    groove(pen, radius * 0.42, radius, "rgb(70 6 0 / 38%)");
  } else if (kind === "white") {
    groove(pen, radius * 0.62, radius, "rgb(120 96 60 / 55%)");
    groove(pen, radius * 0.34, radius, "rgb(120 96 60 / 55%)");
  } else if (kind === "black") {
    groove(pen, radius * 0.55, radius, "rgb(255 240 220 / 18%)");
  } else if (kind === "brown") {
    pen.strokeStyle = "#ecd3ac";
    pen.lineWidth = Math.max(1, radius * 0.14);
    ring(pen, 0, 0, radius * 0.5);
  } else if (kind === "queen") {
    for (let dot = 0; dot < 6; dot += 1) {
      const angle = (dot * Math.PI) / 3;
      disc(pen, Math.cos(angle) * radius * 0.55, Math.sin(angle) * radius * 0.55, radius * 0.11, "#f7dfa0");
    }
    disc(pen, 0, 0, radius * 0.17, "#f7dfa0");
  } else if (kind === "jack") {
    pen.strokeStyle = "#e3bd67";
    pen.lineWidth = Math.max(1, radius * 0.13);
    ring(pen, 0, 0, radius * 0.58);
    disc(pen, 0, 0, radius * 0.2, "#f2d48a");
  } else {
    pen.strokeStyle = "#6a5a44";
    pen.lineWidth = Math.max(1, radius * 0.09);
    ring(pen, 0, 0, radius * 0.5);
    disc(pen, 0, 0, radius * 0.13, "#6a5a44");
  }
  const gloss = pen.createLinearGradient(0, -radius, 0, radius * 0.2);
  gloss.addColorStop(0, "rgb(255 255 255 / 40%)");
  gloss.addColorStop(1, "rgb(255 255 255 / 0%)");
  pen.fillStyle = gloss;
  pen.beginPath();
  pen.ellipse(-radius * 0.12, -radius * 0.42, radius * 0.66, radius * 0.4, -0.25, 0, 2 * Math.PI);
  pen.fill();
  return sprite;
}

/** A turned groove: a dark line with light on its far edge. */
function groove(pen, radius, outer, colour) {
  pen.lineWidth = Math.max(0.7, outer * 0.06);
  pen.strokeStyle = "rgb(255 255 255 / 22%)";
  ring(pen, pen.lineWidth * 0.5, pen.lineWidth * 0.6, radius);
  pen.strokeStyle = colour;
  ring(pen, 0, 0, radius);
}
