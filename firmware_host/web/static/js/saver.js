// @ts-check
// A screensaver: a few cubes that wander in the dark, so that no picture burns into the display.

import { cube } from "./board.js";
import { isCalm } from "./dom.js";

/** Milliseconds without anybody before it begins, and between two moves. */
export const IDLE_MS = 5 * 60_000;
const MOVE_MS = 12_000;

/** Views in which nobody is playing. */
const RESTING = new Set(["attract", "result", "stats", "fairness"]);

/**
 * Whether the display may rest.
 *
 * @param {string} view
 * @param {number} idle milliseconds since anybody did anything
 */
export function mayRest(view, idle) {
  return RESTING.has(view) && idle >= IDLE_MS;
}

/**
 * A screensaver in an element that covers the page.
 *
 * @param {HTMLElement} cover
 * @param {() => string} view the one that the display is in
 */
export function makeSaver(cover, view) {
  const drift = /** @type {HTMLElement} */ (cover.firstElementChild);
  let since = performance.now();
  let moved = 0;
  drift.classList.add("cubes");
  drift.replaceChildren(...[..."WORDTRAY"].map((letter) => cube(letter)));

  function wake() {
    since = performance.now();
    cover.hidden = true;
  }

  /** @param {number} now */
  function wander(now) {
    if (now - moved < MOVE_MS) return;
    moved = now;
    drift.style.left = `${5 + Math.random() * 55}%`;
    drift.style.top = `${8 + Math.random() * 70}%`;
    drift.classList.toggle("still", isCalm());
  }

  function look() {
    const now = performance.now();
    cover.hidden = !mayRest(view(), now - since);
    if (!cover.hidden) wander(now);
  }

  for (const sign of ["pointerdown", "pointermove", "keydown", "wheel"]) addEventListener(sign, wake, { passive: true });
  setInterval(look, 1000);
  return { wake };
}
