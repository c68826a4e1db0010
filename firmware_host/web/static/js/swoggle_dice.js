// @ts-check
// Dice: what a real one shows is entered by a tap, or the service throws.

import { draw, make } from "./dom.js";

/** @typedef {import("./texts.js").Texts} Texts */

/** Where the pips of a face lie, in a grid of three by three. @type {Readonly<Record<number, number[]>>} */
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/**
 * A face of the die.
 *
 * @param {number} number
 */
export function dieFace(number) {
  const dots = (PIPS[number] ?? []).map((at) => draw("circle", { cx: 7 + (at % 3) * 8, cy: 7 + Math.floor(at / 3) * 8, r: 2.6 }));
  return draw("svg", { class: "die", viewBox: "0 0 30 30", "aria-hidden": "true" }, draw("rect", { x: 1, y: 1, width: 28, height: 28, rx: 5 }), ...dots);
}

/**
 * Asks for throws, one after the other.
 *
 * @param {HTMLElement} frame
 * @param {Texts} texts
 */
export function makeDice(frame, texts) {
  let asked = "";
  /** @type {number[]} */
  let thrown = [];

  /** @param {Wanted} wanted */
  function render(wanted) {
    const step = wanted.steps[thrown.length] ?? "";
    const faces = [1, 2, 3, 4, 5, 6].map((pips) => face(pips, wanted));
    const program = make("button", { class: "button", type: "button", "data-testid": "throw" }, texts.say("swoggle.throw"));
    program.addEventListener("click", wanted.onProgram);
    const back = make("button", { class: "button", type: "button", "data-testid": "unthrow" }, texts.say("swoggle.unthrow"));
    back.addEventListener("click", () => {
      thrown = thrown.slice(0, -1);
      render(wanted);
    });
    frame.replaceChildren(
      make("p", { class: "asked", "data-testid": "asked" }, step),
      wanted.steps.length > 1 ? make("p", { class: "soft" }, texts.say("swoggle.throw_of", { number: thrown.length + 1, of: wanted.steps.length })) : "",
      make("div", { class: "faces", role: "group", "aria-label": texts.say("swoggle.what_it_shows") }, ...faces),
      make("div", { class: "row" }, program, thrown.length ? back : null),
    );
  }

  /** @param {number} pips @param {Wanted} wanted */
  function face(pips, wanted) {
    const button = make("button", { class: "button face", type: "button", "aria-label": texts.number(pips), "data-testid": `die-${pips}` }, dieFace(pips));
    button.addEventListener("click", () => {
      thrown = [...thrown, pips];
      if (thrown.length === wanted.steps.length) wanted.onThrown(thrown);
      else render(wanted);
      /** @type {HTMLElement | null} */ (frame.querySelector(".face"))?.focus({ preventScroll: true });
    });
    return button;
  }

  return {
    /** @param {Wanted} wanted */
    ask(wanted) {
      const key = JSON.stringify([wanted.key, wanted.steps]);
      if (key === asked) return;
      asked = key;
      thrown = [];
      render(wanted);
    },
    forget() {
      asked = "";
      frame.replaceChildren();
    },
  };
}

/**
 * @typedef {object} Wanted
 * @property {string} key of what is asked: the same is not asked anew
 * @property {string[]} steps what each throw is for
 * @property {(pips: number[]) => void} onThrown
 * @property {() => void} onProgram the service shall throw
 */
