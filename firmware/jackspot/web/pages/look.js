// How a page looks: its theme and whether things move, from the address or the browser's memory.
//
// `?theme=dark` and `?motion=less` count before what was chosen in the page; what is chosen is
// remembered by the browser. Nothing chosen: as the device has it. Loaded before the first
// picture is drawn, so a page never flashes up in another theme; it says nothing, and so needs
// no words.

export const THEMES = ["auto", "light", "dark", "contrast", "sun"];
export const MOTIONS = ["auto", "less"];
const KEPT = "jackspot-look";

/** What is chosen: `{ theme, motion }`. */
export function look() {
  const asked = new URLSearchParams(location.search);
  const kept = remembered();
  return {
    theme: [asked.get("theme"), kept.theme].find((one) => THEMES.includes(one)) ?? "auto",
    motion: [asked.get("motion"), kept.motion].find((one) => MOTIONS.includes(one)) ?? "auto",
  };
}

/** Choose, remember and show; an address that said otherwise no longer does. */
export function chooseLook(changes) {
  const chosen = { ...look(), ...changes };
  try {
    localStorage.setItem(KEPT, JSON.stringify(chosen));
  } catch {
    // A browser that keeps nothing shows it until the page is closed.
  }
  const address = new URL(location.href);
  Object.keys(changes).forEach((key) => address.searchParams.delete(key));
  history.replaceState(null, "", address);
  show(chosen);
}

function show({ theme, motion }) {
  const { dataset } = document.documentElement;
  if (theme === "auto") {
    delete dataset.theme;
  } else {
    dataset.theme = theme;
  }
  if (motion === "auto") {
    delete dataset.motion;
  } else {
    dataset.motion = motion;
  }
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

show(look());
