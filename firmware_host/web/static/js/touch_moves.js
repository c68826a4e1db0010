// @ts-check
// Moves on their way to the service: one after the other, each with its id, kept through a lost
// connection and a reload, and taken once however often they are sent.

import { makeId } from "./ids.js";

/**
 * @typedef {Record<string, unknown> & { id: string, type: string, player: string, round: number }} Move
 * @typedef {import("./api.js").Answer} Answer
 * @typedef {{ load: () => string, save: (text: string) => void }} Store
 */

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;

/** @param {Answer} answer whether the same may work later */
export function mayWorkLater({ status }) {
  return status === 0 || status === 429 || status >= 500;
}

/**
 * A queue of moves.
 *
 * @param {{ send: (move: Move) => Promise<Answer>, store: Store,
 *   onAnswer: (move: Move, answer: Answer) => void, onLine: (online: boolean) => void,
 *   wait?: (then: () => void, ms: number) => void }} parts
 */
export function makeMoves({ send, store, onAnswer, onLine, wait = setTimeout }) {
  /** @type {Move[]} */
  const queue = restored(store.load());
  let sending = false;
  let failures = 0;

  const save = () => store.save(queue.length ? JSON.stringify(queue) : "");

  async function pump() {
    const move = queue[0];
    if (sending || !move) return;
    sending = true;
    const answer = await send(move);
    sending = false;
    const later = mayWorkLater(answer);
    failures = later ? failures + 1 : 0;
    onLine(answer.status !== 0);
    if (later) {
      wait(pump, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 8)));
      return;
    }
    queue.shift();
    save();
    onAnswer(move, answer);
    pump();
  }

  return {
    /** @param {Omit<Move, "id">} move */
    add(move) {
      queue.push(/** @type {Move} */ ({ id: makeId(), ...move }));
      save();
      pump();
    },
    pump,
    waiting: () => [...queue],
    isStuck: () => failures > 0,
  };
}

/** @param {string} text @returns {Move[]} */
function restored(text) {
  try {
    const moves = JSON.parse(text || "[]");
    return Array.isArray(moves) ? moves : [];
  } catch {
    return []; // somebody else's
  }
}
