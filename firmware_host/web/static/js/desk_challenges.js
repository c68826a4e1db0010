// @ts-check
// Challenges: a clock that all referees see, one verdict or one for each word, and what is entered.

import { showChanges } from "./desk_changes.js";
import { built, button, card, field, form, input, keyed, note, numberOf, offer, select, submit } from "./desk_parts.js";
import { make, write } from "./dom.js";
import { groundOf } from "./referee_challenges.js";
import { wordsIn } from "./referee_state.js";
import { clockText } from "./state.js";

/** @typedef {import("./desk_types.js").Context} Context */
/**
 * @typedef {object} Challenge
 * @property {string} id
 * @property {number} round
 * @property {number} board
 * @property {number} table
 * @property {string} of
 * @property {string} by
 * @property {string[]} words
 * @property {number} begun seconds since 1970, by the desk's clock
 * @property {number} seconds
 * @property {string} referee
 */
/** @typedef {{ good: boolean, words: import("./referee_challenges.js").Judged[] | null }} Judgement */

/**
 * Seconds left of a challenge; none where its time is over.
 *
 * @param {Challenge} challenge @param {number} now by the desk's clock
 */
export function leftOf({ begun, seconds }, now) {
  return Math.min(seconds, Math.max(0, begun + seconds - now));
}

/**
 * Who sits at a player's table, and may challenge them there.
 *
 * @param {string[][]} tables @param {string} of
 */
export function othersAt(tables, of) {
  return (tables.find((table) => table.includes(of)) ?? []).filter((name) => name !== of);
}

export const show = built((root, context) => {
  const { texts } = context();
  const { say } = texts;
  const running = make("ul", { class: "lines running", "data-testid": "running" });
  const nobody = make("p", { class: "empty" }, say("desk.challenges.none"));
  const board = select("challenge-board", []);
  const of = input("challenge-of", { maxlength: "40", list: "challenge-players" });
  const by = input("challenge-by", { maxlength: "40", list: "challenge-others" });
  const players = make("datalist", { id: "challenge-players" });
  const others = make("datalist", { id: "challenge-others" });
  const words = input("challenge-words", { autocapitalize: "off", spellcheck: "false" });
  const seconds = input("challenge-seconds", { type: "number", min: "5", max: "600", value: "60", inputmode: "numeric" });
  const why = input("challenge-why", { maxlength: "200" });
  const lack = make("p", { class: "problem", role: "alert", "data-testid": "challenge-lack", hidden: true });
  const verdict = make("div", { class: "verdict", role: "status", "data-testid": "verdict", hidden: true });
  const changes = make("div", { class: "stack", "data-testid": "challenge-changes", tabindex: "-1" });
  const fill = keyed(running, (/** @type {Challenge} */ { id }) => id, rowOf);
  /** the clock that the form was filled by; empty for none */
  let taken = "";

  /** @param {Challenge} challenge */
  function rowOf(challenge) {
    const clock = make("b", { class: "figures", role: "timer" });
    const about = make("span", {}, aboutOf(challenge));
    const take = button(say("desk.challenges.take"), () => takeUp(challenge), { testid: "take-challenge", label: `${say("desk.challenges.take")}: ${aboutOf(challenge)}` });
    const drop = button(say("desk.challenges.withdraw"), () => withdraw(challenge), { testid: "withdraw", label: `${say("desk.challenges.withdraw")}: ${aboutOf(challenge)}` });
    const element = make("li", { "data-challenge": challenge.id }, clock, about, make("span", { class: "row" }, take, drop));
    return {
      element,
      fill: () => {
        const left = leftOf(challenge, context().now());
        write(clock, left > 0 ? clockText(left) : say("desk.challenges.over"));
        element.dataset.over = String(left === 0);
      },
    };
  }

  /** @param {Challenge} challenge */
  function aboutOf({ table, of: whose, by: who, words: said, referee }) {
    const told = say("desk.challenges.about", { table, of: whose, by: who || say("desk.challenges.referee"), referee });
    return said.length ? `${told}: ${said.join(" ")}` : told;
  }

  /** @param {Challenge} challenge */
  function takeUp({ id, board: number, of: whose, by: who, words: said }) {
    taken = id;
    board.value = String(number);
    of.value = whose;
    by.value = who;
    words.value = said.join(" ");
    offerOthers();
    words.focus();
  }

  /** @param {Challenge} challenge */
  async function withdraw({ id }) {
    const answer = await context().api("DELETE", `/api/challenges/${id}`);
    if (answer.ok) context().tell(say("desk.challenges.withdrawn"));
    if (taken === id) taken = "";
  }

  /** @returns {{ round: number, board: number, of: string } | null} */
  function place() {
    const round = context().state.event.round?.number;
    const whose = of.value.trim();
    note(lack, round && whose ? "" : say("desk.challenges.lack_of"));
    if (!round || !whose) of.focus();
    return round && whose ? { round, board: Number(board.value), of: whose } : null;
  }

  /** @returns {string[] | null} null where none are said, which is told */
  function said() {
    const found = wordsIn(words.value);
    note(lack, found.length ? "" : say("desk.challenges.lack_words"));
    if (!found.length) words.focus();
    return found.length ? found : null;
  }

  async function begin() {
    const at = place();
    if (!at) return;
    const body = { ...at, by: by.value.trim(), words: wordsIn(words.value), seconds: numberOf(seconds) };
    const answer = await context().api("POST", "/api/challenges", body);
    if (answer.ok) taken = answer.document.id;
  }

  /** @param {"set" | "each"} mode */
  async function judge(mode) {
    const at = place();
    const found = at && said();
    if (!at || !found) return;
    const answer = await context().api("POST", "/api/judgements", { ...at, words: found, mode });
    if (answer.ok) showVerdict(answer.document);
  }

  /** @param {Judgement} told */
  function showVerdict({ good, words: each }) {
    const title = each ? "each_done" : good ? "stands" : "falls";
    const rows = (each ?? []).map((judged) =>
      make("li", {}, make("b", { class: "word" }, judged.word), make("span", { "data-holds": String(judged.good) }, say(`referee.challenge.${groundOf(judged)}`))),
    );
    verdict.replaceChildren(
      make("p", { class: "ruling", "data-holds": each ? null : String(good) }, say(`referee.challenge.${title}`)),
      each ? make("ul", { class: "lines" }, ...rows) : make("p", { class: "soft" }, say("referee.challenge.private")),
    );
    verdict.hidden = false;
  }

  /** @param {boolean} preview */
  async function rule(preview) {
    const at = place();
    const found = at && said();
    if (!at || !found) return;
    const body = { ...at, by: by.value.trim() || null, words: found, why: why.value.trim() || null, challenge: taken || null, preview };
    const answer = await context().api("POST", "/api/rulings", body);
    if (!answer.ok) return;
    showChanges(changes, answer.document, texts);
    changes.focus();
    if (!preview) done(answer.document.entries);
  }

  /** @param {number[]} entries of several words the first alone would be taken back */
  function done(entries) {
    const one = wordsIn(words.value).length === 1;
    context().tell(say("desk.challenges.entered"), one ? entries[0] : undefined);
    taken = of.value = by.value = words.value = why.value = "";
    verdict.hidden = true;
  }

  function offerOthers() {
    const found = othersAt(context().state.event.round?.tables ?? [], of.value.trim());
    others.replaceChildren(...found.map((name) => make("option", { value: name })));
  }

  of.addEventListener("input", offerOthers);
  words.addEventListener("input", () => (verdict.hidden = true));
  setInterval(tick, 250);

  /** @returns {Challenge[]} */
  function now() {
    return context().state.challenges?.running ?? [];
  }

  function tick() {
    if (!root.hidden) fill(now());
  }

  root.append(
    card(say("desk.challenges.running"), nobody, running),
    card(
      say("desk.challenges.new"),
      form(
        "challenge-form",
        () => begin(),
        field(say("desk.results.board"), board, "short"),
        field(say("desk.challenges.of"), of),
        players,
        field(say("desk.challenges.by"), by),
        others,
        field(say("referee.challenge.words"), words, "wide"),
        field(say("desk.challenges.seconds"), seconds, "short"),
        submit(say("desk.challenges.begin"), { testid: "begin-clock" }),
      ),
      make("p", { class: "soft" }, say("desk.challenges.clock_note")),
      make(
        "div",
        { class: "row" },
        button(say("desk.challenges.judge_set"), () => judge("set"), { testid: "judge-set" }),
        button(say("desk.challenges.judge_each"), () => judge("each"), { testid: "judge-each" }),
      ),
      lack,
      verdict,
      form(
        "rule-form",
        () => rule(false),
        field(say("desk.results.why"), why, "wide"),
        button(say("desk.results.preview"), () => rule(true), { testid: "rule-preview" }),
        submit(say("desk.challenges.enter"), { main: true, testid: "rule" }),
      ),
      make("p", { class: "soft" }, say("desk.challenges.enter_note")),
      changes,
    ),
  );

  return ({ state }) => {
    const { event } = state;
    const seated = event.round?.tables.flat() ?? [];
    offer(board, Array.from({ length: event.boards }, (_, at) => [String(at + 1), String(at + 1)]));
    if (players.childElementCount !== seated.length) players.replaceChildren(...seated.map((name) => make("option", { value: name })));
    nobody.hidden = now().length > 0;
    fill(now());
    context().count("challenges", now().length);
  };
});
