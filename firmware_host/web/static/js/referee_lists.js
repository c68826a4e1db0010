// @ts-check
// The lists with their verdicts: words are struck, allowed, or taken to a challenge.

import { make, slot } from "./dom.js";
import { moved } from "./referee_state.js";

/** @typedef {import("./referee_desk.js").Desk} Desk */
/** @typedef {import("./types.js").Result} Result */
/** @typedef {import("./types.js").Judged} Judged */

/**
 * Whether a referee would rather strike a word than allow it.
 *
 * @param {Judged} judged
 */
export function mayStrike({ verdict }) {
  return verdict === "scored" || verdict === "shared";
}

/**
 * Whether a decision of the referee could make a word count: nothing makes up for the board.
 *
 * @param {Judged} judged
 */
export function mayAllow({ verdict }) {
  return verdict === "struck" || verdict === "not_in_lexicon";
}

/**
 * @param {Desk} desk
 * @param {{ rule: (word: string, kind: "strike" | "allow") => Promise<boolean> }} service
 * @returns {import("./referee_desk.js").Part}
 */
export function makeLists(desk, service) {
  const { texts } = desk;
  /** @type {Result | null} */
  let result = null;
  let drawn = "";
  let place = -1;

  /** @param {Result} shown */
  function draw(shown) {
    const wanted = JSON.stringify(shown.players);
    if (wanted === drawn) return;
    drawn = wanted;
    slot("lists").replaceChildren(...shown.players.map(list));
    mark();
  }

  /** @param {import("./types.js").Score} score */
  function list({ name, points, words }) {
    return make(
      "section",
      { class: "card", "data-player": name },
      make("header", { class: "row apart" }, make("h2", {}, name), make("b", { class: "figures" }, texts.count("common.points", points))),
      words.length ? make("ul", { class: "lines" }, ...words.map(line)) : make("p", { class: "soft" }, texts.say("referee.lists.empty")),
    );
  }

  /** @param {Judged} judged */
  function line(judged) {
    const { word, verdict, points, reason } = judged;
    const told = texts.has(`referee.verdict.${verdict}`) ? texts.say(`referee.verdict.${verdict}`) : verdict;
    return make(
      "li",
      { class: "judged", "data-word": word, "data-verdict": verdict, tabindex: "-1" },
      make("span", { class: "word" }, word),
      make("span", { class: "soft", title: reason }, told),
      make("b", { class: "figures" }, texts.number(points)),
      mayStrike(judged) && act(word, "strike"),
      mayAllow(judged) && act(word, "allow"),
    );
  }

  /** @param {string} word @param {"strike" | "allow"} kind */
  function act(word, kind) {
    const button = make("button", { class: "button", type: "button", "data-ruling": kind }, texts.say(`referee.lists.${kind}`), make("span", { class: "unseen" }, ` ${word}`));
    button.addEventListener("click", () => rule(word, kind));
    return button;
  }

  /** @param {string} word @param {"strike" | "allow"} kind */
  async function rule(word, kind) {
    if (await service.rule(word, kind)) desk.tell(texts.say(`referee.decision.${kind === "strike" ? "struck" : "allowed"}`, { word }));
    desk.undone();
  }

  const lines = () => /** @type {HTMLElement[]} */ ([...slot("lists").querySelectorAll(".judged")]);

  /** @returns {Judged | null} */
  function chosen() {
    return result?.players.flatMap(({ words }) => words)[place] ?? null;
  }

  function mark() {
    lines().forEach((line, index) => line.toggleAttribute("data-chosen", index === place));
  }

  // Whoever clicks into a word, or comes to it by Tab, means that one.
  slot("lists").addEventListener("focusin", ({ target }) => {
    const line = /** @type {HTMLElement} */ (target).closest(".judged");
    const index = lines().findIndex((one) => one === line);
    if (index < 0 || index === place) return;
    place = index;
    mark();
  });

  /** @param {number} steps */
  function move(steps) {
    place = moved(place, steps, lines().length);
    mark();
    lines()[place]?.focus();
    return true;
  }

  /** @param {(judged: Judged) => boolean} may @param {"strike" | "allow"} kind */
  function ruleChosen(may, kind) {
    const judged = chosen();
    if (judged && may(judged)) rule(judged.word, kind);
    return Boolean(judged);
  }

  return {
    show({ round }) {
      result = round.result;
      slot("no-lists").hidden = result !== null;
      slot("lists").hidden = result === null;
      if (result) draw(result);
      else place = -1;
    },
    obey({ does, value }) {
      if (does === "move") return move(Number(value));
      if (does === "strike") return ruleChosen(mayStrike, "strike");
      if (does === "restore") return ruleChosen(mayAllow, "allow");
      if (does === "challenge" && chosen()) desk.challenge(chosen()?.word ?? "");
      return does === "challenge" && chosen() !== null;
    },
  };
}
