// @ts-check
// A player's own list as it was told last, kept on the phone: a reload without a connection shows it.

import { keep, kept } from "./page.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {{ round: number, name: string, words: { id: string, text: string, late?: boolean }[] }} Own */

const NAME = "own";

/**
 * What is kept: whose list it is, and the words of the round that is played which the service has.
 *
 * @param {Pick<State, "round" | "you">} state
 * @param {import("./queue.js").Line[]} lines of the list, the newest first
 * @returns {Own | null} null where nobody plays
 */
export function ownOf({ round, you }, lines) {
  if (!you) return null;
  const had = round.result ? [] : lines.filter(({ state }) => state === "sent" || state === "late").reverse();
  const words = had.map(({ id, text, state }) => ({ id, text, late: state === "late" }));
  return { round: round.number, name: you.name, words };
}

/** @param {Own | null} own */
export function keepOwn(own) {
  const text = own ? JSON.stringify(own) : "";
  if (text !== kept(NAME)) keep(NAME, text);
}

/** The list that was kept; null where nobody sits here. @returns {Own | null} */
export function keptOwn() {
  try {
    return JSON.parse(kept(NAME) || "null");
  } catch {
    return null;
  }
}
