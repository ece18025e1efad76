// Wood on wood, quietly: made from a short tone and a breath of noise, as hard as pieces meet.

const LOUD = 0.16;
/** So fast is as loud as it gets. */
const LOUDEST_MM_S = 3500;
/** More at once are one knock. */
const AT_ONCE = 8;

const WOOD = {
  pieces: { hertz: 1900, lasts_s: 0.045, noise: 0.5 },
  frame: { hertz: 420, lasts_s: 0.09, noise: 0.35 },
  pocket: { hertz: 210, lasts_s: 0.16, noise: 0.25 },
};

export class Knocks {
  /** `notes` says whether the page is mute, and has the browser's way to be heard. */
  constructor(notes) {
    this.notes = notes;
    this.noise = null;
  }

  /** Sound what met since the last frame: `[milliseconds, what, mm/s]`. */
  play(contacts) {
    const { context, muted } = this.notes;
    if (muted || context === null || contacts.length === 0) {
      return;
    }
    const loudest = contacts.slice().sort((a, b) => b[2] - a[2]).slice(0, AT_ONCE);
    for (const [, touch, speed_mm_s] of loudest) {
      this.knock(context, WOOD[touch], Math.min(speed_mm_s / LOUDEST_MM_S, 1) ** 0.8);
    }
  }

  knock(context, { hertz, lasts_s, noise }, hard) {
    const now = context.currentTime;
    const pitch = hertz * (0.94 + 0.12 * ((now * 997) % 1));
    const tone = new OscillatorNode(context, { type: "sine", frequency: pitch });
    fade(context, tone, LOUD * hard, now, lasts_s).connect(context.destination);
    tone.start(now);
    tone.stop(now + lasts_s);
    const breath = new AudioBufferSourceNode(context, { buffer: this.breath(context) });
    const band = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch * 1.6, Q: 0.8 });
    breath.connect(band);
    fade(context, band, LOUD * hard * noise, now, lasts_s * 0.5).connect(context.destination);
    breath.start(now);
    breath.stop(now + lasts_s);
  }

  breath(context) {
    if (this.noise === null) {
      this.noise = context.createBuffer(1, context.sampleRate / 5, context.sampleRate);
      const samples = this.noise.getChannelData(0);
      for (let index = 0; index < samples.length; index += 1) {
        samples[index] = Math.random() * 2 - 1;
      }
    }
    return this.noise;
  }
}

function fade(context, source, loud, now, lasts_s) {
  const volume = new GainNode(context, { gain: loud });
  volume.gain.setValueAtTime(loud, now);
  volume.gain.exponentialRampToValueAtTime(0.0001, now + lasts_s);
  source.connect(volume);
  return volume;
}
