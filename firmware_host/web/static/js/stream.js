// @ts-check
// The stream of states: one connection that comes back by itself. Each message is complete, so that
// nothing is missed by a page that was away.

import { ask } from "./api.js";

/** @typedef {import("./types.js").State} State */

/** Milliseconds before the first and before the last of many tries. */
const FIRST = 500;
const LONGEST = 8000;

/** Milliseconds without a message after which the service is asked whether it is still there. */
const SILENCE = 30_000;

/** Code with which the service ends the stream of somebody whom it does not know. */
const NOT_KNOWN = 4401;

/**
 * How long to wait before trying again. Chance spreads phones that lost the table together.
 *
 * @param {number} failures in a row, from 1
 * @param {number} chance 0–1
 */
export function delayBefore(failures, chance) {
  const longest = Math.min(LONGEST, FIRST * 2 ** (failures - 1));
  return longest / 2 + (longest / 2) * chance;
}

/**
 * The address of the stream.
 *
 * @param {{ protocol: string, host: string }} place of the page
 * @param {string} [as] a role that sees less than this visitor may
 */
export function streamUrl(place, as = "") {
  const scheme = place.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${place.host}/api/stream${as && `?as=${as}`}`;
}

/**
 * Listen to the stream as long as the page lives, or until nobody here knows who listens.
 *
 * @param {object} wants
 * @param {(state: State) => void} wants.onState each newer state
 * @param {(online: boolean) => void} wants.onLine whenever the connection is lost or back
 * @param {() => void} wants.onStranger there is no session, or it has ended
 * @param {string} [wants.as] as of `streamUrl`
 */
export function listen({ onState, onLine, onStranger, as = "" }) {
  let failures = 0;
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let again;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let silence;

  function connect() {
    clearTimeout(again);
    socket = new WebSocket(streamUrl(location, as));
    socket.addEventListener("message", take);
    socket.addEventListener("close", end);
    watchSilence();
  }

  /** @param {MessageEvent<string>} message */
  function take(message) {
    failures = 0;
    watchSilence();
    onLine(true);
    onState(JSON.parse(message.data).state);
  }

  /** @param {CloseEvent} event */
  function end({ code }) {
    clearTimeout(silence);
    if (code === NOT_KNOWN) return onStranger();
    failures += 1;
    onLine(false);
    again = setTimeout(connect, delayBefore(failures, Math.random()));
  }

  // Nothing may have happened, or a phone slept and does not know that its connection is gone.
  function watchSilence() {
    clearTimeout(silence);
    silence = setTimeout(probe, SILENCE);
  }

  async function probe() {
    const { ok, status } = await ask("GET", `/api/state${as && `?as=${as}`}`);
    if (ok) watchSilence();
    else if (status === 0 || status >= 500) socket?.close();
  }

  function wake() {
    if (document.visibilityState !== "visible") return;
    if (socket?.readyState === WebSocket.CLOSED && failures) connect();
    else probe();
  }

  addEventListener("online", wake);
  addEventListener("pageshow", ({ persisted }) => persisted && wake());
  document.addEventListener("visibilitychange", wake);
  connect();
}
