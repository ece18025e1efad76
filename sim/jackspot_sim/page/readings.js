// What is proposed: the reading that is shown, why, and the other ways to understand it.
//
// A bar is as long as its reading is likely. Everything here is dashed: nothing of it counts.

import { percent } from "/percent.js";
import { list as listed, say } from "/words.js";
import { make } from "./make.js";

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
    place.append(alternatives(proposal, readings));
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

function alternatives(proposal, readings) {
  const list = make("ol", "", "readings");
  list.ariaLabel = say("Possible readings");
  const shown = readings.findIndex((reading) => same(reading, proposal));
  readings.forEach((reading, index) => {
    const row = make("li", "", index === shown ? "reading shown" : "reading");
    if (index === shown) {
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
