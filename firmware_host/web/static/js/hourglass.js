// @ts-check
// An hourglass whose sand is where it would be: full above at the start, all below at the end.

import { draw, isCalm } from "./dom.js";

/** The bulbs, in the drawing's own units: they meet at the neck. */
const NECK = 100;
const DEEP = 72;
const UPPER = "M24 22H96V34C96 66 64 82 63 100H57C56 82 24 66 24 34Z";
const LOWER = "M57 100H63C64 118 96 134 96 166V178H24V166C24 134 56 118 57 100Z";

/**
 * Height of the sand for its share of the whole: bulbs are narrow at the neck.
 *
 * @param {number} share 0–1
 */
export function sandHeight(share) {
  return DEEP * Math.min(1, Math.max(0, share)) ** 0.6;
}

/**
 * Outline of the sand above the neck; it sinks in the middle while it runs.
 *
 * @param {number} share of all the sand, 0–1
 */
export function upperSand(share) {
  const top = NECK - sandHeight(share);
  const dip = Math.min(9, (NECK - top) * 0.4) * (share < 1 ? 1 : 0);
  return `M20 ${fixed(top)}Q60 ${fixed(top + 2 * dip)} 100 ${fixed(top)}V${NECK}H20Z`;
}

/**
 * Outline of the sand below; it piles up in the middle.
 *
 * @param {number} share of all the sand, 0–1
 */
export function lowerSand(share) {
  const top = 178 - sandHeight(share) * 0.82;
  const pile = share > 0 ? Math.min(11, (178 - top) * 0.7) : 0;
  return `M20 ${fixed(top + pile)}Q60 ${fixed(top - pile)} 100 ${fixed(top + pile)}V178H20Z`;
}

/** @param {number} number */
const fixed = (number) => Number(number.toFixed(2));

/**
 * An hourglass in an element.
 *
 * @param {HTMLElement} frame
 */
export function makeHourglass(frame) {
  const upper = draw("path", { class: "sand", "clip-path": "url(#upper-bulb)" });
  const lower = draw("path", { class: "sand", "clip-path": "url(#lower-bulb)" });
  const stream = draw("path", { class: "stream", d: "M60 97V177" });
  const svg = draw(
    "svg",
    { class: "hourglass", viewBox: "0 0 120 200" },
    draw(
      "defs",
      {},
      draw("clipPath", { id: "upper-bulb" }, draw("path", { d: UPPER })),
      draw("clipPath", { id: "lower-bulb" }, draw("path", { d: LOWER })),
    ),
    draw("path", { class: "glass", d: UPPER }),
    draw("path", { class: "glass", d: LOWER }),
    upper,
    stream,
    lower,
    draw("path", { class: "outline", d: `${UPPER}${LOWER}` }),
    draw("path", { class: "shine", d: "M32 32C33 50 42 62 49 74M32 166C33 150 39 141 45 133" }),
    draw("path", { class: "post", d: "M14 20V180M106 20V180" }),
    draw("rect", { class: "cap", x: 8, y: 6, width: 104, height: 16, rx: 6 }),
    draw("rect", { class: "cap", x: 8, y: 178, width: 104, height: 16, rx: 6 }),
  );
  frame.replaceChildren(svg);
  return {
    /**
     * @param {number} share of the sand that is left above, 0–1
     * @param {boolean} running
     */
    show(share, running) {
      upper.setAttribute("d", upperSand(share));
      lower.setAttribute("d", lowerSand(1 - share));
      stream.classList.toggle("running", running && share > 0);
    },
    /** It is turned over, once. */
    flip() {
      if (isCalm()) return;
      svg.animate([{ transform: "rotate(-180deg)" }, { transform: "rotate(0)" }], {
        duration: 700,
        easing: "cubic-bezier(.3,1.3,.6,1)",
      });
    },
  };
}
