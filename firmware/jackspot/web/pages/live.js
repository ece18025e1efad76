// A stream of server-sent events that comes back by itself, whatever ended it.

const RETRY_MS = 1000;
const SILENT_MS = 40000;
const SLEPT_MS = 5000;

/**
 * Listen to a stream for as long as the page is open.
 *
 * `handlers` maps event names ("message" for those without one) to functions that take the
 * parsed data, and whether they are the first of a connection. `onStatus` is told "connecting",
 * "connected" or "lost". A server that restarts, refuses for a while or falls silent is asked
 * again; each new connection begins with everything, so a handler never has to fill a gap. A
 * stream with a beat, which is never silent for `beatMs`, is lost as soon as it is, and not
 * connected while a device that slept asks anew; gives a function that ends it all.
 */
export function listen(url, handlers, onStatus, beatMs = 0) {
  let source = null;
  let timer = 0;
  let hiddenMs = Date.now();

  function open() {
    let isFirst = true;
    source = new EventSource(url);
    timer = setTimeout(again, beatMs || SILENT_MS);
    source.onopen = () => {
      alive();
      onStatus("connected");
    };
    source.onerror = () => again();
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => {
        alive();
        handle(JSON.parse(event.data), isFirst);
        isFirst = false;
      });
    }
  }

  function alive() {
    clearTimeout(timer);
    timer = beatMs > 0 ? setTimeout(again, beatMs) : setTimeout(renew, SILENT_MS);
  }

  // A quiet stream may be a dead one, since the comments that keep it open are not shown to the
  // page, and a device that slept may not know yet that it is gone: ask for a new one, which
  // begins with everything.
  function renew() {
    source.close();
    clearTimeout(timer);
    if (beatMs > 0) {
      onStatus("connecting");
    }
    open();
  }

  function again() {
    source.close();
    clearTimeout(timer);
    onStatus("lost");
    timer = setTimeout(open, RETRY_MS * (0.5 + Math.random()));
  }

  // The clock of the day, since the other one may stand still while a device sleeps.
  function wake() {
    if (document.visibilityState === "hidden") {
      hiddenMs = Date.now();
    } else if (Math.abs(Date.now() - hiddenMs) > SLEPT_MS) {
      renew();
    }
  }

  function end() {
    source.close();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", wake);
    removeEventListener("online", renew);
  }

  onStatus("connecting");
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", renew);
  open();
  return end;
}
