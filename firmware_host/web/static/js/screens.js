// @ts-check
// What the display shows between rounds besides the table: statistics, and whether the shaker is fair.

import { ask } from "./api.js";
import { icon, make } from "./dom.js";

/** @typedef {import("./types.js").Rounds} Rounds */
/** @typedef {import("./types.js").Credit} Credit */
/** @typedef {import("./types.js").Fairness} Fairness */
/** @typedef {import("./types.js").ShakerTest} ShakerTest */
/** @typedef {import("./texts.js").Texts} Texts */

/** Players that a table has room for. */
const MOST_PLAYERS = 8;

/** How often an answer is asked for that takes longer than it is waited for: it is being worked out. */
const MOST_TRIES = 12;

/**
 * Show a screen in a place; the last one that was asked for stays.
 *
 * @param {HTMLElement} place
 * @param {"stats" | "fairness"} name
 * @param {Texts} texts
 */
export async function showScreen(place, name, texts) {
  place.dataset.screen = name;
  place.replaceChildren(make("p", { class: "lead", role: "status" }, texts.say("screens.busy")));
  const answer = await patiently(name === "stats" ? "/api/statistics" : "/api/fairness", () => place.dataset.screen === name);
  if (place.dataset.screen !== name) return;
  if (!answer.ok) place.replaceChildren(make("p", { class: "lead", role: "alert" }, texts.say("screens.failed")));
  else place.replaceChildren(...(name === "stats" ? statsOf(answer.document, texts) : fairnessOf(answer.document, texts)));
}

/** @param {string} path @param {() => boolean} isWanted */
async function patiently(path, isWanted) {
  let answer = await ask("GET", path);
  for (let tries = 1; answer.status === 0 && tries < MOST_TRIES && isWanted(); tries += 1) answer = await ask("GET", path);
  return answer;
}

/** @param {{ evening: Rounds, all: Rounds }} told @param {Texts} texts */
function statsOf({ evening, all }, texts) {
  if (!all.rounds) return [make("p", { class: "lead" }, texts.say("stats.none"))];
  return [
    make("div", { class: "sums" }, sums("stats.evening", evening, texts), sums("stats.all", all, texts)),
    make("section", { class: "card" }, make("h2", {}, texts.say("stats.points")), standings(evening, texts)),
  ];
}

/** @param {string} title @param {Rounds} rounds @param {Texts} texts */
function sums(title, rounds, texts) {
  const found = texts.say("stats.found_of", { found: rounds.found, possible: rounds.possible });
  return make(
    "section",
    { class: "card", "data-testid": title },
    make("h2", {}, texts.say(title)),
    make(
      "dl",
      { class: "facts" },
      ...fact(texts.say("stats.rounds"), texts.number(rounds.rounds)),
      ...fact(texts.say("stats.found"), found),
      ...fact(texts.say("stats.best"), creditText(rounds.best, texts)),
      ...fact(texts.say("stats.longest"), creditText(rounds.longest, texts)),
    ),
  );
}

/** @param {string} name @param {string} value */
function fact(name, value) {
  return [make("dt", {}, name), make("dd", { class: "figures" }, value)];
}

/**
 * A word, whose it was, and in which round.
 *
 * @param {Credit | null} credit
 * @param {Texts} texts
 */
export function creditText(credit, texts) {
  return credit ? texts.say("stats.by", { word: credit.word, name: credit.name, number: credit.number }) : texts.say("stats.nothing");
}

/** @param {Rounds} rounds @param {Texts} texts */
function standings({ players }, texts) {
  if (!players.length) return make("p", {}, texts.say("stats.nobody"));
  const columns = ["name", "sum", "won", "played", "words"];
  const rows = players.slice(0, MOST_PLAYERS).map((one) =>
    row([one.name, ...[one.points, one.won, one.rounds, one.words].map(texts.number)]),
  );
  return table(columns.map((name) => texts.say(`stats.${name}`)), rows);
}

/** @param {string[]} heads @param {HTMLElement[]} rows */
function table(heads, rows) {
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  return make("table", { class: "figures" }, make("thead", {}, head), make("tbody", {}, ...rows));
}

/** @param {(string | Node)[]} cells the first one names the row */
function row([first, ...others]) {
  return make("tr", {}, make("th", { scope: "row" }, first ?? ""), ...others.map((cell) => make("td", {}, cell)));
}

/** @param {Fairness} told @param {Texts} texts */
function fairnessOf(told, texts) {
  const { verdict, shakes, fewest, tests } = told;
  const heard = make(
    "section",
    { class: "card", "data-testid": "verdict" },
    make("h2", {}, texts.say(`fairness.${verdict}`)),
    make("p", {}, texts.say(`fairness.${verdict}_note`, { count: fewest, shakes })),
    told.simulated && make("p", { class: "soft" }, texts.say("fairness.simulated")),
    make("dl", { class: "facts" }, ...fact(texts.say("fairness.shakes"), texts.number(shakes)), ...edition(told, texts)),
  );
  return tests.length ? [heard, testsCard(tests, texts)] : [heard];
}

/** @param {Fairness} told @param {Texts} texts */
function edition({ edition: name }, texts) {
  return name ? fact(texts.say("fairness.cubes"), name) : [];
}

/** @param {ShakerTest[]} tests @param {Texts} texts */
function testsCard(tests, texts) {
  const heads = ["test", "seen", "expected", "needed", "verdict"].map((name) => texts.say(`fairness.${name}`));
  const rows = tests.map((one) =>
    row([testName(one, texts), percent(one.seen, texts), percent(one.fair, texts), texts.number(one.shakes_needed), verdictMark(one, texts)]),
  );
  return make("section", { class: "card" }, table(heads, rows), make("p", { class: "soft" }, texts.say("fairness.more")));
}

/** @param {ShakerTest} test @param {Texts} texts */
function testName({ test, cube, what }, texts) {
  return cube ? texts.say("fairness.cube", { cube, what: what ?? "" }) : texts.say(`fairness.${test}`);
}

/** @param {number} share @param {Texts} texts */
function percent(share, texts) {
  return new Intl.NumberFormat(texts.language, { style: "percent", maximumFractionDigits: 1 }).format(share);
}

/**
 * What a test says: a sign and a word.
 *
 * @param {Pick<ShakerTest, "unfair" | "enough">} test
 */
export function verdictOf({ unfair, enough }) {
  if (unfair) return "bad";
  return enough ? "ok" : "open";
}

/** @param {ShakerTest} test @param {Texts} texts */
function verdictMark(test, texts) {
  const verdict = verdictOf(test);
  const sign = { ok: "check", bad: "flag", open: "wait" }[verdict];
  return make("span", { class: "state", "data-verdict": verdict }, icon(sign), texts.say(`fairness.${verdict}`));
}
