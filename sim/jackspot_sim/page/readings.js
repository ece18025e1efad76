// What is proposed: the reading that is shown, why, and the other ways to understand it.
//
// A bar is as long as its reading is likely. Everything here is dashed: nothing of it counts.

import { percent } from "/percent.js";
import { list as listed, say } from "/words.js";
import { make } from "./make.js";

/** So many readings are told at once. */
const SHOWN = 3;
/** Whether somebody wants to see all; kept while proposals come and go. */
let opened = false;

/** Fill the box of the proposal. */
export function showProposal(place, { proposal, readings, prompts }) {
  const head = make("div", "", "proposal-head");
  head.append(make("small", `${say("Proposed, not counted yet")} · ${percent(proposal.probability)}`), ...asks(prompts));
  const said = make("div", "", "proposal-said");
  said.append(
    make("b", proposal.what + (proposal.doubtful ? " ?" : "")),
    make("span", proposal.follows ? `→ ${proposal.follows}` : ""),
  );
  place.replaceChildren(head, said);
  if (proposal.missed.length > 0) {
    place.append(make("span", say("{seats} missed before, nobody pressed", { seats: listed(proposal.missed) }), "aside"));
  }
  if (proposal.before) {
    place.append(make("span", say("It would replace the last confirmed stroke"), "aside"));
  }
  if (prompts.detail && prompts.detail !== proposal.follows) {
    place.append(make("span", prompts.detail, "aside remark"));
  }
  place.append(make("span", proposal.why, "why"));
  if (readings.length > 1) {
    place.append(...alternatives(proposal, readings));
  }
}

/** What OK and FIX do now, as the buttons look. */
export function asks(prompts) {
  const line = make("p", "", "asks");
  if (prompts.ok) {
    line.append(make("kbd", "OK", "ok"), prompts.ok);
  }
  if (prompts.fix) {
    line.append(make("kbd", "FIX", "fix"), prompts.fix);
  }
  return line.childNodes.length > 0 ? [line] : [];
}

/** The other readings, the likeliest first: three, with the one that is shown; more on demand. */
function alternatives(proposal, readings) {
  const shown = readings.find((reading) => same(reading, proposal));
  const ranked = readings.toSorted((a, b) => b.probability - a.probability);
  const first = ranked.slice(0, SHOWN);
  if (shown !== undefined && !first.includes(shown)) {
    first[SHOWN - 1] = shown;
  }
  const rest = ranked.filter((reading) => !first.includes(reading));
  const lists = [rows(first, shown, proposal)];
  if (rest.length > 0) {
    const more = make("details", "", "more-readings");
    more.open = opened;
    more.addEventListener("toggle", () => {
      opened = more.open;
    });
    more.append(make("summary", say("{n} more", { n: rest.length })), rows(rest, shown, proposal));
    lists.push(more);
  }
  return lists;
}

function rows(readings, shown, proposal) {
  const list = make("ol", "", "readings");
  list.ariaLabel = say("Possible readings");
  readings.forEach((reading) => {
    const row = make("li", "", reading === shown ? "reading shown" : "reading");
    if (reading === shown) {
      row.setAttribute("aria-current", "true");
    }
    row.style.setProperty("--share", `${reading.probability * 100}%`);
    row.append(make("span", reading.what, "what"), make("span", percent(reading.probability), "share"));
    if (reading.why !== proposal.why) {
      row.append(make("span", reading.why, "why"));
    }
    list.append(row);
  });
  return list;
}

function same(reading, other) {
  return reading.what === other.what && reading.before === other.before && reading.seat === other.seat
    && reading.missed.join() === other.missed.join();
}
