// The card in the middle of the board: how to begin, how to wake it, who has won.

import { language, say } from "/words.js";
import { make } from "./make.js";
import { act } from "./post.js";

const PIECES = 28;
const element = (id) => document.getElementById(id);

export class Stage {
  /** `buttons` press the board's own; the card is not in the way of hands that reach in. */
  constructor(buttons) {
    this.kind = "";
    element("stage-language").textContent = say("Let the board speak English too");
    this.card = element("stage");
    this.button = element("stage-ok");
    this.name("start");
    this.button.addEventListener("pointerdown", (event) => {
      if (this.wire) {
        buttons.pointerDown(event, this.wire);
      }
    });
    element("stage-show").addEventListener("click", () => act("show", { running: true }));
    element("stage-language").addEventListener("click", () => act("new", { language }));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      this.button.addEventListener(end, ({ pointerId }) => buttons.letGo(`pointer ${pointerId}`));
    }
    this.button.addEventListener("click", ({ detail }) => {
      if (this.kind === "over") {
        act("new");
      } else if (detail === 0) {
        act("button", { wire: this.wire, down: true });
        setTimeout(() => act("button", { wire: this.wire, down: false }), 100);
      }
    });
  }

  name(kind) {
    const names = { start: say("Start: press OK"), asleep: say("Press any button"), over: say("Play again") };
    this.button.textContent = names[kind] ?? this.button.textContent;
  }

  reflect(state, { language: spoken, wires, showing, powered }, free) {
    const asleep = state.attract !== null;
    const over = state.phase === "match_over";
    const kind = !free || !powered || state.free !== null || state.menu !== null ? ""
      : over ? "over" : asleep ? "asleep" : state.phase === "setup" && !showing ? "start" : "";
    this.wire = kind === "start" || kind === "asleep"
      ? wires.find((wire) => wire === "referee_ok") ?? wires.find((wire) => wire.endsWith("_ok")) : null;
    this.card.hidden = kind === "";
    element("stage-show").hidden = kind !== "start" && kind !== "asleep";
    element("stage-language").hidden = kind !== "start" || spoken === language;
    if (kind === this.kind) {
      return;
    }
    this.kind = kind;
    this.card.dataset.kind = kind;
    const winner = over ? state.sides.find(({ side }) => side === state.winner) : undefined;
    element("stage-words").hidden = !over;
    element("stage-words").textContent = !over ? ""
      : winner ? say("{name} wins!", { name: named(winner) }) : say("The match is over.");
    element("stage-words").className = winner ? `side-${winner.side}` : "";
    this.name(kind);
    element("burst").replaceChildren(...(winner ? confetti(winner) : []));
  }
}

function named({ names, name }) {
  const words = names.filter(Boolean).join(" & ") || name;
  return words[0].toUpperCase() + words.slice(1);
}

/** The winner's pieces, thrown up once. */
function confetti({ side }) {
  return Array.from({ length: PIECES }, (_, index) => {
    const piece = make("i", "", index % 3 ? `side-${side}` : "gold");
    piece.style.setProperty("--way", `${(index * 137.5) % 360}deg`);
    piece.style.setProperty("--far", `${26 + ((index * 53) % 30)}cqmin`);
    piece.style.setProperty("--late", `${(index % 7) * 0.07}s`);
    return piece;
  });
}
