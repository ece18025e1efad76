// What is going on in a match that plays by itself, told to somebody who sees it for the first time.

import { say } from "/words.js";

/** So long a caption stands at least. */
const STANDS_MS = 2600;

const TOLD = {
  setup: say("A referee's box, four pockets with light beams, a small display. A match begins."),
  falling: say("A beam is broken: something fell. A beam never sees a colour."),
  review: say("So the board proposes what it was, and the referee confirms with OK, or asks for the next reading with FIX."),
  placing: say("These pieces go back to the middle, and OK says that it is done."),
};


/** The line in which a show is told: what stands there stays long enough to be read. */
export class Captions {
  constructor(place) {
    this.place = place;
    this.wanted = "";
    this.stands = 0;
    this.timer = null;
  }

  /** Tell this, as soon as what stands there has been read. */
  tell(words) {
    this.wanted = words;
    const left_ms = this.stands - performance.now();
    if (this.place.textContent === words || this.timer !== null) {
      return;
    }
    if (left_ms <= 0) {
      this.put();
    } else {
      this.timer = setTimeout(() => this.put(), left_ms);
    }
  }

  put() {
    this.timer = null;
    if (this.place.textContent !== this.wanted) {
      this.place.textContent = this.wanted;
      this.stands = performance.now() + STANDS_MS;
    }
  }

  /** Say nothing more. */
  end() {
    clearTimeout(this.timer);
    [this.timer, this.stands, this.wanted] = [null, 0, ""];
    this.place.textContent = "";
  }
}

/** The caption for this moment of the show; `shot`: whether what is asked for has been shot. */
export function told(state, { aim }, { running, shot }) {
  if (state.phase === "board_over" || state.phase === "match_over") {
    return won(state);
  }
  if (state.phase === "ready") {
    return ready(state, aim, running, shot);
  }
  return TOLD[state.phase] ?? state.prompts.headline;
}

function won(state) {
  if (state.clock.limit_ns > 0 && state.clock.remaining_ns === 0) {
    return say("The clock of this short match is at 0:00: whoever is ahead wins.");
  }
  return state.centre_piece.piece === "jack"
    ? say("One puck was enough in this short match, then the jack: won.")
    : state.prompts.headline;
}

function ready(state, aim, running, shot) {
  if (running) {
    return say("The striker runs. Every pocket has a light beam across it.");
  }
  if (shot) {
    return say("Nothing fell, and no beam can know that: OK ends the stroke.");
  }
  if (state.centre_piece.place === "pending") {
    return say("The queen is in, but must be covered: the next stroke has to pocket a piece, or she comes back.");
  }
  const side = state.sides.find((one) => one.shoots);
  const name = side ? begun(side.names.filter(Boolean).join(" & ") || side.name) : "";
  if (aim !== null && side) {
    return say("{side} aims: the striker is placed, drawn back and let go.", { side: name });
  }
  return side
    ? say("{side} to shoot. What counts is on the display; the lamp shows whose turn it is.", { side: name })
    : say("The next side shoots. What counts is on the display; the lamp shows whose turn it is.");
}

/** A name as it stands where a sentence begins. */
function begun(name) {
  return name[0].toUpperCase() + name.slice(1);
}
