// @ts-check
// What the referee's desk makes of the state and of its keys: pure functions.

/** @typedef {import("./types.js").Round} Round */
/** @typedef {import("./types.js").Question} Question */

/**
 * @typedef {object} Act something that may be done to the round now
 * @property {string} name of the route
 * @property {string} text key of its text
 * @property {string} icon
 * @property {boolean} [main] what the round waits for
 * @property {boolean} [asks] it cannot be taken back, and asks once
 * @property {boolean} [ends] nothing of this round can be settled afterwards
 */

/** The parts of the desk, in the order of their tabs. */
export const PARTS = /** @type {const} */ (["table", "doubts", "lists", "challenges", "log", "camera", "devices"]);

/** Seconds that a press of + grants, and that a round may get in all. */
export const EXTRA_S = 30;
export const MOST_EXTRA_S = 120;

/** Offers of a cell that are no faces, but ways out. */
const WAYS = new Set(["reroll", "cancel"]);

/** Digits choose among so many offers. */
const MOST_OFFERS = 9;

const GIVE_UP = { name: "cancel", text: "display.button.give_up", icon: "flag", asks: true };
const SHAKE = { name: "reroll", text: "display.question.reroll", icon: "shake", asks: true };
const EXTRA = { name: "extra-time", text: "display.button.more_time", icon: "plus" };

/** @type {Readonly<Record<string, Act[]>>} */
const ACTS = {
  idle: [press("display.start", "shake")],
  finished: [{ ...press("display.button.again", "shake"), ends: true }],
  cancelled: [press("display.button.again", "shake")],
  lid_open: [press("display.button.go_on", "play"), GIVE_UP],
  by_hand: [press("display.button.go_on", "play"), SHAKE, GIVE_UP],
  confirming: [SHAKE, GIVE_UP],
  ready: [press("display.button.turn", "hourglass"), SHAKE, GIVE_UP],
  paused: [{ name: "resume", text: "display.button.go_on", icon: "play", main: true }, EXTRA, SHAKE, GIVE_UP],
  collecting: [{ name: "close_lists", text: "display.button.close_lists", icon: "check", main: true, asks: true }, GIVE_UP],
  faulted: [press("display.button.clear", "check")],
};

/** @param {string} text @param {string} icon @returns {Act} */
function press(text, icon) {
  return { name: "press", text, icon, main: true };
}

/**
 * What a referee may do to a round where it stands, what it waits for first.
 *
 * @param {Pick<Round, "phase" | "unhurried" | "offered">} round
 * @returns {Act[]}
 */
export function actsOf({ phase, unhurried, offered }) {
  if (phase !== "running") return ACTS[phase] ?? [GIVE_UP];
  const pause = { name: "pause", text: "display.button.pause", icon: "pause", main: true };
  if (unhurried) {
    const last = { name: "last_chance", text: "display.button.last_chance", icon: "hourglass", asks: true };
    return [pause, last, { name: "agree", text: "display.button.agree", icon: "check", asks: true }, SHAKE, GIVE_UP];
  }
  const done = { name: "hold", text: "display.button.done", icon: "check", asks: true };
  return [pause, EXTRA, ...(offered === "done" ? [done] : []), SHAKE, GIVE_UP];
}

/**
 * The readings of a cell that digits choose: those before the ways out.
 *
 * @param {Pick<Question, "offers">} question
 */
export function readingsOf({ offers }) {
  const end = offers.findIndex((offer) => WAYS.has(offer));
  return offers.slice(0, end < 0 ? MOST_OFFERS : Math.min(end, MOST_OFFERS));
}

/**
 * A face as boards write it: a capital, then small letters.
 *
 * @param {string} typed
 */
export function faceOf(typed) {
  const text = typed.trim().normalize("NFC");
  const [first = "", ...rest] = text;
  return first.toUpperCase() + rest.join("").toLowerCase();
}

/**
 * Whether a text can be a face.
 *
 * @param {string} face as of `faceOf`
 */
export function isFace(face) {
  return /^(\p{Lu}\p{Ll}{0,2}|#|_)$/u.test(face);
}

/**
 * What a key asks for where nothing is being typed; null for nothing.
 *
 * @param {{ key: string, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean }} event
 * @param {{ part: string, onButton: boolean }} where the part that is open; whether a control has
 *   the focus, which takes Enter and the space bar itself
 * @returns {{ does: string, value?: string | number } | null}
 */
export function wishOf({ key, ctrlKey, metaKey, altKey }, { part, onButton }) {
  if (altKey) return null;
  if (ctrlKey || metaKey) return key.toLowerCase() === "z" ? { does: "undo" } : null;
  if (key === "?") return { does: "help" };
  if (key === "ArrowLeft" || key === "ArrowRight") return { does: "part", value: key === "ArrowLeft" ? -1 : 1 };
  if (onButton && (key === "Enter" || key === " ")) return null;
  if (key === " ") return { does: "stop-or-go" };
  if (key === "+") return { does: "extra" };
  return ofPart(key, part);
}

/** @param {string} key @param {string} part */
function ofPart(key, part) {
  if (key === "ArrowUp" || key === "ArrowDown") return { does: "move", value: key === "ArrowUp" ? -1 : 1 };
  if (part === "doubts") return ofDoubts(key);
  if (part === "lists") return ofLists(key);
  return null;
}

/** @param {string} key */
function ofDoubts(key) {
  if (/^[1-9]$/.test(key)) return { does: "choose", value: Number(key) - 1 };
  if (key === "Enter") return { does: "take" };
  if (key === "-") return { does: "strike" };
  return /^(\p{L}|#|_)$/u.test(key) ? { does: "type", value: key } : null;
}

/** @param {string} key */
function ofLists(key) {
  if (key === "-" || key === "Delete") return { does: "strike" };
  if (key === "Enter") return { does: "restore" };
  return key === "c" ? { does: "challenge" } : null;
}

/**
 * The part that is so many tabs away; the last one leads to the first.
 *
 * @param {string} part
 * @param {number} steps
 * @param {readonly string[]} [parts]
 */
export function partBeside(part, steps, parts = PARTS) {
  const place = parts.indexOf(part) + steps;
  return parts[(place + parts.length) % parts.length] ?? part;
}

/**
 * Where a choice moves among so many; it stops at the ends.
 *
 * @param {number} place
 * @param {number} steps
 * @param {number} count
 */
export function moved(place, steps, count) {
  return Math.max(0, Math.min(count - 1, place + steps));
}

/**
 * What was said before, below what is new: the least sure words first, those that were settled gone.
 *
 * @template {{ confidence: number }} W
 * @param {W[]} words
 */
export function leastSureFirst(words) {
  return [...words].sort((one, other) => one.confidence - other.confidence);
}

/**
 * Words of a challenge as they were typed, each once.
 *
 * @param {string} typed divided by spaces, commas or lines
 */
export function wordsIn(typed) {
  const words = typed.split(/[\s,;]+/u).map((word) => word.normalize("NFC").toLowerCase());
  return [...new Set(words.filter(Boolean))];
}

/**
 * A time to wait, in whole seconds that never end too early.
 *
 * @param {number} until milliseconds of a clock
 * @param {number} now of the same
 */
export function waitLeft(until, now) {
  return Math.max(0, Math.ceil((until - now) / 1000));
}
