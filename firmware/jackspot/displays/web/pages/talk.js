// What is asked at the board, for those who look on: proposals, what waits, questions, help.
//
// Nothing here counts yet, and all of it is dashed; what counts is drawn by spectator.js.

import { list, say } from "./words.js";

const KINDS = { waits: say("then"), parked: say("put aside"), hand: say("a hand"), kept: say("kept") };

const HELP = [
  [say("Pocket a piece"), say("A light beam in each pocket sees that something fell, and the board counts it.")],
  [say("OK: that is right"), say("FIX: no, look again.")],
  [say("Press a button"), say("It wakes the board, and does nothing else.")],
];

/** Show what is proposed, else what is asked, else nothing. */
export function showAsked(place, { proposal, menu, prompts }) {
  place.hidden = proposal === null && menu === null;
  place.classList.toggle("question", menu !== null);
  if (menu !== null) {
    place.replaceChildren(line("small", menu.question ? say("asked at the board") : say("in the menu")), line("b", menu.title));
  } else if (proposal !== null) {
    place.replaceChildren(
      line("small", say("proposed, not counted yet")),
      line("b", proposal.what + (proposal.doubtful ? " ?" : "")),
      line("span", proposal.follows),
      line("span", reasons(proposal), "why"),
    );
    if (prompts.detail && prompts.detail !== proposal.follows) {
      place.append(line("span", prompts.detail, "remark"));
    }
  }
}

function reasons({ why, missed }) {
  const unpressed = missed.length > 0 ? say("{seats} missed, nobody pressed", { seats: list(missed) }) : "";
  return [unpressed, why].filter(Boolean).join(" · ");
}

/** Show what waits behind it, in the order in which it will be asked. */
export function showQueue(place, { queue, waiting }) {
  const more = waiting - queue.length;
  place.hidden = queue.length === 0 && more <= 0;
  place.replaceChildren(
    ...queue.map(({ kind, what }) => {
      const item = line("li", "", kind);
      item.append(line("small", KINDS[kind]), ` ${what}`);
      return item;
    }),
  );
  if (more > 0) {
    place.append(line("li", say("+{n} waiting", { n: more })));
  }
}

/** Show a picture of help over everything while nobody plays. */
export function showHelp(place, { attract }) {
  place.hidden = attract === null;
  document.body.classList.toggle("asleep", attract !== null);
  if (attract !== null) {
    const [first, then] = HELP[attract % HELP.length];
    const dots = line("p", HELP.map((_, index) => (index === attract ? "●" : "○")).join(" "), "dots");
    dots.setAttribute("aria-hidden", "true");
    place.replaceChildren(line("h2", first), line("p", then), dots);
  }
}

function line(tag, text, className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) {
    made.className = className;
  }
  return made;
}
