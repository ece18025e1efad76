// A stream of server-sent events that comes back by itself, whatever ended it.

const RETRY_MS = 1000;
const SILENT_MS = 40000;

/**
 * Listen to a stream for as long as the page is open.
 *
 * `handlers` maps event names ("message" for those without one) to functions that take the
 * parsed data. `onStatus` is told "connecting", "connected" or "lost". A server that restarts,
 * refuses for a while or falls silent is asked again; each new connection begins with
 * everything, so a handler never has to fill a gap.
 */
export function listen(url, handlers, onStatus) {
  let source = null;
  let timer = 0;

  function open() {
    source = new EventSource(url);
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
    timer = setTimeout(check, SILENT_MS);
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

  onStatus("connecting");
  open();
}
