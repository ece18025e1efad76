// Presses on their way to the board: one at a time is meant, none is ever sent later.
//
// A press says which question it answers and when it was made. While the board is not heard
// nothing is sent, and nothing is kept to be sent when it is heard again.

import { inLanguage, patience, refusal, say } from "./words.js";

const PATIENCE_MS = 4000;
const OWN_ECHO_MS = 1500;
const BEATS = 30;

export class Presses {
  /** `tell(words)` shows a refusal, `signedOut()` asks for the PIN, `lost()` says that nobody answered. */
  constructor({ tell, signedOut, lost }) {
    this.tell = tell;
    this.signedOut = signedOut;
    this.lost = lost;
    this.connected = false;
    this.page = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.beats = [];
    this.answered = new Map();
  }

  /** A connection begins or ends; the clocks are compared anew. */
  connection(connected) {
    this.connected = connected;
    this.beats = connected ? this.beats : [];
  }

  /**
   * Hear the board's clock: of the newest beats the one that came fastest says best how far it is
   * ahead of ours. Older ones do not count, since no two clocks run alike for a whole day.
   */
  beat({ server_ms: theirs }) {
    this.beats = [...this.beats, theirs - performance.now()].slice(-BEATS);
  }

  /** Press a button for the question `ask`; resolves to whether the board took it. */
  async send(button, gesture, ask, pointed = {}) {
    if (!this.connected || this.beats.length === 0) {
      this.tell(say("Not connected: nothing was pressed."));
      return false;
    }
    const sent_ms = Math.floor(performance.now() + Math.max(...this.beats));
    const body = JSON.stringify({ button, gesture, ask, page: this.page, sent_ms, ...pointed });
    try {
      const answer = await fetch(inLanguage("/api/press"), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        signal: patience(PATIENCE_MS),
      });
      return await this.take(answer, ask);
    } catch {
      this.tell(say("The board did not answer: look at what is asked before you press again."));
      this.lost();
      return false;
    }
  }

  async take(answer, ask) {
    if (answer.ok) {
      this.answered.set(ask, performance.now());
      return true;
    }
    if (answer.status === 401) {
      this.signedOut();
      return false;
    }
    // A finger that taps twice answers its own question twice: nobody needs to be told.
    const own = this.answered.get(ask);
    if (answer.status !== 409 || own === undefined || performance.now() - own > OWN_ECHO_MS) {
      this.tell(answer.status === 409 ? (await answer.json()).error : refusal(answer));
    }
    return false;
  }
}
