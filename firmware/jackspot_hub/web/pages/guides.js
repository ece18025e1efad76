// One sheet for players and one for referees: what to do at a board of a hall, in the page's language.
//
// How to press is said in the words of the quick card that hangs at a board.

import { make } from "/dom.js";
import { say } from "/words.js";
import { paper } from "./sheets.js";

const BUTTONS = /\b(OK|FIX|FOUL|OFF|UNDO)\b/;

/** What everybody who presses has to know. */
function pressing() {
  return [
    say("A piece falls in. The display says what it was. Right? Press OK once."),
    say("Not right? FIX shows the next one. Then OK."),
    say("Nothing fell in? OK. The next player shoots."),
    say("Pieces go back? Put them on the board, then OK."),
    say("Pressed wrong? UNDO takes it back. Then answer again."),
  ];
}

export function playersSheet(event) {
  return guide(say("For players"), event, [
    [say("Your next match"), [
      say("The wall says who is called to which board. So does this page on your phone."),
      say("The board shows your names? OK. Other names? FIX, and go to the desk."),
      say("Start: press your OK, you shoot first. On the box: FIX picks who is first, OK starts."),
    ]],
    [say("Each stroke"), [
      ...pressing(),
      say("No UNDO at your seat? OK and FIX together."),
      say("The board ends? Hold OK until the bar is full."),
    ]],
    [say("Something is wrong"), [
      say("You need someone? Hold FIX for the menu, then choose to call the desk. Play on while you wait."),
      say("The power was off? Wait: the board comes back with your match. Does the table show its counts? OK."),
      say("No network? Play on. The board keeps your result and sends it later."),
    ]],
  ], "/");
}

export function refereesSheet(event) {
  return guide(say("For referees"), event, [
    [say("Where you are needed"), [
      say("This page on your phone shows the boards that ask for you. Its PIN is at the desk."),
      say("A board asks for you: go there, and tell the desk. A board is away in a match: check its power, then its cable."),
    ]],
    [say("At a board"), [
      say("Is there a referee's box? Then the referee answers. After a miss the player may press OK too."),
      ...pressing(),
      say("A foul? FOUL, then OK."),
      say("A piece flew off? OFF, then OK."),
      say("Anything else: hold FIX. That is the menu."),
    ]],
    [say("When a match cannot go on"), [
      say("The board fails: tell the desk. The desk moves the match to another board, where OK continues it with all strokes."),
      say("Other people than those called are sitting there: FIX. The desk is told."),
      say("A knockout match ends tied: tell the desk how it was decided. The hub never picks a winner."),
      say("The result was wrong: tell the desk. It can be corrected at any time."),
    ]],
  ], "/referees");
}

/** A sheet with a code that leads to a page of the hub's. */
function guide(title, event, sections, path) {
  const code = make("img");
  code.src = path === "/" ? "/phones.svg" : "/referees.svg";
  code.alt = "";
  const where = make("figure", "", "leads");
  where.append(code, make("figcaption", location.host + (path === "/" ? "" : path)));
  const made = paper(title, event.name, where, ...sections.map(([heading, lines]) => {
    const section = make("section");
    const list = make("ol");
    list.append(...lines.map(line));
    section.append(make("h3", heading), list);
    return section;
  }));
  made.classList.add("guide");
  return made;
}

/** A line in which each button's name looks like one. */
function line(text) {
  const made = make("li");
  made.append(...text.split(BUTTONS).map((part) => (BUTTONS.test(part) ? make("b", part, "key") : part)));
  return made;
}
