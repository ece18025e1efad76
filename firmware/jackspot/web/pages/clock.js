// The match clock as the live state gives it, carried on by the browser's own clock.

/** Remember a clock, the match's if no other, and when it arrived; `speed` is how fast the board's time runs. */
export function clockFrom(state, speed = 1, clock = state.clock) {
  const { limit_ns, remaining_ns, running, as_of_ns, armed } = clock;
  return {
    limit_ms: limit_ns / 1e6,
    remaining_ms: (remaining_ns - (running ? state.now_ns - as_of_ns : 0)) / 1e6,
    running,
    armed,
    speed,
    at_ms: performance.now(),
  };
}

/** How many milliseconds are left now; never below zero. */
export function left(clock) {
  const passed = clock.running ? (performance.now() - clock.at_ms) * clock.speed : 0;
  return Math.max(0, clock.remaining_ms - passed);
}

/** Minutes and seconds, rounded up as the board's own displays do: 0:01 until it is over. */
export function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
