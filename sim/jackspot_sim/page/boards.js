// The two boards that are drawn, in millimetres, and where pieces lie when a board begins.
//
// Knows nothing of canvases. The origin is the middle of the field, x runs to the east and y to
// the south, as on a map.

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
  striker_at_mm: 204,
  clear_mm: 37,
  planks: 5,
  wood: ["#f0d5a3", "#e6c48b", "#d8b075"],
  lacquer: { N: "#4a2415", W: "#421f12", E: "#35170d", S: "#2c120a" },
  diameters_mm: { red: 30, green: 30, jack: 34, striker: 30 },
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
  striker_at_mm: 252.6,
  clear_mm: 42,
  planks: 1,
  wood: ["#f6e3bb", "#efd6a5", "#e4c58d"],
  lacquer: { N: "#5a2f1c", W: "#512818", E: "#421f12", S: "#371a0f" },
  diameters_mm: { white: 31, black: 31, brown: 31, queen: 31, striker: 41 },
};

/** The board on which a rule system is played. */
export function boardOf(rules) {
  return rules === "hikone" || rules === "japan" ? HIKONE : CARROM;
}

/** Where the striker of a seat lies before its shot: the tee spot, the middle of the base line. */
export function strikerSpot(board, seat) {
  const at = board.striker_at_mm;
  return { N: [0, -at], E: [at, 0], S: [0, at], W: [-at, 0] }[seat];
}

/**
 * Places of all pieces when a board begins, as `[kind, x, y]`.
 *
 * Two kinds of pucks take turns: on the Hikone board round the circle, on a carrom board six
 * round the queen and twelve round these. `pucks` are so many in all.
 */
export function opening(board, [first, second], centre, pucks) {
  const turns = (place) => (place % 2 === 0 ? first : second);
  const places = [[centre, 0, 0]];
  if (board === HIKONE) {
    for (let place = 0; place < pucks; place += 1) {
      places.push(polar(turns(place), board.circle_mm / 2, (place + 0.5) / pucks));
    }
    return places;
  }
  for (let place = 0; place < 6; place += 1) {
    places.push(polar(turns(place), 32, place / 6));
  }
  for (let place = 0; place < pucks - 6; place += 1) {
    places.push(polar(turns(place), place % 2 === 0 ? 64 : 55.4, place / (pucks - 6)));
  }
  return places;
}

/** A piece at so many millimetres from the middle; `turn` 0 is north, 0.25 east. */
function polar(kind, radius, turn) {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  return [kind, Math.cos(angle) * radius, Math.sin(angle) * radius];
}
