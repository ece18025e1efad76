// What can be tapped above the buttons: the readings of what fell, or the lines of an open list.
//
// Nothing is decided here. A tap is a press that points at a line, and the board answers it as
// it answers its own buttons.

import { pressable, ring } from "./finger.js";
import { make } from "./make.js";
import { pieceName } from "./names.js";
import { percent } from "./percent.js";
import { piece } from "./pieces.js";
import { say } from "./words.js";

const SPREAD = "edit";

export class Lists {
  /** `send(button, gesture, ask, pointed)` presses, `tell(words)` says something on the page. */
  constructor(place, { send, tell }) {
    this.place = place;
    this.send = send;
    this.tell = tell;
    this.state = null;
    this.newest = null;
    this.shown = "";
    this.kind = "";
    this.open = null;
    this.chosen = 0;
  }

  /** Show what can be tapped now; while a line is pressed it all stays, or the finger would meet another. */
  show(state) {
    this.newest = state;
    if (this.place.querySelector(".down")) {
      return;
    }
    this.state = state;
    const { menu, proposal, readings } = state;
    const key = JSON.stringify([menu, menu === null ? [proposal, readings] : null, this.open]);
    if (key === this.shown) {
      return;
    }
    this.shown = key;
    if (menu?.kind !== this.kind) {
      this.kind = menu?.kind ?? "";
      this.open = null;
      this.place.closest(".asked").scrollTop = 0;
    }
    const focused = document.activeElement?.dataset?.key;
    this.place.replaceChildren(...(menu !== null ? this.menu(state) : this.proposed(state)));
    if (focused) {
      this.place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    }
    if (menu !== null && menu.chosen !== this.chosen) {
      this.place.querySelector(".marked")?.scrollIntoView({ block: "nearest" });
    }
    this.chosen = menu?.chosen ?? 0;
  }

  // --- readings -------------------------------------------------------------------------

  proposed(state) {
    const { proposal, readings } = state;
    if (proposal === null) {
      return [];
    }
    const listed = readings.some((reading) => same(reading, proposal));
    const head = make("div", "", "proposal");
    head.append(make("small", say("proposed, not counted yet")));
    if (!listed) {
      head.append(this.departures(proposal), make("span", proposal.why, "why"));
    }
    if (proposal.missed.length > 0) {
      head.append(make("span", say("{seats} missed before, nobody pressed", { seats: proposal.missed.join(", ") })));
    }
    if (proposal.before) {
      head.append(make("span", say("replaces the last confirmed stroke")));
    }
    const list = make("ol", "", "readings");
    list.setAttribute("aria-label", say("Possible readings"));
    list.append(...readings.map((reading, index) => this.reading(reading, index, proposal)));
    return [head, list];
  }

  departures(proposal) {
    const row = make("span", "", "departures");
    if (proposal.departures.length === 0) {
      row.append(make("span", proposal.what, "what"));
    }
    for (const { piece: kind, pocket, flew_off: off } of proposal.departures) {
      const one = make("span", "", "departure");
      const where = off ? say("off the board") : (pocket ?? "");
      one.append(piece(kind, "maybe"), make("span", `${pieceName(kind)} ${where}`.trim()));
      row.append(one);
    }
    return row;
  }

  reading(reading, index, proposal) {
    const shown = same(reading, proposal);
    const button = this.line(`reading ${index}`, "reading");
    button.setAttribute("aria-pressed", String(shown));
    button.style.setProperty("--share", `${reading.probability * 100}%`);
    button.append(
      shown ? this.departures(reading) : make("span", reading.what, "what"),
      make("span", percent(reading.probability), "share"),
      make("span", [reading.follows, reading.why].filter(Boolean).join(" · "), "why"),
    );
    this.press(button, this.point("fix", "short", { line: index }));
    return item(button);
  }

  // --- lists ----------------------------------------------------------------------------

  menu({ menu }) {
    if (menu.question) {
      return menu.items.length > 1 ? [] : [make("p", menu.items[0] ?? "", "answer")];
    }
    const list = make("ul", "", "lines");
    list.setAttribute("aria-label", menu.title);
    menu.items.forEach((label, index) => list.append(this.menuLine(label, menu, index)));
    return [list];
  }

  menuLine(label, menu, index) {
    const line = menu.lines[index];
    const made = document.createElement("li");
    if (line.typed) {
      made.append(this.typing(label, index));
    } else if (line.choices.length > 0) {
      made.append(...this.choosing(label, line, index, menu.kind === SPREAD || this.open === index));
    } else if (line.does_held) {
      made.append(this.counting(label, line, index));
    } else {
      made.append(this.plain(label, line, index));
    }
    made.classList.toggle("marked", index === menu.chosen);
    return made;
  }

  plain(label, line, index) {
    const button = this.line(`line ${index}`, line.held ? "line held" : "line");
    button.append(make("span", label, "what"));
    button.disabled = line.locked;
    const hold = this.point("ok", "hold", { line: index });
    if (line.held) {
      button.append(make("span", say("hold"), "does"), ring());
      this.press(button, (ask, by) => this.heldOnly(label, hold, ask, by), hold);
    } else {
      this.press(button, this.point("ok", "short", { line: index }), hold);
    }
    return button;
  }

  /** A short press where holding is meant; who cannot hold is asked once more instead. */
  heldOnly(label, hold, ask, by) {
    if (by !== "click") {
      this.tell(say("Hold it until the ring is full."));
    } else {
      const sure = document.getElementById("sure");
      document.getElementById("sure-what").textContent = say("{what}: really?", { what: label });
      sure.returnValue = "";
      sure.onclose = () => sure.returnValue === "yes" && hold(ask);
      sure.showModal();
    }
  }

  choosing(label, line, index, open) {
    const chips = make("div", "", "chips");
    chips.setAttribute("role", "group");
    chips.setAttribute("aria-label", label);
    line.choices.forEach((word, number) => {
      const chip = this.line(`line ${index} ${number}`, "chip");
      chip.textContent = word;
      chip.setAttribute("aria-pressed", String(number === line.chosen));
      this.press(chip, this.point("ok", "short", { line: index, choice: number }));
      chips.append(chip);
    });
    chips.hidden = !open;
    if (this.kind === SPREAD) {
      return [make("p", label, "what"), chips];
    }
    const button = this.line(`line ${index}`, "line opens");
    button.append(make("span", label, "what"));
    button.setAttribute("aria-expanded", String(open));
    button.addEventListener("click", () => {
      this.open = open ? null : index;
      this.show(this.newest);
    });
    return [button, chips];
  }

  /** A count: one more, one less. */
  counting(label, line, index) {
    const row = make("div", "", "counting");
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", label);
    const fewer = this.line(`line ${index} fewer`, "step");
    fewer.textContent = line.does_held;
    this.press(fewer, this.point("ok", "hold", { line: index }));
    const more = this.line(`line ${index} more`, "step");
    more.textContent = line.does;
    more.disabled = line.does === "";
    this.press(more, this.point("ok", "short", { line: index }));
    row.append(make("span", label, "what"), fewer, more);
    return row;
  }

  typing(label, index) {
    const form = make("form", "", "typing");
    const field = document.createElement("input");
    field.maxLength = 40;
    field.required = true;
    field.placeholder = label;
    field.setAttribute("aria-label", label);
    field.dataset.key = `line ${index}`;
    const save = make("button", say("Save"), "step");
    form.append(field, save);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send("ok", "short", this.state.ask, { line: index, text: field.value });
    });
    return form;
  }

  // --- what they share ------------------------------------------------------------------

  line(key, className) {
    const button = make("button", "", className);
    button.type = "button";
    button.dataset.key = key;
    return button;
  }

  /** What a tap is: a press that points, for the question that was shown when it began. */
  point(key, gesture, pointed) {
    return (ask) => this.send(key, gesture, ask, pointed);
  }

  press(button, press, hold = null) {
    pressable(button, { start: () => this.state.ask, press, hold, ended: () => this.show(this.newest) });
  }
}

function item(content) {
  const made = document.createElement("li");
  made.append(content);
  return made;
}

function same(reading, other) {
  return reading.what === other.what && reading.before === other.before && reading.seat === other.seat
    && reading.missed.join() === other.missed.join();
}
