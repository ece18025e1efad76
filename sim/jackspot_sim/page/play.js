// Playing: whose striker it is, how it is aimed, what is to be done next, in words.

import { pieceName } from "/names.js";
import { say } from "/words.js";
import { Aim, Pull } from "./aim.js";
import { AimDrawing } from "./aim_drawing.js";
import { act } from "./post.js";
import { Players } from "./players.js";
import { PutBack } from "./put_back.js";
import { rightwards, seatName } from "./seats.js";
import { TheirAim } from "./their_aim.js";

const element = (id) => document.getElementById(id);
const DEGREES = 180 / Math.PI;
const WIDEST_DEGREES = 100;
/** The turns of the table at which people have the striker, or may take it up. */
const BY_PERSON = ["person_aims", "person_shot"];
/** Where the arrow keys move a slider. */
const ARROWS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

export class Play {
  /**
   * `point` turns an event into millimetres on the board; `animate` draws it again; `sitDown`
   * begins a match with other seats.
   */
  constructor({ point, animate, sitDown }) {
    this.aim = new Aim();
    this.theirs = new TheirAim();
    this.drawing = new AimDrawing(element("aim"), { grip: element("grip"), rail: element("rail") });
    this.putBack = new PutBack(element("put-tray"), point);
    this.animate = animate;
    /** The question during which somebody took the striker up though it is not settled. */
    this.taken = null;
    this.away = false;
    /** Whether a hand is on its way to the pocket in which the striker lies. */
    this.fetching = false;
    this.seat = null;
    this.turn = null;
    this.words = "";
    this.aim.watch(() => this.show());
    this.aim.take = () => this.take();
    this.pull = new Pull(this.aim, { grip: element("grip"), rail: element("rail"), point, shoot: () => this.shoot() });
    element("place-at").addEventListener("input", ({ target }) => {
      this.byHand(() => this.aim.place(Number(target.value) * rightwards(this.aim.seat)));
    });
    element("place-at").addEventListener("keydown", (event) => {
      const step = ARROWS[event.key];
      const hop = step && this.aim.hop(step * rightwards(this.aim.seat));
      if (hop !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        this.byHand(() => this.aim.place(...hop));
      }
    });
    element("depth").addEventListener("input", ({ target }) => {
      this.byHand(() => this.aim.place(this.aim.along, Number(target.value)));
    });
    element("turn-to").addEventListener("input", ({ target }) => {
      this.byHand(() => this.aim.set({ turn: (Number(target.value) * rightwards(this.aim.seat)) / DEGREES }));
    });
    element("power").addEventListener("input", ({ target }) => {
      this.byHand(() => this.aim.set({ power: Number(target.value) / 100 }));
    });
    this.players = new Players(element("players"), sitDown);
    element("shoot").addEventListener("click", () => this.shoot());
  }

  /** Take what is known now: the board's live state, the table, the pieces where they lie. */
  reflect({ state, table, truth, board, lying, on }) {
    this.state = state;
    this.lying = lying;
    this.aim.use(board, table.placing);
    this.aim.standing = lying.standing;
    this.theirs.reflect(table.aim, { board, placing: table.placing, standing: lying.standing });
    const { phase, ask, turn } = state;
    const playing = state.free !== null || !["setup", "board_over", "match_over"].includes(phase);
    this.players.reflect(state, table);
    const may = on && BY_PERSON.includes(table.turn) && !lying.running;
    this.seat = turn ?? this.seat ?? "S";
    const shooting = state.sides.find(({ seats }) => seats.includes(turn));
    this.turn = playing && state.free === null && shooting ? { seat: turn, side: shooting.side } : null;
    this.aim.offered = may;
    if (may && this.aim.ready && (this.pull.pointer !== null || this.aim.power > 0)) {
      this.taken = ask; // what falls meanwhile takes nobody's striker out of the hand
    }
    const away = strikerAway(truth);
    this.fetching &&= away;
    this.away = away && !this.fetching;
    this.aim.ready = may && !this.away && (table.turn === "person_aims" || this.taken === ask);
    if (!this.aim.ready && this.aim.power > 0) {
      [this.aim.power, this.aim.pulled] = [0, null];
    }
    this.giveTo(may ? this.seat : null);
    this.putBack.reflect(state, truth, table, lying.running);
    this.words = this.advice(table);
    element("box").classList.toggle("next", this.words.includes("OK") && !["review", "placing"].includes(phase));
    this.show();
  }

  /** Give a seat the striker, or nobody (null): whoever held another one lets it go. */
  giveTo(seat) {
    if (seat !== this.aim.seat) {
      this.pull.pointer = null;
    }
    this.aim.give(seat);
  }

  /** Where the striker is that somebody holds; null where nobody does. */
  get striker() {
    const { aim } = this.theirs.active ? this.theirs : this;
    return aim.ready && aim.seat !== null ? aim.at : null;
  }

  /** Move the hand of a computer player that aims; whether it moves on. */
  advance(now) {
    const moves = this.theirs.advance(now);
    if (this.theirs.active) {
      this.draw();
    }
    return moves;
  }

  draw() {
    this.drawing.show(this.theirs.active ? this.theirs.aim : this.aim, this.putBack.goal);
  }

  /** Take the striker up: out of its pocket, or though the stroke before is not settled. */
  take() {
    if (this.away) {
      this.away = false;
      this.fetching = true;
      act("fetch");
    }
    this.taken = this.state.ask;
    this.aim.ready = this.aim.offered;
    this.animate();
  }

  byHand(change) {
    if (!this.aim.offered) {
      return;
    }
    if (!this.aim.ready) {
      this.take();
    }
    change();
  }

  async shoot() {
    const { aim } = this;
    if (aim.mayShoot) {
      const { flick } = aim;
      aim.cancel();
      await act("flick", flick);
    }
  }

  /** A shot begins: the striker is out of everybody's hands. */
  begun() {
    this.taken = null;
  }

  show() {
    const { aim } = this;
    if (aim.board === null) {
      return;
    }
    this.draw();
    this.drawing.showTurn(aim.board, this.turn, this.lying.area.seat, this.lying.forbidden);
    const shown = aim.offered && aim.seat !== null;
    for (const id of ["place-at", "depth", "turn-to", "power"]) {
      element(id).disabled = !shown;
    }
    element("shoot").disabled = !aim.mayShoot;
    if (shown) {
      this.showSliders();
    }
    element("aim-said").textContent = aim.power > 0 ? this.said() : "";
    element("power-bar").style.setProperty("--power", `${aim.power * 100}%`);
    element("play-note").textContent = (shown && aim.ready && this.warning()) || this.words;
    this.animate();
  }

  /** What is wrong with where the striker stands, if anything is. */
  warning() {
    const { blocked, legal, placing } = this.aim;
    if (blocked) {
      return say("A piece lies there ({piece}): place the striker beside it.", { piece: pieceName(blocked.kind) });
    }
    if (legal) {
      return "";
    }
    return placing.tee
      ? say("By the rules the first shot is made from the tee spot.")
      : say("By the rules the striker does not stand here: it belongs on the line.");
  }

  said() {
    const { power, seat, speed_mm_s, turn } = this.aim;
    const speed = say("{n} m/s", { n: speed_mm_s / 1000 });
    return `${Math.round(power * 100)} % · ${speed} · ${degrees(turn * rightwards(seat))}`;
  }

  showSliders() {
    const { aim } = this;
    const right = rightwards(aim.seat);
    const reach = Math.max(aim.placing.along_mm, ...aim.placing.spots.map(([along]) => along));
    const place = element("place-at");
    [place.min, place.max, place.value] = [-reach, reach, aim.along * right];
    place.setAttribute("aria-valuetext", beside(aim.along * right));
    const [least, usual, most] = aim.placing.out_mm;
    Object.assign(element("depth"), { min: least, max: most, value: aim.out });
    element("depth").setAttribute("aria-valuetext", before(usual - aim.out));
    const turned = Math.max(-WIDEST_DEGREES, Math.min(aim.turn * DEGREES, WIDEST_DEGREES));
    element("turn-to").value = turned * right;
    element("turn-to").setAttribute("aria-valuetext", degrees(aim.turn * right));
    element("power").value = aim.power * 100;
    element("power").setAttribute("aria-valuetext", `${Math.round(aim.power * 100)} %`);
    element("aims").setAttribute("aria-label", say("Striker of {seat}", { seat: seatName(aim.seat) }));
  }

  /** What there is to do now. */
  advice({ showing, powered, placing, turn, called }) {
    const { state, lying, aim } = this;
    if (!powered) {
      return say("The power is off.");
    }
    if (showing) {
      return "";
    }
    if (lying.running) {
      return say("Pieces are moving…");
    }
    const advice = {
      setup: say("OK starts the match."),
      falling: say("A beam was broken: the board counts."),
      review: say("Is that right? OK confirms it, FIX shows the next reading."),
      placing: say("Drag these to the middle, the lowest first. Then OK."),
      paused: say("The match is paused: OK goes on."),
      board_over: say("OK goes on."),
      match_over: say("Press New match to play again."),
    }[state.phase];
    if (state.attract !== null) {
      return say("Press any button");
    }
    if (advice && state.free === null) {
      return advice;
    }
    if (turn === "computer_aims") {
      return called
        ? say("The computer is aiming: the jack into {pocket}.", { pocket: called })
        : say("The computer is aiming.");
    }
    if (turn === "computer_shot") {
      return say("The computer has shot. If nothing fell, OK ends the stroke.");
    }
    if (document.body.dataset.mode === "how") {
      return say("Choose what falls, then click a pocket.");
    }
    if (turn === "person_aims" && this.away) {
      return say("The striker is in a pocket: pick it up.");
    }
    if (turn === "person_shot" && !aim.ready) {
      return say("If nothing fell, OK ends the stroke.");
    }
    return placing.tee
      ? say("First shot: from the tee spot. Pull it back and let go.")
      : say("Place the striker on the line. Pull it back and let go.");
  }
}

/** Whether the striker lies in a pocket or on the floor. */
function strikerAway({ in_pockets, on_floor }) {
  return [...Object.values(in_pockets), on_floor].some(({ striker }) => striker > 0);
}

function degrees(turn) {
  const whole = Math.round(turn * DEGREES);
  if (whole === 0) {
    return say("straight");
  }
  return whole > 0 ? say("{n}° right", { n: whole }) : say("{n}° left", { n: -whole });
}

function before(mm) {
  const whole = Math.round(mm);
  if (whole === 0) {
    return say("on the line");
  }
  return whole > 0 ? say("{n} mm before the line", { n: whole }) : say("{n} mm behind the line", { n: -whole });
}

function beside(along) {
  const whole = Math.round(along);
  if (whole === 0) {
    return say("the middle of the line");
  }
  return whole > 0
    ? say("{n} mm right of the middle", { n: whole })
    : say("{n} mm left of the middle", { n: -whole });
}
