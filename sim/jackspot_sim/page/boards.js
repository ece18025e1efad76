// The two boards that are drawn, in millimetres.
//
// Knows nothing of canvases. The origin is the middle of the field, x runs to the east and y to
// the south, as on a map. How large the pieces are the table tells: it decides by the same sizes
// where a striker has room.

import { systems } from "/words.js";

const corners = (at) => ({ NE: [at, -at], SE: [at, at], SW: [-at, at], NW: [-at, -at] });

/** The Hikone board. Inner field, pieces: measured; lines and pockets: as commonly built. */
export const HIKONE = {
  field_mm: 600,
  frame_mm: 46,
  pocket_mm: 52,
  pockets: corners(272),
  circle_mm: 244,
  jack_spot_mm: 34,
  area_line_mm: 96,
  area_line_reach_mm: 372,
  tee_mm: 30,
  planks: 5,
  wood: ["#f0d5a3", "#e6c48b", "#d8b075"],
  lacquer: { N: "#4a2415", W: "#421f12", E: "#35170d", S: "#2c120a" },
  diameters_mm: {},
};

/** A carrom board by the international laws: field, lines, circles and pockets as measured there. */
export const CARROM = {
  field_mm: 740,
  frame_mm: 62,
  pocket_mm: 44.5,
  pockets: corners(346),
  circle_mm: 170,
  centre_mm: 31.8,
  base_lines_mm: [101.5, 133.3],
  base_reach_mm: 470,
  base_circle_mm: 31.8,
  arrow_mm: 267,
  arrow_arc_mm: 63.5,
  planks: 1,
  wood: ["#f6e3bb", "#efd6a5", "#e4c58d"],
  lacquer: { N: "#5a2f1c", W: "#512818", E: "#421f12", S: "#371a0f" },
  diameters_mm: {},
};

/** The board on which a rule system is played. */
export function boardOf(rules) {
  return systems[rules]?.jack ? HIKONE : CARROM;
}
