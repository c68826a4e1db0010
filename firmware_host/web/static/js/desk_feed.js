// @ts-check
// Follows the state of a desk: asked for twice a second, an answer is empty while nothing changes.

import { documentOf } from "./api.js";

/** @typedef {import("./desk_types.js").DeskState} DeskState */

/** Milliseconds between two questions: with the station's half second that is less than one. */
export const PAUSE = 400;

/** Milliseconds after which an answer is no longer awaited. */
const PATIENCE = 8000;

/**
 * Follow the state until nobody here knows who asks.
 *
 * @param {object} wants
 * @param {(state: DeskState) => void} wants.onState each newer state
 * @param {(online: boolean) => void} wants.onLine whenever the connection is lost or back
 * @param {(problem: string) => void} wants.onTrouble what keeps the desk from telling; empty for nothing
 * @param {() => void} wants.onStranger there is no session, or it has ended
 * @returns {{ hurry: () => void }} has it asked at once
 */
export function follow({ onState, onLine, onTrouble, onStranger }) {
  let tag = "";
  let wake = () => {};

  /** @param {Response} answer */
  async function take(answer) {
    if (answer.status === 200) {
      tag = answer.headers.get("etag") ?? "";
      onState(await answer.json());
    }
    const problem = answer.ok || answer.status === 304 ? null : await documentOf(answer);
    onTrouble(problem?.detail ?? "");
  }

  async function run() {
    for (;;) {
      const answer = await asked(tag);
      if (answer?.status === 401) return onStranger();
      onLine(answer !== null);
      if (answer) await take(answer);
      await new Promise((resolve) => {
        wake = () => resolve(null);
        setTimeout(wake, PAUSE);
      });
    }
  }

  run();
  return { hurry: () => wake() };
}

/** @param {string} tag of the last answer */
async function asked(tag) {
  try {
    const headers = tag ? { "If-None-Match": tag } : undefined;
    return await fetch("/api/desk", { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    return null;
  }
}
