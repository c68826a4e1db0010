// @ts-check
// What is waited for longer than usual: by the time, and by what failed and is tried again.

import { slot, write } from "./dom.js";
import { slowKey } from "./state.js";

/** @typedef {import("./faults.js").Fault} Fault */
/** @typedef {import("./types.js").Round} Round */

/**
 * Tells a fault in two elements. What tells it in the language of the page comes with the first one.
 *
 * @param {import("./texts.js").Texts} texts
 * @param {HTMLElement} what
 * @param {HTMLElement} advice
 */
export function makeTold(texts, what, advice) {
  /** @type {Promise<ReturnType<import("./faults.js").makeFaults>> | null} not before there is a fault */
  let faults = null;

  /** @param {Fault | null} fault */
  return (fault) => {
    if (!faults) {
      write(what, fault?.message ?? "");
      write(advice, fault?.advice ?? "");
    }
    if (fault) faults ??= import("./faults.js").then(({ makeFaults }) => makeFaults(texts));
    faults?.then(({ show }) => show(fault, what, advice));
  };
}

/**
 * Shows it where a page has the places for it: to be called with each state, and now and then.
 *
 * @param {import("./texts.js").Texts} texts
 */
export function makeSlow(texts) {
  const told = makeTold(texts, slot("slow-what"), slot("slow-do"));
  let [phase, since, drawn, failed] = ["", 0, "", false];

  /** @param {Round} round @param {number} now milliseconds */
  return (round, now) => {
    if (round.phase !== phase) [phase, since, failed] = [round.phase, now, false];
    failed ||= round.waits_for !== null;
    const key = slowKey(round, now - since, failed);
    const wanted = JSON.stringify([key, round.waits_for]);
    if (wanted === drawn) return;
    drawn = wanted;
    write(slot("slow"), key && texts.say(key));
    told(key ? round.waits_for : null);
  };
}
