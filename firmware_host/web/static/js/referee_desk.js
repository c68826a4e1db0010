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
 * @property {() => number} unsettled how many words on paper are still doubtful
 */

/** @typedef {{ kind: string, word: string, player: string }} Decided */

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
 * A job that is done once more where it was asked for while it was at it, however often.
 *
 * @param {() => Promise<unknown>} job
 * @returns {() => Promise<void>}
 */
export function oneAtATime(job) {
  let [busy, again] = [false, false];
  return async () => {
    again = true;
    if (busy) return;
    busy = true;
    try {
      while (again) {
        again = false;
        await job();
      }
    } finally {
      busy = false;
    }
  };
}

/**
 * Who did something: a player by name, a role by its word.
 *
 * @param {string} who as the log has it
 * @param {import("./texts.js").Texts} texts
 */
export function whoOf(who, texts) {
  const role = `referee.who.${who}`;
  return texts.has(role) ? texts.say(role) : who || "–";
}

/**
 * What was decided, and on whose list where it is about one alone.
 *
 * @param {Decided} decided
 * @param {import("./texts.js").Texts} texts
 */
export function decidedText({ kind, word, player }, texts) {
  const what = texts.say(`referee.decision.${kind}`, { word });
  return player ? texts.say("referee.decision.on_list", { what, player }) : what;
}

/**
 * The language of times: that of the page, as it is written where the browser is.
 *
 * @param {string} page
 * @param {string} browser such as de-AT
 */
export function localeOf(page, browser) {
  return browser.split("-")[0] === page ? browser : page;
}

/**
 * A time of a clock on the wall.
 *
 * @param {number} seconds since 1970
 * @param {string} language of the page
 */
export function timeOf(seconds, language) {
  return written(seconds, language, { timeStyle: "medium" });
}

/**
 * The same with its day.
 *
 * @param {number} seconds
 * @param {string} language
 */
export function dateOf(seconds, language) {
  return written(seconds, language, { dateStyle: "medium", timeStyle: "medium" });
}

/** @param {number} seconds @param {string} language @param {Intl.DateTimeFormatOptions} style */
function written(seconds, language, style) {
  return new Intl.DateTimeFormat(localeOf(language, navigator.language), style).format(new Date(seconds * 1000));
}
