// @ts-check
// What the parts of the desk share.

/**
 * @typedef {object} Desk
 * @property {import("./texts.js").Texts} texts
 * @property {(method: string, path: string, body?: unknown) => Promise<import("./api.js").Answer>} send
 *   asks the service, and complains where it refuses
 * @property {import("./referee_sure.js").Sure} sure
 * @property {(text: string) => void} tell says what was done, aloud too
 * @property {(word: string) => void} challenge takes a word to the challenges
 * @property {() => void} undone asks what can be taken back now
 */

/**
 * A part of the desk.
 *
 * @typedef {object} Part
 * @property {(state: import("./types.js").State) => void} [show] a newer state
 * @property {() => void} [open] it is looked at now
 * @property {(wish: { does: string, value?: string | number }) => boolean} [obey] a key; whether it
 *   meant anything here
 */

/**
 * A time of a clock on the wall, as the language writes it.
 *
 * @param {number} seconds since 1970
 * @param {string} language
 */
export function timeOf(seconds, language) {
  return new Intl.DateTimeFormat(language, { timeStyle: "medium" }).format(new Date(seconds * 1000));
}

/** @param {number} seconds @param {string} language */
export function dateOf(seconds, language) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(seconds * 1000));
}
