// @ts-check
// The clock of a challenge, at the top of the page. Its end is told, and decides nothing.

import { slot, write } from "./dom.js";
import { clockText } from "./state.js";

/** @typedef {{ left_s: number, total_s: number, by: string }} ChallengeClock */

/**
 * Seconds left of a challenge; null where there is none.
 *
 * @param {ChallengeClock | null | undefined} challenge
 * @param {number} toldAt milliseconds
 * @param {number} now of the same clock
 */
export function challengeLeft(challenge, toldAt, now) {
  return challenge ? Math.max(0, challenge.left_s - (now - toldAt) / 1000) : null;
}

/**
 * @param {import("./texts.js").Texts} texts
 * @param {(text: string) => void} announce
 */
export function makeChallengeClock(texts, announce) {
  const badge = slot("challenge-clock");
  /** @type {ChallengeClock | null | undefined} */
  let challenge = null;
  let toldAt = 0;
  let over = false;

  function tick() {
    const left = challengeLeft(challenge, toldAt, performance.now());
    badge.hidden = left === null;
    if (left === null) return;
    const text = left > 0 ? texts.say("common.challenge", { left: clockText(left) }) : texts.say("common.challenge_over");
    write(badge, text);
    badge.dataset.over = String(left === 0);
    if (left === 0 && !over) announce(text);
    over = left === 0;
  }

  setInterval(tick, 250);
  return {
    /** @param {{ challenge?: ChallengeClock | null }} round */
    show(round) {
      if (!round.challenge) over = false;
      challenge = round.challenge;
      toldAt = performance.now();
      tick();
    },
  };
}
