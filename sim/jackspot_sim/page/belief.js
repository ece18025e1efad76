// What the board knows and what it only proposes, in words and drawn pieces.
//
// What is confirmed is solid. What is proposed is dashed, striped and says so: the two never
// look alike, here or on any other page.

import { clockFrom, left, minutes } from "/clock.js";
import { picture } from "./palette.js";

const PHASES = {
  setup: "set-up",
  ready: "ready",
  falling: "falling",
  review: "review",
  placing: "put back",
  paused: "paused",
  board_over: "board over",
  match_over: "match over",
};

const element = (id) => document.getElementById(id);

export class Belief {
  constructor() {
    this.clock = null;
    setInterval(() => this.showClock(), 200);
  }

  show(state, speed, really = null) {
    this.clock = clockFrom(state, speed);
    this.showClock();
    element("phase").textContent = PHASES[state.phase];
    element("phase").dataset.phase = state.phase;
    element("headline").hidden = state.proposal !== null;
    element("headline").textContent = state.prompts.headline;
    this.showProposal(state);
    this.showPlace(state);
    element("sides").replaceChildren(...state.sides.map((side) => sideRow(side, state, really?.[side.side])));
    element("ruling").replaceChildren(...ruling(state.last));
    element("faults").replaceChildren(...state.faults.map(fault));
  }

  showClock() {
    const clock = this.clock;
    const shown = clock !== null && clock.limit_ms > 0;
    element("clock").hidden = !shown;
    if (shown) {
      element("clock").textContent = minutes(left(clock));
      element("clock").classList.toggle("stopped", !clock.running);
    }
  }

  showProposal(state) {
    const { proposal, prompts, menu } = state;
    const place = element("proposal");
    place.hidden = proposal === null && menu === null;
    if (menu !== null) {
      place.className = "proposal menu";
      const list = make("ol", "");
      list.append(...menu.items.map((item, index) => make("li", item, index === menu.chosen ? "chosen" : "")));
      place.replaceChildren(make("b", menu.title), list);
    } else if (proposal !== null) {
      place.className = "proposal";
      const percent = Math.round(proposal.probability * 100);
      place.replaceChildren(
        make("small", `Proposed, not counted yet · ${percent} %`),
        make("b", proposal.what + (proposal.doubtful ? " ?" : "")),
        make("span", proposal.follows ? `→ ${proposal.follows}` : ""),
      );
      if (state.waiting > 0) {
        place.append(make("em", `+${state.waiting} waiting`));
      }
    }
    place.append(...asks(prompts, proposal, place.hidden));
    const spoken = [prompts.ok && `OK: ${prompts.ok}`, prompts.fix && `FIX: ${prompts.fix}`];
    const detail = [prompts.detail, ...(place.hidden ? spoken : [])];
    element("headline").dataset.asks = detail.filter(Boolean).join("  ·  ");
  }

  showPlace(state) {
    const place = element("place");
    place.hidden = state.place.length === 0 && state.fetch.length === 0;
    const pile = make("span", "", "pile");
    pile.append(...state.place.map((kind) => picture(kind, 30)));
    const words = [];
    if (state.place.length > 0) {
      words.push(make("b", "To the jack spot"), pile, make("small", "bottom → top"));
    }
    if (state.fetch.length > 0) {
      const where = state.fetch.map((pocket) => pocket ?? "the floor").join(", ");
      words.push(make("span", `Striker in ${where}`));
    }
    place.replaceChildren(...words);
  }
}

function asks(prompts, proposal, hidden) {
  if (hidden) {
    return [];
  }
  const line = make("p", "", "asks");
  if (prompts.ok) {
    line.append(make("kbd", "OK", "ok"), `${prompts.ok}${proposal?.ends_board ? " (hold)" : ""} `);
  }
  if (prompts.fix) {
    line.append(make("kbd", "FIX", "fix"), prompts.fix);
  }
  return [line];
}

function sideRow(side, state, really) {
  const row = make("li", "", `side side-${side.side}`);
  row.classList.toggle("shoots", side.shoots);
  row.classList.toggle("won", state.winner === side.side);
  const name = side.names.filter(Boolean).join(" & ") || side.seats.join(" + ");
  const who = make("span", "", "who");
  who.append(make("b", side.letter, "letter"), make("span", name, "player"));
  if (side.shoots) {
    who.append(make("span", "to shoot", "visually-hidden"));
  }
  const count = make("span", String(side.pocketed), "count");
  count.ariaLabel = `${side.pocketed} in, ${side.left} left`;
  row.append(who, pips(side, state), count);
  if (side.owed > 0) {
    row.append(make("span", `owes ${side.owed}`, "owed"));
  }
  if (really !== undefined && really !== side.pocketed) {
    const open = ["falling", "review", "placing"].includes(state.phase);
    const words = open ? `really out of play: ${really}` : `≠ ${really} really out of play`;
    row.append(make("span", words, open ? "really" : "really wrong"));
  }
  return row;
}

/** Twelve places: filled for what is in, hatched for what is proposed to be in. */
function pips(side, state) {
  const total = side.pocketed + side.left;
  const departures = state.proposal?.departures ?? [];
  const proposed = departures.filter((one) => one.piece === side.side && !one.flew_off).length;
  const row = make("span", "", "pips");
  row.setAttribute("aria-hidden", "true");
  for (let place = 0; place < total; place += 1) {
    const maybe = place >= side.pocketed && place < side.pocketed + proposed;
    row.append(make("i", "", place < side.pocketed ? "in" : maybe ? "maybe" : ""));
  }
  return row;
}

function ruling(last) {
  if (last === null) {
    return [];
  }
  return [make("span", last.words), ...last.rows.map((row) => make("code", row))];
}

function fault({ what, remedy }) {
  const line = make("li", "");
  line.append(make("b", what), ` ${remedy}`);
  return line;
}

function make(tag, text, className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) {
    made.className = className;
  }
  return made;
}
