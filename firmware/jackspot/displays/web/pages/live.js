// A stream of server-sent events that comes back by itself, whatever ended it.

const RETRY_MS = 1000;
const SILENT_MS = 40000;

/**
 * Listen to a stream for as long as the page is open.
 *
 * `handlers` maps event names ("message" for those without one) to functions that take the
 * parsed data. `onStatus` is told "connecting", "connected" or "lost". A server that restarts,
 * refuses for a while or falls silent is asked again; each new connection begins with
 * everything, so a handler never has to fill a gap. A stream with a beat, which is never silent
 * for `beatMs`, is lost as soon as it is; gives a function that ends it all.
 */
export function listen(url, handlers, onStatus, beatMs = 0) {
  let source = null;
  let timer = 0;

  function open() {
    source = new EventSource(url);
    if (beatMs > 0) {
      alive();
    }
    source.onopen = () => {
      alive();
      onStatus("connected");
    };
    source.onerror = () => again();
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => {
        alive();
        handle(JSON.parse(event.data));
      });
    }
  }

  function alive() {
    clearTimeout(timer);
    timer = beatMs > 0 ? setTimeout(again, beatMs) : setTimeout(check, SILENT_MS);
  }

  // Comments that keep a quiet stream alive are not shown to the page: ask by another way.
  async function check() {
    try {
      const answer = await fetch("/api/schema", { method: "HEAD", cache: "no-store" });
      if (answer.ok) {
        alive();
        return;
      }
    } catch {
      // The board does not answer.
    }
    again();
  }

  function again() {
    source.close();
    clearTimeout(timer);
    onStatus("lost");
    timer = setTimeout(open, RETRY_MS);
  }

  function end() {
    source.close();
    clearTimeout(timer);
  }

  onStatus("connecting");
  open();
  return end;
}
