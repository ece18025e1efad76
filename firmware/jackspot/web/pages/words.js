// The words of every page, in the reader's language.
//
// Which language: `?lang=de` in the address, else the one chosen with the switch, else the
// first of the browser's that the board speaks, else the board's own. A module that imports
// this one is run when the words are there, so sentences may stand in its constants.
//
// A page with sentences that the board itself has not names where all of them are:
// `<html data-words="/sim/words">`.
//
// Sentences are found by a tool: say() takes its sentence in double quotes, and an element of
// the page is marked with `data-say`. What varies stands in {blanks}.

const CHOSEN = "jackspot-language";
const PATIENCE_MS = 5000;
const PAUSE_MS = 1000;
const ENGLISH = { language: "en", languages: { en: "English" }, letters: {}, systems: {}, plural: {}, words: {} };

// What is pressed while a page cannot answer yet would be lost without a word: until the modules
// that wait for the words have run, nothing on it can be pressed.
document.body.inert = true;
const catalogue = await load();
setTimeout(() => {
  document.body.inert = false;
});

/** The language that is spoken, as in `<html lang>`. */
export const language = catalogue.language;

/** What stands on the discs of pieces and sides, as on every display of that language. */
export const letters = catalogue.letters;

/** What pages must know of each rule system: its `name`; whether it has a `jack`; whether a match is counted
 * in `points`, and a board only once it is over (`late`). */
export const systems = catalogue.systems;

/** The languages that there are, each named in itself, by code. */
export const languages = catalogue.languages;

/** How the reader writes dates: the browser's own way of that language (`en-GB`), else its usual one. */
export const locale = navigator.languages.find((one) => one.split("-")[0] === language) ?? language;

const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const plurals = new Intl.PluralRules(language);

document.documentElement.lang = language;
document.fonts.addEventListener("loadingdone", setAnew);

/**
 * Have all text set anew, since the board's own font has come.
 *
 * Chromium leaves boxes in some of what it had set before, above all where the font came from
 * its cache.
 */
function setAnew() {
  document.documentElement.classList.add("lettered");
}

/** Say an English sentence in the reader's language, its {blanks} filled. */
export function say(sentence, blanks = {}) {
  return fill(translated(sentence), blanks);
}

/** Say how many: the form that goes with `count`, which fills the blank {n}. */
export function sayCount(one, many, count, blanks = {}) {
  const form = catalogue.words[one]?.[catalogue.plural[plurals.select(count)]];
  return fill(form ?? (count === 1 ? one : many), { n: count, ...blanks });
}

/** Why a request came to nothing, by its answer (null: there is none): the server's own words are for programs. */
export function refusal(answer) {
  if (answer === null) {
    return say("The board does not answer.");
  }
  return answer.status === 429 ? say("Too much at once. Wait a moment.") : say("The board cannot do that now.");
}

/** Write a list: "red, red, jack". */
export function list(words) {
  return words.join(language === "ja" ? "、" : ", ");
}

function translated(sentence) {
  return catalogue.words[sentence] ?? sentence;
}

function fill(text, blanks) {
  return text.replace(/\{(\w+)\}/g, (blank, name) => {
    const value = blanks[name] ?? blank;
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

/**
 * Translate what is marked in the page: `data-say` an element's text, `data-say="aria-label"`
 * that attribute, `data-say="text title"` both. In the page it stands in English.
 */
export function fillWords(root = document) {
  for (const element of root.querySelectorAll("[data-say]")) {
    for (const what of (element.dataset.say || "text").split(/\s+/)) {
      if (what === "text") {
        element.textContent = translated(element.textContent.trim().replace(/\s+/g, " "));
      } else {
        element.setAttribute(what, translated(element.getAttribute(what)));
      }
    }
    element.removeAttribute("data-say");
  }
}

/** The same address, asking the board for its own sentences in the reader's language. */
export function inLanguage(url) {
  return `${url}${url.includes("?") ? "&" : "?"}lang=${language}`;
}

/** A signal that ends a request after so long, also in browsers that have no such signal yet. */
export function patience(ms) {
  if (AbortSignal.timeout) {
    return AbortSignal.timeout(ms);
  }
  const ending = new AbortController();
  setTimeout(() => ending.abort(), ms);
  return ending.signal;
}

/** A switch of languages, each named in itself; what is chosen is remembered by the browser. */
export function languageSwitch() {
  const select = document.createElement("select");
  select.className = "language";
  select.setAttribute("aria-label", say("Language"));
  for (const [code, name] of Object.entries(languages)) {
    const option = new Option(name, code, code === language, code === language);
    option.lang = code;
    select.append(option);
  }
  select.addEventListener("change", () => choose(select.value));
  return select;
}

function choose(code) {
  const address = new URL(location.href);
  try {
    localStorage.setItem(CHOSEN, code);
    address.searchParams.delete("lang");
  } catch {
    // In a browser that keeps nothing the address says it.
    address.searchParams.set("lang", code);
  }
  // An address that is the same but for what stands behind # is not loaded anew.
  if (address.href === location.href) {
    location.reload();
  } else {
    location.replace(address);
  }
}

function preferred() {
  const asked = new URLSearchParams(location.search).get("lang");
  let chosen = null;
  try {
    chosen = localStorage.getItem(CHOSEN);
  } catch {
    // A browser that keeps nothing remembers no choice.
  }
  return [asked, chosen, ...navigator.languages].filter(Boolean);
}

async function load() {
  const place = document.documentElement.dataset.words ?? "/api/words";
  const url = `${place}?prefer=${encodeURIComponent(preferred().join(","))}`;
  // Nobody reloads a screen that nobody attends: it waits for its words.
  const waits = new URLSearchParams(location.search).has("kiosk");
  const begunMs = performance.now();
  for (;;) {
    const found = await ask(url);
    if (found !== null || (!waits && performance.now() - begunMs > PATIENCE_MS)) {
      return found ?? ENGLISH;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE_MS);
    });
  }
}

async function ask(url) {
  try {
    const answer = await fetch(url, { signal: patience(PATIENCE_MS) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
