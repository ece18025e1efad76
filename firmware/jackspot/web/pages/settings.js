// The page's own settings: language, theme, motion, and where the other forms of it are.

import { element, make } from "./dom.js";
import { isKiosk } from "./kiosk.js";
import { chooseLook, look, MOTIONS, THEMES } from "./look.js";
import { languageSwitch, say } from "./words.js";

const THEME_NAMES = {
  auto: say("as the device"),
  light: say("day"),
  dark: say("stage"),
  contrast: say("high contrast"),
  sun: say("in the sun"),
};
const MOTION_NAMES = { auto: say("as the device"), less: say("nothing moves") };

/** Fill the dialogue and let its button open it. */
export function offerSettings() {
  if (isKiosk) {
    return;
  }
  const dialog = element("settings");
  dialog.replaceChildren(
    make("h2", say("This page")),
    row(say("Language"), languageSwitch()),
    choice(say("Theme"), "theme", THEMES, THEME_NAMES),
    choice(say("Motion"), "motion", MOTIONS, MOTION_NAMES),
    links(),
    closing(),
  );
  element("open-settings").addEventListener("click", () => dialog.showModal());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

function row(name, control) {
  const made = make("div", "", "row");
  made.append(make("span", name, "row-name"), control);
  return made;
}

function choice(name, key, values, names) {
  const group = make("fieldset");
  group.append(make("legend", name));
  for (const value of values) {
    const label = make("label", "", "pick");
    const input = make("input");
    Object.assign(input, { type: "radio", name: key, value, checked: look()[key] === value });
    input.addEventListener("change", () => chooseLook({ [key]: value }));
    label.append(input, make("span", names[value]));
    group.append(label);
  }
  return group;
}

function links() {
  const made = make("p", "", "links");
  for (const [href, words] of [
    ["/matches", say("matches that were played")],
    ["/referee", say("for the referee")],
    ["/?kiosk", say("for an unattended screen")],
    ["/overlay", say("overlay for a stream")],
    ["/api", say("for programs")],
  ]) {
    const link = make("a", words);
    link.href = href;
    made.append(link);
  }
  return made;
}

function closing() {
  const form = make("form");
  form.method = "dialog";
  form.append(make("button", say("Close"), "close"));
  return form;
}
