// @ts-check
// What the pages of a hall share: the feed, and the tables they draw of it.

import { make } from "./dom.js";

/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {{ round: number, table: number, points: number, wins: number }} Played */
/** @typedef {{ rank: number, name: string, team: string, by_round: Played[] } & Record<string, any>} Standing */
/** @typedef {{ table: number, players: string[], complete: boolean }} Table */
/** @typedef {{ number: number, started: boolean, tables: Table[], byes: string[] }} Round */
/** @typedef {import("./notice.js").Notice} Notice */
/**
 * @typedef {object} Feed
 * @property {string} title
 * @property {number} now
 * @property {{ planned: number, counted: number }} rounds
 * @property {string[]} criteria
 * @property {Round | null} round
 * @property {Record<string, Standing[]>} standings
 * @property {Notice | null} notice
 */

/** Milliseconds between two questions. */
const PAUSE = 2000;

/** Milliseconds after which an answer is no longer awaited. */
const PATIENCE = 8000;

/**
 * Follow the feed for as long as the page is there.
 *
 * @param {(feed: Feed, ahead: number) => void} tell with the seconds that the service's clock is ahead
 * @param {(online: boolean) => void} [connection]
 */
export async function follow(tell, connection = () => {}) {
  let tag = "";
  for (;;) {
    const answer = await asked(tag);
    connection(answer !== null);
    if (answer?.status === 200) {
      tag = answer.headers.get("etag") ?? "";
      const feed = await answer.json();
      tell(feed, feed.now - Date.now() / 1000);
    }
    await new Promise((wake) => setTimeout(wake, PAUSE));
  }
}

/** @param {string} tag of the last answer */
async function asked(tag) {
  try {
    const headers = tag ? { "If-None-Match": tag } : undefined;
    const answer = await fetch("/api/live", { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    return answer.status < 500 ? answer : null;
  } catch {
    return null;
  }
}

/**
 * A table of ranks.
 *
 * @param {Feed} feed @param {Standing[]} standings @param {string} caption @param {Texts} texts
 */
export function ranks(feed, standings, caption, texts) {
  const heads = ["rank", "player", ...feed.criteria].map((name) =>
    make("th", { scope: "col", class: name === "player" ? null : "number" }, texts.say(`hall.${name}`)),
  );
  const rows = standings.map((each) =>
    make(
      "tr",
      {},
      make("td", { class: "number" }, texts.number(each.rank)),
      make("th", { scope: "row" }, each.name),
      ...feed.criteria.map((name) => make("td", { class: "number" }, texts.number(each[name]))),
    ),
  );
  return make(
    "table",
    { class: "ranks" },
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...heads)),
    make("tbody", {}, ...rows),
  );
}

/**
 * Every player and where they sit, by name.
 *
 * @param {Round} round @param {Texts} texts
 * @returns {[string, string][]}
 */
export function seats(round, texts) {
  const seated = round.tables.flatMap(({ table, players }) =>
    players.map((name) => /** @type {[string, string]} */ ([name, texts.say("hall.table", { number: table })])),
  );
  const byes = round.byes.map((name) => /** @type {[string, string]} */ ([name, texts.say("hall.bye")]));
  return [...seated, ...byes].sort(([one], [other]) => one.localeCompare(other, texts.language));
}
