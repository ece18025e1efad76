// The browser's own voice: those of its voices that need no network, how fast, and which.

const KEPT = "jackspot-voice";
const USUAL_RATE = 0.9;
const LONGEST_MS = 20000;
const engine = window.speechSynthesis;
let saying = null; // some browsers forget, and never end, an utterance that nobody holds

/** Whether anything can be said at all. */
export function canSpeak() {
  return voices().length > 0;
}

/** The voices of a language, or all. */
export function voices(language = "") {
  return (engine?.getVoices() ?? []).filter((each) => each.localService && each.lang.replace("_", "-").toLowerCase().startsWith(language));
}

/** The voice that speaks a language: the one that was chosen, else the browser's first. */
export function voice(language) {
  const known = voices(language);
  return known.find(({ name }) => name === kept().voices?.[language]) ?? known.find((each) => each.default) ?? known[0];
}

/** Choose a voice by its name, for the page's language. */
export function chooseVoice(name) {
  const { lang } = document.documentElement;
  keep({ voices: { ...kept().voices, [lang]: name } });
}

/** How fast it speaks: 1 is a voice's own speed. */
export function rate() {
  return kept().rate ?? USUAL_RATE;
}

/** Choose how fast it speaks. */
export function chooseRate(speed) {
  keep({ rate: speed });
}

/** Be told when the browser has found its voices. */
export function whenVoicesChange(told) {
  engine?.addEventListener?.("voiceschanged", told);
}

/** Say a text instead of all else; `ended()` is called once it is over, not when it is cut short. */
export function speak(text, ended) {
  hush();
  const { lang } = document.documentElement;
  const said = new SpeechSynthesisUtterance(text);
  const mine = { said, timer: 0 };
  const end = () => {
    clearTimeout(mine.timer);
    if (saying === mine) {
      saying = null;
      ended();
    }
  };
  Object.assign(said, { voice: voice(lang), lang, rate: rate(), onend: end, onerror: end });
  mine.timer = setTimeout(end, LONGEST_MS); // an engine that hangs does not hold up the next call
  saying = mine;
  engine.speak(said);
}

/** Say nothing more. */
export function hush() {
  if (saying) {
    clearTimeout(saying.timer);
    saying = null;
  }
  engine?.cancel();
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

function keep(changes) {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...kept(), ...changes }));
  } catch {
    // A browser that keeps nothing speaks in its usual way again the next time.
  }
}
