// People and classes: who has come, who is new, who plays in what; draws; the last steps and their undo.

import { element, make, put, putOrHide, renew } from "/dom.js";
import { fillWords, language, list, locale, say, sayCount } from "/words.js";
import { act, begin, refuse, wouldChange } from "./asking.js";
import { contests, parts } from "./parts.js";
import { matchTitle, plain, progress, resultOf } from "./told.js";

const MOST_LISTED = 80;
const STEPS = 60;
let shown = 0;
let leaving = { contest: "", changes: "" };
let drawing = "";  // the class that is about to be drawn, ...
let groups = "";  // ... and in how many groups, as it is typed
let merging = "";
let reach = STEPS;  // so many steps are shown,
let older = [];  // the newest first, where they are more than the hub sends by itself,
let lookedUp = null;  // which was then this
let undoing = { seq: 0, changes: "" };  // the step that is about to be taken back, and what comes of it
let shared = new Set();  // names that more than one person has

fillWords();
element("newspaper").search = `?lang=${language}`;
const LISTED = { all: say("all"), missing: say("not here"), there: say("here") };
for (const [value, text] of Object.entries(LISTED)) {
  element("which").append(new Option(text, value));
}
element("search").addEventListener("input", draw);
element("which").addEventListener("change", draw);

function draw() {
  const event = parts.get("event");
  if (!event || !parts.has("people")) {
    return;
  }
  put(element("event"), event.name);
  document.title = say("People: {event}", { event: event.name });
  put(element("far"), contests().map((contest) => `${contest.title} ${progress(contest)}`).join("   "));
  const all = parts.get("people");
  const sorted = all.map(({ name }) => name).sort();
  shared = new Set(sorted.filter((name, at) => name === sorted[at + 1]));
  const there = all.filter((person) => person.there).length;
  put(element("count"), sayCount("{there} of {n} person is here", "{there} of {n} people are here", all.length, { there }));
  renew(element("people"), listed(all).slice(0, MOST_LISTED).map(row));
  renew(element("classes"), parts.get("classes").map(classOf));
  drawSteps();
  drawChoices();
  drawPerson();
}

// --- people ----------------------------------------------------------------------------------

function listed(all) {
  const wanted = plain(element("search").value);
  const which = element("which").value;
  return all.filter((person) => plain(`${person.name} ${person.kana} ${person.club} ${person.n}`).includes(wanted)
    && (which === "all" || person.there === (which === "there")))
    .sort((one, other) => one.name.localeCompare(other.name, locale));
}

function row(person) {
  const item = make("li", "", "tick-row");
  const tick = make("button", person.there ? "✓" : "", `tick ${person.there ? "is-there" : ""}`);
  tick.type = "button";
  tick.dataset.tick = person.n;
  tick.setAttribute("aria-pressed", String(person.there));
  tick.setAttribute("aria-label", say("{name} is here", { name: person.name }));
  const name = make("button", "", "row");
  name.type = "button";
  name.dataset.person = person.n;
  name.append(make("span", person.name), make("small", list([...entriesOf(person), person.club].filter(Boolean))));
  item.append(tick, name);
  return item;
}

function entriesOf(person) {
  return person.entries.map((entry) => {
    const title = titleOf(entry.contest);
    const mates = entry.with.map(nameOf);
    const text = mates.length > 0 ? say("{title} with {names}", { title, names: list(mates) }) : title;
    return entry.left ? say("{entry}, withdrawn", { entry: text }) : text;
  });
}

function nameOf(number) {
  return parts.get("people").find((each) => each.n === number)?.name ?? "";
}

function titleOf(contest) {
  return parts.get("classes").find((each) => each.name === contest)?.title ?? contest;
}

element("people").addEventListener("click", (event) => {
  const { tick, person } = event.target.closest("button")?.dataset ?? {};
  if (tick) {
    const known = parts.get("people").find((each) => each.n === Number(tick));
    act("check-in", { person: known.n, there: !known.there });
  } else if (person) {
    openPerson(Number(person));
  }
});

function openPerson(number) {
  shown = number;
  const person = parts.get("people").find((each) => each.n === number);
  element("person-form").reset();
  leaving = { contest: "", changes: "" };
  refuse("");
  const plays = person.entries.filter((entry) => !entry.left).map((entry) => entry.contest);
  const into = [...element("into").options].map(({ value }) => value);
  element("into").value = into.find((contest) => !plays.includes(contest)) ?? into[0] ?? "";
  chooseInto();
  drawPerson();
  element("person").showModal();
  element("person").scrollTop = 0;
}

/** Say how the person of the open sheet stands now: fields in which nobody has typed follow. */
function drawPerson() {
  const person = parts.get("people").find((each) => each.n === shown);
  if (!person) {
    return;
  }
  const fields = element("person-form").elements;
  for (const field of ["name", "kana", "club", "born"]) {
    fields[field].defaultValue = person[field] ?? "";
  }
  put(element("person-title"), say("{name}, number {n}", { name: person.name, n: String(person.n) }));
  drawEntries(person);
}

function drawEntries(person) {
  const texts = entriesOf(person);
  renew(element("entries"), person.entries.map((entry, at) => {
    const item = make("li");
    item.append(make("span", texts[at]));
    const mayCome = parts.get("classes").some((each) => each.name === entry.contest && each.can.enter !== "refused");
    if (!entry.left) {
      const asked = leaving.contest === entry.contest;
      if (asked && leaving.changes) {
        item.append(make("p", leaving.changes, "preview"));
      }
      item.append(button(asked ? say("Withdraw: what is left is forfeited") : say("Withdraw"), asked ? "act first" : "act", { contest: entry.contest, entrant: entry.entrant }));
    } else if (mayCome) {
      item.append(button(say("Comes again"), "act", { again: entry.contest, people: [person.n, ...entry.with].join(" ") }));
    }
    return item;
  }));
}

element("entries").addEventListener("click", async (event) => {
  const { contest, entrant, again, people } = event.target.closest("button")?.dataset ?? {};
  const isDrawn = parts.get("classes").some((each) => each.name === contest && each.drawn);
  const body = { contest, entrant: Number(entrant) };
  if (contest && isDrawn && leaving.contest !== contest) {
    const whose = shown;
    const changes = await wouldChange("withdraw", body, (why) => shown === whose && refuse(why));
    if (shown === whose && changes !== null) {
      leaving = { contest, changes };  // by a second press, which says what comes of it
      drawPerson();
      element("entries").querySelector(`[data-contest="${contest}"]`)?.focus();
    }
  } else if (contest) {
    act("withdraw", body);
    leaving = { contest: "", changes: "" };
  } else if (again) {
    act("enter", { contest: again, people: people.split(" ").map(Number), forced: say("Comes again") });
  }
});

/** Somebody as a list offers them: of two of one name each with the number. */
function offered({ name, n }) {
  return shared.has(name) ? say("{name}, number {n}", { name, n: String(n) }) : name;
}

/** Whom a field names, as it is offered; undefined: nobody who is known. */
function whoIs(text) {
  return parts.get("people").find((each) => offered(each) === text.trim());
}

/** Whether a class is played in pairs. */
function isPaired(contest) {
  return parts.get("classes").some(({ name, size }) => name === contest && size === 2);
}

element("enter").addEventListener("click", async () => {
  const contest = element("into").value;
  const words = { name: isPaired(contest) ? element("partner").value.trim() : "" };
  if (isPaired(contest) && words.name === "") {
    warn(say("It is played in pairs: say who the partner is."), false);
    element("partner").focus();
    return;
  }
  const mate = whoIs(words.name);
  const people = [parts.get("people").find((each) => each.n === shown), ...(mate ? [mate] : [])];
  const partner = mate || !isPaired(contest) ? null : words;
  const why = unfit(contest, partner ? [...people, words] : people);
  const forced = element("forced").value.trim();
  if (why !== "" && forced === "") {
    warn(why, true);
    element("forced").focus();
  } else if (await act("enter", { contest, people: people.map(({ n }) => n), partner, forced: why === "" ? null : forced })) {
    element("partner").value = "";
    warn("", false);
  }
});

/** Ask for a partner where the class of the open sheet is played in pairs. */
function chooseInto() {
  const contest = element("into").value;
  element("partner").hidden = !isPaired(contest);
  const late = parts.get("classes").find((each) => each.name === contest && each.can.enter === "warned" && each.joins);
  warn(late ? say("It is drawn: whoever comes now plays from round {n} on.", { n: late.joins }) : "", false);
}
element("into").addEventListener("change", chooseInto);

/** Say in the open sheet what comes of an entry, and let a reason be given where one is needed. */
function warn(text, wantsReason) {
  putOrHide(element("warned"), text);
  element("forcing").hidden = !wantsReason;
  element("forced").value = "";
}

/** Why people do not fit a class by their age; empty: they do. */
function unfit(contest, people) {
  const each = parts.get("classes").find(({ name }) => name === contest);
  const [first, last] = each?.born ?? [null, null];
  const names = people.filter(({ born }) => (first || last) && (!born || (first && born < first) || (last && born > last)))
    .map(({ name }) => name);
  if (names.length === 0) {
    return "";
  }
  const blanks = { names: list(names), title: each.title, first: String(first), last: String(last) };
  const whom = first && last ? say("{title} is for those born {first} to {last}", blanks)
    : first ? say("{title} is for those born {first} or later", blanks) : say("{title} is for those born {last} or earlier", blanks);
  return sayCount("{whom}: {names} does not fit, or the year is not known.", "{whom}: {names} do not fit, or their years are not known.", names.length, { ...blanks, whom });
}

element("person").addEventListener("close", () => {
  const { elements } = element("person-form");
  if (element("person").returnValue === "save") {
    act("reword", { person: shown, ...words(elements) });
  }
  element("person").returnValue = "";
  shown = 0;
});

function words({ name, kana, club, born }) {
  return {
    name: name.value.trim(), kana: kana.value.trim(), club: club.value.trim(),
    born: born.value === "" ? null : Number(born.value),
  };
}

// --- someone new -----------------------------------------------------------------------------

/** What can be chosen; boxes that are ticked stay so. */
function drawChoices() {
  const all = parts.get("classes");
  const open = all.filter((each) => each.can.enter !== "refused");
  const known = all.map((each) => `${each.name} ${each.stage}`).join(" ");
  if (element("plays").dataset.known !== known) {
    element("plays").dataset.known = known;
    const ticked = chosenClasses();
    element("plays").replaceChildren(make("legend", say("Plays in")), ...all.map((each) => {
      const label = make("label", "", "choice");
      const box = make("input");
      Object.assign(box, { type: "checkbox", name: "contest", value: each.name, disabled: !open.includes(each) });
      box.checked = !box.disabled && ticked.includes(each.name);
      label.append(box, make("span", each.title), make("small", takes(each), "quiet"));
      return label;
    }));
    document.querySelector(".entering").hidden = open.length === 0;
    const into = element("into").value;
    element("into").replaceChildren(...open.map((each) => new Option(each.title, each.name, false, each.name === into)));
    askForPartner();
    chooseInto();
  }
  renew(element("partners"), parts.get("people").map((each) => {
    const option = make("option");
    option.value = offered(each);
    return option;
  }));
}

/** What comes of an entry into a class now, or why it takes none. */
function takes({ can, stage, joins }) {
  const known = { next: say("drawn: undo its draw first"), running: say("being played"), past: say("over") };
  return can.enter === "refused" ? known[stage] : can.enter === "warned" && joins ? say("from round {n} on", { n: joins }) : "";
}

/** The classes that are ticked for somebody new. */
function chosenClasses() {
  return [...element("plays").querySelectorAll(":checked")].map((each) => each.value);
}

/** Ask for a partner where a class is ticked that is played in pairs; who is known needs no words. */
function askForPartner() {
  const paired = chosenClasses().some(isPaired);
  const { elements } = element("register");
  element("new-partner").hidden = !paired;
  elements.partner.required = paired;
  const known = whoIs(elements.partner.value);
  for (const label of element("new-partner").querySelectorAll("label + label")) {
    label.hidden = Boolean(known);
  }
}
for (const id of ["plays", "new-partner"]) {
  element(id).addEventListener("input", askForPartner);
}

/** Who plays with somebody new, as the hub takes it; null: nobody. */
function partnerWords({ partner, kana2, club2, born2 }) {
  if (element("new-partner").hidden) {
    return null;
  }
  const known = whoIs(partner.value);
  return known ? { name: known.name, kana: known.kana, club: known.club, born: known.born }
    : words({ name: partner, kana: kana2, club: club2, born: born2 });
}

element("register").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const contests = chosenClasses();
  const person = words(form.elements);
  const partner = partnerWords(form.elements);
  const why = contests.map((contest) => unfit(contest, isPaired(contest) ? [person, partner] : [person])).filter(Boolean).join(" ");
  const forced = form.elements.forced.value.trim();
  putOrHide(element("new-warned"), why);
  element("new-forcing").hidden = why === "";
  if (why !== "" && forced === "") {
    form.elements.forced.focus();
  } else if (await act("register", { ...person, contests, partner, forced: why === "" ? null : forced })) {
    form.reset();
    askForPartner();
    putOrHide(element("new-warned"), "");
    element("new-forcing").hidden = true;
    form.elements.name.focus();
  }
});

element("file").addEventListener("click", (event) => {
  event.target.value = "";  // one that was saved anew under its name is read anew
});
element("file").addEventListener("change", async (event) => {
  element("text").value = await event.target.files[0]?.text() ?? "";
});

element("table").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await act("table", { text: element("text").value })) {
    event.target.reset();
  }
});

// --- classes ---------------------------------------------------------------------------------

function classOf(each) {
  const made = make("section", "", "class");
  made.append(make("h3", each.title));
  const count = sayCount("{n} entry", "{n} entries", each.entrants);
  const missing = each.missing.length > 0
    ? say("not here: {names}", { names: list(someOf(each.missing)) }) : say("all are here");
  made.append(make("p", count), make("p", missing, "quiet"));
  if (each.drawn) {
    made.append(make("p", say("drawn with the seed {seed}", { seed: each.seed || "–" }), "quiet"));
    if (each.groups) {
      made.append(make("p", sayCount("{n} group", "{n} groups", each.groups), "quiet"));
    }
    if (each.can.undraw === "allowed") {
      made.append(acts(button(say("Undo the draw"), "act", { undraw: each.name })));
    }
  } else if (drawing === each.name) {
    made.append(...askedToDraw(each));
  } else {
    const offers = acts(button(say("Draw"), "act first", { draw: each.name }));
    const others = parts.get("classes").filter((other) => other.name !== each.name && !other.drawn && other.size === each.size);
    offers.append(...others.map((other) =>
      button(say("Merge {title} into it", { title: other.title }), "act", { merge: each.name, other: other.name })));
    made.append(offers);
    const other = others.find(({ name }) => merging === `${each.name} ${name}`);
    if (other) {
      made.append(make("p", unfit(each.name, peopleOf(other.name)), "preview"), reason(each, other));
    }
  }
  return made;
}

/** What is asked before a class is drawn: in how many groups, and whether all the same. */
function askedToDraw(each) {
  const asked = [];
  if (each.groups) {
    const most = Math.max(1, Math.floor(each.entrants / 2));
    const label = make("label", say("Groups"), "groups");
    const field = make("input");
    field.setAttribute("value", Math.min(each.groups, most));
    Object.assign(field, { type: "number", id: "groups", min: 1, max: most, inputMode: "numeric" });
    field.value = groups || field.value;
    label.append(field);
    asked.push(label);
  }
  const missing = each.missing.length;
  const sure = missing > 0 ? sayCount("{n} is not here: draw all the same", "{n} are not here: draw all the same", missing) : say("Draw now");
  return [...asked, make("p", afterDraw(each), "preview"),
    acts(button(sure, "act first", { sure: each.name }), button(say("Do not draw"), "act", { draw: "" }))];
}

/** What comes of a class once it is drawn. */
function afterDraw({ format }) {
  if (format === "OpenPlay") {
    return say("Nobody is called: whoever is entered plays whom they like, and the boards say how it ended.");
  }
  return parts.get("gong")
    ? say("Its matches are called in whole rounds. From the first call on the draw stays as it is.")
    : say("Its matches are called as boards are free. From the first call on the draw stays as it is.");
}

function acts(...buttons) {
  const made = make("div", "", "acts");
  made.append(...buttons);
  return made;
}

const MOST_NAMED = 12;

/** The names of people, of whom there may be many. */
function someOf(numbers) {
  const named = numbers.slice(0, MOST_NAMED).map(nameOf);
  const more = numbers.length - named.length;
  return more > 0 ? [...named, sayCount("{n} other", "{n} others", more)] : named;
}

function peopleOf(contest) {
  return parts.get("people").filter(({ entries }) => entries.some((entry) => entry.contest === contest && !entry.left));
}

/** What asks why people play in a class though they do not fit. */
function reason(each, other) {
  const label = make("label", say("Why they may play all the same"));
  const field = make("input");
  Object.assign(field, { type: "text", maxLength: 200, autocomplete: "off", id: "merge-forced" });
  label.append(field, button(say("Merge {title} into it", { title: other.title }), "act", { merge: each.name, other: other.name }));
  return label;
}

function button(text, className, data) {
  const made = make("button", text, className);
  made.type = "button";
  Object.assign(made.dataset, data);
  return made;
}

element("classes").addEventListener("input", (event) => {
  if (event.target.id === "groups") {
    groups = event.target.value;
  }
});

element("classes").addEventListener("click", (event) => {
  const { draw: drawn, sure, undraw, merge, other } = event.target.closest("button")?.dataset ?? {};
  if (drawn !== undefined) {
    drawing = drawn;  // it is drawn by a second press, which says what comes of it
    groups = "";
  } else if (sure) {
    const { seed, missing } = parts.get("classes").find(({ name }) => name === sure);
    drawing = "";
    act("draw", { contest: sure, seed: seed || new Date().toISOString().slice(0, 19), missing, groups: Number(element("groups")?.value) || null });
  } else if (undraw) {
    act("undraw", { contest: undraw });
  } else if (merge) {
    const forced = element("merge-forced")?.value.trim() ?? "";
    const fits = unfit(merge, peopleOf(other)) === "";
    merging = fits || forced ? "" : `${merge} ${other}`;
    if (merging === "") {
      act("merge", { contest: merge, other, forced: fits ? null : forced });
    }
  }
  draw();
  element("merge-forced")?.focus();
});

// --- steps -----------------------------------------------------------------------------------

/** The steps that the hub sends by itself, and older ones as far as they were asked for. */
function drawSteps() {
  const newest = parts.get("steps");
  if (reach > STEPS && newest !== lookedUp) {
    lookedUp = newest;  // something was done since, or taken back
    lookUp();
  }
  const steps = reach > STEPS && older.length > newest.length ? older : newest;
  renew(element("steps"), steps.map(step));
  element("older").hidden = steps.length < reach;
}

async function lookUp() {
  try {
    const answer = await fetch(`/api/hub/steps?count=${reach}`, { cache: "no-store" });
    older = answer.ok ? await answer.json() : older;
  } catch {
    // What is known stays; the page says that the hub is away.
  }
  drawSteps();
}

element("older").addEventListener("click", () => {
  reach += 5 * STEPS;
  lookedUp = parts.get("steps");
  lookUp();
});

function step(each) {
  const item = make("li", "", `step ${each.undone ? "is-undone" : ""}`);
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }).format(each.at_ms);
  item.append(make("small", `${time} ${each.by === "terminal" ? say("terminal") : each.by === "rule" ? say("by rule") : each.by}`), make("span", said(each)));
  if (undoing.seq === each.seq && !each.undone) {
    item.append(make("p", undoing.changes, "preview"),
      acts(button(say("Undo it"), "act first", { sure: each.seq }), button(say("Leave it"), "act", { leave: each.seq })));
  } else if (!each.undone) {
    item.append(button(say("Undo"), "act", { undo: each.seq }));
  }
  return item;
}

function said(each) {
  const name = each.name ?? nameOf(each.person) ?? "";
  const known = {
    attached: () => {
      const blanks = { n: each.board, score: each.sides?.length === 2 ? resultOf(each.sides) : "–", match: each.key ? matchTitle(each.key) : "" };
      return each.key ? say("The result of board {n}, {score}, was given to {match}", blanks) : say("The result of board {n}, {score}, counts for no match", blanks);
    },
    notice: () => (each.text ? say("Notice to all: {text}", { text: each.text[language] ?? Object.values(each.text)[0] }) : say("The notice was taken back")),
    corrected: () => (each.outcome?.forfeit ? say("Ended without play: {match}", { match: matchTitle(each.key) }) : each.outcome ? say("Corrected: {match}", { match: matchTitle(each.key) }) : say("Played again: {match}", { match: matchTitle(each.key) })),
    registered: () => say("{name} was registered", { name }),
    reworded: () => say("{name} was changed", { name }),
    entered: () => {
      const blanks = { names: list((each.people ?? []).map(nameOf)), title: titleOf(each.contest), why: each.forced };
      return each.forced ? sayCount("{names} plays in {title}, whatever their age: {why}", "{names} play in {title}, whatever their age: {why}", each.people.length, blanks)
        : sayCount("{names} plays in {title}", "{names} play in {title}", each.people.length, blanks);
    },
    arrived: () => (each.there ? say("{name} has come", { name }) : say("{name} has not come", { name })),
    withdrawn: () => say("{name} withdrew from {title}", { name: nameOf(each.entrant), title: titleOf(each.contest) }),
    merged: () => say("{other} was merged into {title}", { other: each.title, title: titleOf(each.contest) }),
    drawn: () => say("{title} was drawn", { title: titleOf(each.contest) }),
    undrawn: () => say("The draw of {title} was taken back", { title: titleOf(each.contest) }),
    board: () => say("Board {n} was set", { n: each.board }),
    undone: () => say("Taken back: {what}", { what: said(each.undid) }),
  };
  return known[each.kind]?.() ?? each.kind;
}

element("steps").addEventListener("click", async (event) => {
  const { undo, sure, leave } = event.target.closest("button")?.dataset ?? {};
  if (undo) {
    const changes = await wouldChange("undo", { entry: Number(undo) }, refuse);
    undoing = { seq: changes ? Number(undo) : 0, changes };
    if (changes === "") {
      act("undo", { entry: Number(undo) });  // nothing comes of it
    }
  } else if (sure || leave) {
    undoing = { seq: 0, changes: "" };
    if (sure) {
      act("undo", { entry: Number(sure) });
    }
  }
  draw();
  element("steps").querySelector("[data-sure]")?.focus();
});

begin(draw);
