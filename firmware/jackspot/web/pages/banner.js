// The event's name and logo above the score, where the board has them.

import { putOrHide } from "./dom.js";

/** Ask the board for them and show them. */
export async function showBanner(name, logo) {
  try {
    const { event, logo: path } = await (await fetch("/event.json", { cache: "no-cache" })).json();
    putOrHide(name, event);
    logo.hidden = path === "";
    if (path !== "" && logo.getAttribute("src") !== path) {
      logo.src = path;
    }
  } catch {
    // The board went away again; the next connection asks anew.
  }
}
