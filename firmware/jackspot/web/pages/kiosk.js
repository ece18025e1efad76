// A screen that nobody attends (`?kiosk`): no controls and no cursor, awake, and well again by itself.

const RELOAD_MS = 10000;
const AT_MOST_EVERY_MS = 60000;
const LAST = "jackspot-reloaded";

/** Whether this page was opened for a screen that nobody attends. */
export const isKiosk = new URLSearchParams(location.search).has("kiosk");

let first = null;

/** Begin to look after the screen. */
export function attend() {
  if (!isKiosk) {
    return;
  }
  document.documentElement.dataset.kiosk = "";
  stayAwake();
  document.addEventListener("visibilitychange", stayAwake);
  addEventListener("error", () => reloadSoon());
  addEventListener("unhandledrejection", () => reloadSoon());
  // A browser goes full screen only when somebody asks for it.
  addEventListener("click", () => document.documentElement.requestFullscreen?.().catch(() => {}));
}

/** The board is there (again): load the page anew if it is another than when it was opened. */
export async function renewIfChanged() {
  if (!isKiosk) {
    return;
  }
  try {
    const answer = await fetch(location.pathname, { method: "HEAD", cache: "no-store" });
    const found = answer.headers.get("etag");
    first ??= found;
    if (answer.ok && found !== first) {
      location.reload();
    }
  } catch {
    // It went away again; the next time will do.
  }
}

// Browsers keep a screen awake only for pages of this machine or with a certificate.
async function stayAwake() {
  if (document.visibilityState === "visible") {
    await navigator.wakeLock?.request("screen").catch(() => {});
  }
}

function reloadSoon() {
  setTimeout(() => {
    const last = Number(sessionStorage.getItem(LAST) ?? 0);
    if (Date.now() - last > AT_MOST_EVERY_MS) {
      sessionStorage.setItem(LAST, String(Date.now()));
      location.reload();
    }
  }, RELOAD_MS);
}
