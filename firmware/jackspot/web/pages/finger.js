// A finger on a button: pressed, or held while a ring fills, for as long as the board says.
//
// It is the page that tells the two apart and sends one whole press. A button that went down
// and whose coming up is lost on the network would else be held.

let holdMs = 1000;
const KEYS = [" ", "Enter"];

/** From now on a button that is down for so long is held; its ring fills in that time. */
export function holdFor(ms) {
  holdMs = ms;
  document.documentElement.style.setProperty("--hold", `${ms}ms`);
}

/**
 * Let an element be pressed and held, by finger, mouse, key and assistive technology.
 *
 * `start()` is called when it goes down and gives what the press will mean; `press(meant, by)` when
 * it is let go in time (`by` is "click" where no finger was seen), `hold(meant)` when it has been down for long enough; without `hold` it may
 * stay down for as long as it likes. What goes down and leaves the element does nothing. `ended()`
 * is called once it is up again, whatever came of it. An element that is down must stay in the
 * document: nobody would hear that it is let go.
 */
export function pressable(element, { start, press, hold = null, ended = null }) {
  let down = null;

  function begin(by) {
    if (down !== null || element.disabled) {
      return;
    }
    down = { by, meant: start(), timer: 0 };
    element.classList.add("down");
    if (hold !== null) {
      element.classList.add("holding");
      down.timer = setTimeout(() => end(hold), holdMs);
    }
  }

  function end(act) {
    const { meant, timer } = down;
    clearTimeout(timer);
    down = null;
    element.classList.remove("down", "holding");
    act?.(meant);
    ended?.();
  }

  function letGo(by, act) {
    if (down?.by === by) {
      end(act);
    }
  }

  function cancel() {
    if (down !== null) {
      end(null);
    }
  }

  element.addEventListener("pointerdown", (event) => {
    if (event.button === 0) {
      begin(event.pointerId);
    }
  });
  element.addEventListener("pointerup", (event) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    const inside = x >= left && x <= right && y >= top && y <= bottom;
    letGo(event.pointerId, inside ? press : null);
  });
  for (const away of ["pointercancel", "pointerleave"]) {
    element.addEventListener(away, (event) => letGo(event.pointerId, null));
  }
  element.addEventListener("keydown", (event) => {
    if (KEYS.includes(event.key)) {
      event.preventDefault();
      if (!event.repeat) {
        begin("key");
      }
    }
  });
  element.addEventListener("keyup", (event) => {
    if (KEYS.includes(event.key)) {
      event.preventDefault();
      letGo("key", press);
    }
  });
  // A mouse is let go unheard over what hides the element or makes it inert; its focus goes then, too.
  element.addEventListener("blur", cancel);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  // A screen reader clicks without a finger: there is no way to hold by it.
  element.addEventListener("click", (event) => {
    if (event.detail === 0 && down === null && !element.disabled) {
      press(start(), "click");
    }
  });
  return { begin: () => begin("shortcut"), letGo: () => letGo("shortcut", press), cancel };
}

/** The ring that fills while a button is held. */
export function ring() {
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawn.setAttribute("viewBox", "0 0 36 36");
  drawn.setAttribute("class", "ring");
  drawn.setAttribute("aria-hidden", "true");
  for (const name of ["track", "fill"]) {
    const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [key, value] of Object.entries({ cx: 18, cy: 18, r: 15, class: name, pathLength: 1 })) {
      circle.setAttribute(key, value);
    }
    drawn.append(circle);
  }
  return drawn;
}
