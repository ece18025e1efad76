// How far a striker gets before it meets the first thing: lines and circles, no physics.

/**
 * The place of a disc of `radius` when it first touches something on its way from `[x, y]` along
 * the unit vector `[dx, dy]`: `{x, y, meets}`, `meets` the piece, or null at the frame.
 */
export function firstMeeting([x, y], [dx, dy], radius, board, pieces) {
  const limit = board.field_mm / 2 - radius;
  const walls = [dx > 0 ? (limit - x) / dx : dx < 0 ? (-limit - x) / dx : Infinity,
    dy > 0 ? (limit - y) / dy : dy < 0 ? (-limit - y) / dy : Infinity];
  let far = Math.max(0, Math.min(...walls));
  let meets = null;
  for (const piece of pieces) {
    const reach = radius + (board.diameters_mm[piece.kind] ?? 30) / 2;
    const [to_x, to_y] = [piece.x - x, piece.y - y];
    const ahead = to_x * dx + to_y * dy;
    const beside = Math.abs(to_x * dy - to_y * dx);
    if (ahead > 0 && beside < reach) {
      const touch = ahead - Math.sqrt(reach * reach - beside * beside);
      if (touch < far) {
        far = Math.max(0, touch);
        meets = piece;
      }
    }
  }
  return { x: x + dx * far, y: y + dy * far, meets };
}

/** The piece that a disc there would lie upon; undefined where it has room. */
export function inTheWay([x, y], radius, board, pieces) {
  return pieces.find((piece) => {
    const reach = radius + (board.diameters_mm[piece.kind] ?? 30) / 2;
    return Math.hypot(piece.x - x, piece.y - y) < reach;
  });
}
