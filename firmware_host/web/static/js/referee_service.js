// @ts-check
// The routes of the service that the desk uses, and what it makes of their documents.

/** @typedef {import("./referee_desk.js").Desk} Desk */
/** @typedef {import("./referee_doubts.js").Word} Word */
/** @typedef {import("./referee_log.js").Entry} Entry */

/**
 * @typedef {object} Read a word on paper, as the service tells it
 * @property {string} id
 * @property {string} player
 * @property {string} text
 * @property {number} confidence
 * @property {{ text: string, probability: number }[]} alternatives
 * @property {boolean} struck
 * @property {boolean} doubtful
 * @property {object | null} said
 * @property {string} crop_url
 *
 * @typedef {import("./referee_desk.js").Decided & { by: string, at: number | null, undoable: boolean }} Decision
 */

/** The last photo of the tray. */
export const PHOTO = "/api/photo";

/** Readings that are offered of a word. */
const MOST_READINGS = 3;

/** Entries of the log in one answer, at most. */
export const PAGE = 200;

/**
 * What is still to be settled, as doubts of the desk.
 *
 * @param {Read[]} words
 * @returns {Word[]}
 */
export function openWords(words) {
  return words.filter(({ doubtful, said }) => doubtful && !said).map(({ id, player, confidence, crop_url, ...read }) => ({
    id, player, confidence, crop_url, offers: offersOf(read),
  }));
}

/**
 * What a word may be, the likeliest first; one that looks crossed out is that first of all.
 *
 * @param {Pick<Read, "text" | "alternatives" | "struck">} read
 * @returns {import("./referee_doubts.js").Offer[]}
 */
export function offersOf({ text, alternatives, struck }) {
  const shares = new Map(alternatives.map((one) => [one.text, one.probability]));
  const texts = [...new Set([text, ...shares.keys()])].filter(Boolean).slice(0, MOST_READINGS);
  const read = texts.map((one) => ({ text: one, struck: false, share: shares.get(one) ?? null }));
  return struck ? [{ text, struck: true, share: null }, ...read] : read;
}

/** @param {Desk} desk */
export function makeService({ send }) {
  /** @param {string} path */
  const get = async (path) => {
    const answer = await send("GET", path);
    return answer.ok ? answer.document : null;
  };
  /** @param {string} path @param {unknown} body */
  const post = async (path, body) => (await send("POST", path, body)).ok;

  return {
    words: async () => {
      const words = await get("/api/review");
      return words && openWords(words);
    },
    /** @param {Word} word @param {string} text @param {boolean} struck */
    settle: ({ id }, text, struck) => post(`/api/review/${id}`, { text, struck }),
    /** @param {string} word @param {"strike" | "allow" | "challenge"} kind */
    rule: (word, kind) => post("/api/decisions", { kind, word }),
    /** @returns {Promise<Decision[]>} the last one first */
    decisions: async () => (await get("/api/decisions")) ?? [],
    /** Another that was made meanwhile stays. @param {number} number of the decision, from 0 */
    undo: (number) => post("/api/decisions", { kind: "undo", number }),
    /** @param {string[]} words @param {string} mode @returns {Promise<import("./referee_challenges.js").Verdict | null>} */
    judge: async (words, mode) => {
      const answer = await send("POST", "/api/challenges", { words, mode });
      return answer.ok ? answer.document : null;
    },
    /** @param {number | null} seconds those of the house where none are given */
    beginClock: async (seconds) => (await send("PUT", "/api/challenges/clock", { seconds })).ok,
    dropClock: async () => (await send("DELETE", "/api/challenges/clock")).ok,
    /** @param {number} since @returns {Promise<Entry[] | null>} the oldest first, `PAGE` at most */
    log: (since) => get(`/api/log?since=${since}`),
    /** @returns {Promise<import("./referee_machine.js").Machine | null>} */
    machine: () => get("/api/devices"),
    displayLink: async () => {
      const answer = await send("POST", "/api/display-link");
      return answer.ok ? answer.document.url : null;
    },
  };
}

/** @typedef {ReturnType<typeof makeService>} Service */

