// What the board knows and what it only proposes, in words and drawn pieces.
//
// What is confirmed is solid. What is proposed is dashed, striped and says so: the two never
// look alike, here or on any other page.

import { clockFrom, left, minutes } from "/clock.js";
import { phaseName } from "/names.js";
import { list as listed, say } from "/words.js";
import { showFree } from "./free.js";
import { make } from "./make.js";
import { picture } from "./palette.js";
import { showQueue } from "./queue.js";
import { asks, showProposal } from "./readings.js";
import { sideRow } from "./sides.js";
import { outOfPlay } from "./truth.js";

const element = (id) => document.getElementById(id);

export class Belief {
  constructor() {
    this.clock = null;
    setInterval(() => this.showClock(), 200);
  }

  /** `truth` is what lies where: a striker that a hand has taken is asked for no more. */
  show(state, speed, truth = null) {
    const really = truth && outOfPlay(truth);
    this.clock = clockFrom(state, speed);
    this.showClock();
    element("phase").textContent = phaseName(state.phase);
    element("phase").dataset.phase = state.phase;
    element("which").textContent = which(state);
    showFree(element("free"), state.free);
    element("sides").hidden = state.free !== null;
    element("sides").replaceChildren(...state.sides.map((side) => sideRow(side, state, truly(side, really))));
    this.showQuestion(state);
    showQueue(element("queue"), state);
    this.showPlace(state, truth);
    element("attract").hidden = state.attract === null;
    element("attract").textContent = state.attract === null ? ""
      : say("Asleep (help {n} of 3). Press any button to wake.", { n: state.attract + 1 });
    element("ruling").replaceChildren(...ruling(state.last));
    element("faults").replaceChildren(...state.faults.map(fault), ...byHand(state.by_hand));
  }

  /** The newest lines of the record, each in a row that stays where it is: nothing moves. */
  showWritten(lines) {
    const rows = [...element("written").querySelectorAll("code")];
    for (const [index, row] of rows.entries()) {
      row.textContent = lines[index - rows.length + lines.length] ?? "";
    }
  }

  showClock() {
    const clock = this.clock;
    const shown = clock !== null && clock.limit_ms > 0;
    element("clock").hidden = !shown;
    if (shown) {
      element("clock").textContent = minutes(left(clock)) + (clock.armed ? ` ${say("armed")}` : "");
      element("clock").classList.toggle("stopped", !clock.running);
    }
  }

  /** A list or question that is open, else the proposal, else the headline. */
  showQuestion(state) {
    const { proposal, prompts, menu } = state;
    const place = element("proposal");
    place.hidden = proposal === null && menu === null;
    element("headline").hidden = proposal !== null && menu === null;
    element("headline").textContent = prompts.headline;
    if (menu !== null) {
      showMenu(place, state);
    } else if (proposal !== null) {
      place.className = "proposal";
      showProposal(place, state);
    } else {
      place.replaceChildren();
    }
    const spoken = [prompts.ok && `OK: ${prompts.ok}`, prompts.fix && `FIX: ${prompts.fix}`];
    const hints = state.hints.filter((hint) => !prompts.detail.includes(hint));
    const detail = [prompts.detail, ...hints, ...(place.hidden ? spoken : [])];
    element("headline").dataset.asks = detail.filter(Boolean).join("  ·  ");
  }

  showPlace(state, truth) {
    const place = element("place");
    const fetch = state.fetch.filter((pocket) => truth === null || lies(truth, pocket));
    place.hidden = state.place.length === 0 && fetch.length === 0;
    const words = [];
    const stacked = state.centre_piece.piece === "jack";
    for (const { pieces, by, where } of state.placing) {
      const pile = make("span", "", stacked ? "pile" : "loose");
      pile.append(...pieces.map((kind) => picture(kind, 30)));
      words.push(make("b", by ? `${by}: ${where}` : where), pile);
      if (stacked) {
        words.push(make("small", say("bottom → top")));
      }
    }
    if (fetch.length > 0) {
      const where = listed(fetch.map((pocket) => pocket ?? say("the floor")));
      words.push(make("span", say("Striker in {pockets}", { pockets: where })));
    }
    place.replaceChildren(...words);
  }
}

/** Whether a striker still lies in a pocket; null: on the floor. */
function lies(truth, pocket) {
  return ((pocket === null ? truth.on_floor : truth.in_pockets[pocket])?.striker ?? 0) > 0;
}

/** How many of a side's pieces are truly out of play; nothing where sides own none. */
function truly(side, really) {
  return really === null || side.pieces.length !== 1 ? undefined : (really[side.pieces[0]] ?? 0);
}

/** Which board or game of the match is played; nothing in a match of one board. */
function which({ game, board_number, best_of, shot }) {
  const words = [];
  if (game !== null) {
    words.push(best_of > 1
      ? say("game {number} of {best_of}, board {board}", { number: game.number, best_of, board: game.board })
      : say("board {board}", { board: game.board }));
  } else if (best_of > 1) {
    words.push(say("board {board} of {best_of}", { board: board_number, best_of }));
  }
  if (shot !== null) {
    words.push(say("shot {n} s", { n: Math.ceil(shot.remaining_ns / 1e9) }));
  }
  return words.join(" · ");
}

/** A list with the chosen item marked; of a question what is not said beside it anyway. */
function showMenu(place, { menu, prompts, queue }) {
  place.className = menu.question ? "proposal menu question" : "proposal menu";
  const list = make("ol", "");
  const elsewhere = menu.question ? [prompts.ok, prompts.fix, ...queue.map(({ what }) => what)] : [];
  menu.items.forEach((item, index) => {
    if (!elsewhere.includes(item)) {
      list.append(make("li", item, !menu.question && index === menu.chosen ? "chosen" : ""));
    }
  });
  place.replaceChildren(make("b", menu.title), list);
  place.append(...asks(prompts));
}

function ruling(last) {
  if (last === null) {
    return [];
  }
  return [make("span", last.words), ...last.rows.map((row) => make("code", row))];
}

function fault({ what, remedy }) {
  const line = make("li", "", "fault");
  line.append(make("b", what), ` ${remedy}`);
  return line;
}

function byHand(pockets) {
  return pockets.length === 0 ? [] : [make("li", say("{pockets} manual", { pockets: listed(pockets) }), "by-hand")];
}
