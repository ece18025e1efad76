// What really happened, beside what the board makes of it. The board never sees this.

import { pieceName } from "/names.js";
import { list, say } from "/words.js";
import { make } from "./make.js";
import { picture } from "./palette.js";

const MANNERS = {
  clean: "",
  edge: say("on edge"),
  tumbling: say("tumbling"),
  double: say("all at once"),
  noisy: say("with noise"),
  stuck: say("stuck in the beam"),
  missed: say("beside the beam"),
  hand: say("a hand"),
};

export class Happened {
  constructor(place, log) {
    this.place = place;
    this.log = log;
    this.list = [];
    this.settled = 0;
    this.open = false;
  }

  /** Take the newest happenings, oldest first. */
  take(list) {
    this.list = list;
    this.log.replaceChildren(...list.map((one) => chip(one, "li")).reverse());
    this.show();
  }

  /** What happened before people settled everything is no longer news. */
  reflect(state) {
    const open = state.phase !== "ready" || state.waiting > 0;
    if (this.open && !open) {
      this.settled = this.list.at(-1)?.number ?? 0;
    }
    this.open = open;
    this.show();
  }

  show() {
    const news = this.list.filter(({ number }) => number > this.settled);
    this.place.hidden = news.length === 0;
    this.place.replaceChildren(make("span", say("Actually"), "truth-tag"), ...news.map((one) => chip(one, "span")));
  }
}

function chip({ pocket, pieces, manner }, tag) {
  const words = [pocket ?? say("off the board"), manner ? MANNERS[manner] : ""].filter(Boolean);
  const made = make(tag, "", "happened");
  made.append(...pieces.map((kind) => picture(kind, 18)));
  if (pieces.length > 0) {
    made.append(make("span", `${list(pieces.map(pieceName))} `, "visually-hidden"));
  }
  made.append(words.join(" · "));
  return made;
}
