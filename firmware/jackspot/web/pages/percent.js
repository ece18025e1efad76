// How likely something is, in words.

/** A probability as per cent: never a plain 0 for what is possible. */
export function percent(probability) {
  const rounded = Math.round(probability * 100);
  return rounded === 0 && probability > 0 ? "<1 %" : `${rounded} %`;
}
