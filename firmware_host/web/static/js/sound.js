// @ts-check
// A few quiet sounds, made here: no file to fetch. Off unless somebody wants them.

/** @type {Readonly<Record<string, [number, number, number][]>>} frequency, start and length */
const TUNES = {
  turn: [[523, 0, 0.12], [784, 0.13, 0.22]],
  half: [[659, 0, 0.18]],
  minute: [[523, 0, 0.18]],
  ten: [[784, 0, 0.1], [784, 0.16, 0.1]],
  over: [[784, 0, 0.2], [659, 0.22, 0.2], [523, 0.44, 0.5]],
  word: [[880, 0, 0.07]],
};

const LOUDNESS = 0.14;

/**
 * Sounds; a browser lets a page sound only after somebody has touched it.
 *
 * @param {() => boolean} isWanted
 */
export function makeSound(isWanted) {
  /** @type {AudioContext | null} */
  let audio = null;

  /** @param {AudioContext} context @param {[number, number, number]} tone */
  function sing(context, [frequency, start, length]) {
    const from = context.currentTime + start;
    const loudness = new GainNode(context, { gain: 0 });
    const voice = new OscillatorNode(context, { type: "triangle", frequency });
    loudness.gain.linearRampToValueAtTime(LOUDNESS, from + 0.01);
    loudness.gain.setValueAtTime(LOUDNESS, from + length * 0.4);
    loudness.gain.exponentialRampToValueAtTime(0.001, from + length);
    voice.connect(loudness).connect(context.destination);
    voice.start(from);
    voice.stop(from + length);
  }

  return {
    /** @param {string} tune */
    play(tune) {
      if (!isWanted()) return;
      audio ??= new AudioContext();
      if (audio.state === "suspended") audio.resume();
      for (const tone of TUNES[tune] ?? []) sing(audio, tone);
    },
  };
}
