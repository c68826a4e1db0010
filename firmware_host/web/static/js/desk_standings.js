// @ts-check
// Standings at the desk, as they are or were after a round; how a player's rank came about.

import { card, field, lines, note, offer, select } from "./desk_parts.js";
import { make } from "./dom.js";

/** @typedef {import("./desk_types.js").Context} Context */
/** @typedef {{ rank: number, name: string } & Record<string, any>} Standing */
/**
 * @typedef {object} Standings
 * @property {number} rounds
 * @property {Record<string, Standing[]>} standings
 * @property {{ rank: number, name: string, counted: string[] }[]} teams
 * @property {{ title: string, winners: string[], why: string }[]} prizes
 * @property {{ round: number, board: number, table: number }[]} missing
 * @property {string[]} [explained]
 */

/** What stands beside the criteria in a line of the standings. */
const OTHER = new Set(["rank", "name", "by_round", "long_words"]);

/** @param {Standing | undefined} standing @returns {string[]} names of the criteria, first to last */
export function criteriaOf(standing) {
  return Object.keys(standing ?? {}).filter((name) => !OTHER.has(name));
}

/** @param {() => Context} context */
export function makeStandings(context) {
  const { texts } = context();
  const after = select("standings-after", []);
  const lacking = make("p", { class: "soft" });
  const tables = make("div", { class: "stack", "data-testid": "standings" });
  const title = make("h3", { tabindex: "-1", "data-testid": "explained-title", hidden: true });
  const explained = make("ul", { class: "why", lang: "en", "data-testid": "explained" });
  const prizes = make("ul", { class: "lines", "data-testid": "prizes" });
  let chosen = "";

  after.addEventListener("change", () => load());
  const element = card(
    texts.say("desk.results.standings"),
    field(texts.say("desk.results.after"), after, "short"),
    lacking,
    tables,
    title,
    explained,
    prizes,
  );

  async function load() {
    const query = new URLSearchParams();
    if (after.value) query.set("after", after.value);
    if (chosen) query.set("explain", chosen);
    const answer = await context().api("GET", `/api/standings?${query}`);
    if (answer.ok) draw(answer.document);
    return answer.ok;
  }

  /** @param {Standings} told */
  function draw(told) {
    note(lacking, told.missing.length ? texts.count("desk.results.lacking", told.missing.length) : "");
    const focused = document.activeElement?.getAttribute("data-explain");
    tables.replaceChildren(...Object.entries(told.standings).map(([division, ranked]) => table(division, ranked, told)));
    note(title, told.explained ? texts.say("desk.results.explained", { name: chosen }) : "");
    lines(explained, told.explained ?? []);
    lines(prizes, told.prizes.map(prizeText));
    if (focused) /** @type {HTMLElement | null} */ (tables.querySelector(`[data-explain="${CSS.escape(focused)}"]`))?.focus();
  }

  /** @param {{ title: string, winners: string[], why: string }} prize */
  function prizeText({ title: name, winners }) {
    return `${name}: ${winners.length ? texts.names(winners) : "–"}`;
  }

  /** @param {string} division @param {Standing[]} ranked @param {Standings} told */
  function table(division, ranked, told) {
    const criteria = criteriaOf(ranked[0]);
    const several = Object.keys(told.standings).length > 1;
    const head = ["rank", "player", ...criteria].map((name) => make("th", { scope: "col" }, texts.say(`hall.${name}`)));
    return make(
      "div",
      { class: "scroller", tabindex: "0", role: "group", "aria-label": division },
      make(
        "table",
        { class: "entries ranked" },
        make("caption", { class: several ? null : "unseen" }, several ? division : texts.say("desk.results.standings")),
        make("thead", {}, make("tr", {}, ...head)),
        make("tbody", {}, ...ranked.map((each) => row(each, criteria))),
      ),
    );
  }

  /** @param {Standing} standing @param {string[]} criteria */
  function row(standing, criteria) {
    const why = make(
      "button",
      { class: "link", type: "button", "data-explain": standing.name, "aria-label": texts.say("desk.results.why_rank", { name: standing.name }) },
      standing.name,
    );
    why.addEventListener("click", () => explain(standing.name));
    return make(
      "tr",
      { "data-player": standing.name },
      make("td", { class: "figures" }, texts.number(standing.rank)),
      make("th", { scope: "row" }, why),
      ...criteria.map((name) => make("td", { class: "figures" }, texts.number(standing[name]))),
    );
  }

  /** @param {string} name */
  async function explain(name) {
    chosen = name;
    if (await load()) title.focus();
  }

  /** @param {Context} now */
  function offerRounds({ state }) {
    const drawn = state.event.round?.number ?? 0;
    const rounds = Array.from({ length: drawn }, (_, place) => String(drawn - place));
    offer(after, [["", texts.say("desk.results.now")], ...rounds.map((n) => /** @type {[string, string]} */ ([n, texts.say("desk.results.round_n", { number: n })]))]);
  }

  return { element, load, offerRounds };
}
