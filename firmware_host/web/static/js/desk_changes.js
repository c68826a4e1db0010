// @ts-check
// What a correction changes, or would change: places before and after, and by which rounds.

import { make } from "./dom.js";

/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {{ rank: number } & Record<string, any>} Place */
/**
 * @typedef {object} Change
 * @property {string} division
 * @property {string} name
 * @property {Place | null} before
 * @property {Place | null} after
 * @property {{ round: number, before: string, after: string }[]} why
 */
/** @typedef {{ entered: boolean, entries: number[], changes: Change[], criteria: string[] }} Corrected */

/** Of a ranking by many criteria, long words are a line of numbers that says nothing here. */
const LONG = "long_words";

/**
 * The criteria in which two places differ, the rank among them, as texts before and after.
 *
 * @param {Change} change @param {string[]} criteria @param {Texts} texts
 * @returns {{ name: string, before: string, after: string }[]}
 */
export function differences({ before, after }, criteria, texts) {
  const names = ["rank", ...criteria.filter((name) => name !== LONG)];
  return names
    .map((name) => ({ name, before: valueOf(before, name, texts), after: valueOf(after, name, texts) }))
    .filter((each) => each.before !== each.after);
}

/** @param {Place | null} place @param {string} name @param {Texts} texts */
function valueOf(place, name, texts) {
  return place === null ? "–" : texts.number(place[name]);
}

/**
 * Fill an element with what changes.
 *
 * @param {HTMLElement} root @param {Corrected | null} told null shows nothing @param {Texts} texts
 */
export function showChanges(root, told, texts) {
  root.hidden = told === null;
  if (told === null) return root.replaceChildren();
  const title = told.entered ? "desk.changes.done" : "desk.changes.would";
  const none = told.changes.length ? null : make("p", {}, texts.say("desk.changes.none"));
  root.replaceChildren(
    make("h3", {}, texts.say(title)),
    ...(none ? [none] : [make("ul", { class: "changes" }, ...told.changes.map((each) => lineOf(each, told.criteria, texts)))]),
  );
}

/** @param {Change} change @param {string[]} criteria @param {Texts} texts */
function lineOf(change, criteria, texts) {
  const parts = differences(change, criteria, texts).map(({ name, before, after }) =>
    make("span", { class: "figures" }, texts.say("desk.changes.from_to", { what: texts.say(`hall.${name}`), before, after })),
  );
  const why = change.why.flatMap(({ before, after }) => [
    before ? make("li", { lang: "en" }, make("s", {}, before)) : null,
    after ? make("li", { lang: "en" }, after) : null,
  ]);
  return make(
    "li",
    { "data-player": change.name },
    make("b", {}, change.name),
    make("span", { class: "row" }, ...parts),
    make("ul", { class: "why soft" }, ...why),
  );
}
