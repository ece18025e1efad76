// Elements, made in one line.

/** An element with a text and a class. */
export function make(tag, text, className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) {
    made.className = className;
  }
  return made;
}

/** A button that does something when it is clicked. */
export function makeButton(text, className, onClick) {
  const button = make("button", text, className);
  button.type = "button";
  button.addEventListener("click", onClick);
  return button;
}
