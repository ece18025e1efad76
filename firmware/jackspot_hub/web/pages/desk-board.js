// One board at the desk: what it can be asked. And the line that all displays show.

import { element, make, put, putOrHide, renew } from "/dom.js";
import { languages, say } from "/words.js";
import { act, refuse, send, whyNot } from "./asking.js";
import { boards, contests, parts } from "./parts.js";
import { renewUpdate } from "./desk-update.js";
import { names, noticeNow } from "./told.js";

let shown = 0;
let known = "";  // for what the board of the open sheet was set, as the hub said last
let sending = 0;  // so many changes of that are on their way

/** Open the sheet of a board. */
export function openBoard(number) {
  shown = number;
  element("board-form").reset();
  refuse("");
  put(element("board-title"), say("Board {n} of the hall", { n: number }));
  put(element("answer"), "");
  renew(element("findings"), []);
  element("kept-for").replaceChildren(...contests().map((contest) => {
    const label = make("label", "", "choice");
    const box = document.createElement("input");
    Object.assign(box, { type: "checkbox", value: contest.name });
    label.append(box, make("span", say("kept for {title}", { title: contest.title })));
    return label;
  }));
  known = "";
  renewBoard();
  element("board").showModal();
}

/** Tick what the board of the open sheet is for, once the hub says something else than before. */
function renewKept() {
  const set = (parts.get("set") ?? []).find(({ n }) => n === shown) ?? { locked: false, kept_for: [] };
  if (sending > 0 || JSON.stringify(set) === known) {
    return;
  }
  known = JSON.stringify(set);
  element("locked").checked = set.locked;
  for (const box of element("kept-for").querySelectorAll("input")) {
    box.checked = set.kept_for.includes(box.value);
  }
}

/** Say how the board of the open sheet stands now, and which line all displays show. */
export function renewBoard() {
  putOrHide(element("noticed"), noticeNow());
  renewUpdate(shown);
  renewKept();
  const board = boards().find(({ n }) => n === shown);
  if (!board) {
    return;
  }
  const isThere = !["absent", "away"].includes(board.state);
  const who = (board.who ?? []).map(names).join(" – ");
  put(element("board-state"), isThere ? who || say("Nobody is called to it.") : say("It is not connected and does not answer."));
  for (const button of element("board-form").querySelectorAll("[data-ask]")) {
    button.disabled = !isThere;
  }
  element("board-form").querySelector("[data-ask=coming]").hidden = !board.calls_ms;
}

async function ask(what) {
  const board = shown;
  put(element("answer"), say("Asking …"));
  renew(element("findings"), []);
  const answer = await send("ask", { board, what, text: element("line").value });
  const said = answer?.ok ? await answer.json() : { error: await whyNot(answer) };
  if (board !== shown) {
    return;
  }
  const done = { coming: say("It says that someone is coming."), identify: say("It blinks."), line: say("It shows the line."), doctor: say("Nothing is wrong with it.") };
  const found = (said.findings ?? []).filter(({ mark }) => mark !== "well");
  put(element("answer"), said.error ?? (found.length > 0 ? "" : done[what]));
  renew(element("findings"), found.map(({ mark, what: of, found: is, remedy }) => {
    const item = make("li", "", mark);
    item.append(make("b", `${of}: ${is}`), make("span", remedy));
    return item;
  }));
}

element("board-form").addEventListener("click", (event) => {
  const what = event.target.closest("[data-ask]")?.dataset.ask;
  if (what) {
    ask(what);
  }
});
element("board").addEventListener("close", () => {
  shown = 0;
});
element("kept").addEventListener("change", async ({ target: { id, value, checked } }) => {
  const tick = id === "locked" ? { locked: checked } : { kept_for: { [value]: checked } };
  sending += 1;
  if (!await act("board", { board: shown, ...tick })) {  // that alone: another desk may set the rest
    known = "";
  }
  sending -= 1;
  if (known === "") {
    renewKept();
  }
});
element("line").addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    event.preventDefault();
    ask("line");
  }
});

element("notice").addEventListener("click", () => {
  const known = parts.get("event")?.notice?.text ?? {};
  element("notice-lines").replaceChildren(...Object.entries(languages).flatMap(([code, name]) => {
    const label = Object.assign(make("label", name), { htmlFor: `notice-${code}`, lang: code });
    const line = Object.assign(document.createElement("input"), {
      type: "text", id: label.htmlFor, name: code, lang: code, value: known[code] ?? "", autocomplete: "off",
      maxLength: code === "ja" ? 28 : 38, // as many letters as two lines of an OLED have room for
    });
    return [label, line];
  }));
  element("notice-back").hidden = noticeNow() === "";
  element("notices").showModal();
});
element("notices").addEventListener("close", () => {
  const way = element("notices").returnValue;
  if (way === "show") {
    const lines = [...element("notice-lines").querySelectorAll("input")];
    const text = Object.fromEntries(lines.map(({ name, value }) => [name, value]));
    act("notice", { text, seconds: 60 * Number(element("notice-minutes").value) });
  } else if (way === "back") {
    act("no-notice", {});
  }
  element("notices").returnValue = "";
});
