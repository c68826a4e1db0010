// @ts-check
// Challenges: the words of a play are read back, the other side confirms, then the word list rules.
// Of a set there is one verdict, and never which word is wrong.

import { make, slot, write } from "./dom.js";
import { wrongIn } from "./fields.js";
import { wordsIn } from "./referee_state.js";

/** @typedef {import("./referee_desk.js").Desk} Desk */
/**
 * @typedef {{ word: string, good: boolean, in_lexicon: boolean, on_board: boolean | null }} Judged
 * @typedef {{ good: boolean, words: Judged[] | null, logged: boolean }} Verdict a set has no words
 */

/** Phases in which a challenge belongs to a round. */
const DECIDING = new Set(["confirming", "ready", "running", "paused", "collecting", "finished"]);

/**
 * What a challenge still lacks; null where it may be judged.
 *
 * @param {string[]} words
 * @param {string} mode
 * @param {boolean} agreed the other side has confirmed the words
 */
export function lackOf(words, mode, agreed) {
  if (!words.length) return "words";
  return mode === "set" && !agreed ? "agreed" : null;
}

/**
 * Why a word is no good, or that it is: key of its text.
 *
 * @param {Judged} judged
 */
export function groundOf({ good, in_lexicon, on_board }) {
  if (good) return "holds";
  if (!in_lexicon) return "unknown";
  return on_board === false ? "not_on_board" : "too_short";
}

/**
 * @param {Desk} desk
 * @param {{ judge: (words: string[], mode: string) => Promise<Verdict | null>,
 *   rule: (word: string, kind: "challenge") => Promise<boolean>,
 *   beginClock: (seconds: number | null) => Promise<boolean>,
 *   dropClock: () => Promise<boolean> }} service
 * @returns {import("./referee_desk.js").Part & { add: (word: string) => void }}
 */
export function makeChallenges(desk, service) {
  const { texts } = desk;
  const form = /** @type {HTMLFormElement} */ (slot("challenge"));
  const typed = /** @type {HTMLTextAreaElement} */ (document.getElementById("challenged"));
  const agreed = /** @type {HTMLInputElement} */ (document.getElementById("agreed"));
  const verdict = slot("verdict");
  const seconds = /** @type {HTMLInputElement} */ (document.getElementById("challenge-seconds"));

  const words = () => wordsIn(typed.value);
  const mode = () => String(new FormData(form).get("mode"));

  // Whatever is changed afterwards was not confirmed.
  function changed() {
    agreed.checked = false;
    readBack();
  }

  function readBack() {
    verdict.hidden = true;
    complain("");
    slot("challenged-words").hidden = mode() !== "set" || !words().length;
    slot("challenged-list").replaceChildren(...words().map((word) => make("li", { class: "word" }, word)));
  }

  /** @param {string} text */
  function complain(text) {
    write(slot("challenge-problem"), text);
    typed.setAttribute("aria-invalid", String(Boolean(text) && !words().length));
  }

  async function judge() {
    const lack = lackOf(words(), mode(), agreed.checked);
    if (lack) {
      complain(texts.say(`referee.challenge.lacks_${lack}`));
      return (lack === "words" ? typed : agreed).focus();
    }
    const told = await service.judge(words(), mode());
    if (told) show(told);
  }

  /** @param {Verdict} told */
  function show({ good, words: each, logged }) {
    const title = each ? "each_done" : good ? "stands" : "falls";
    verdict.replaceChildren(
      make("p", { class: "ruling", "data-holds": each ? null : String(good) }, texts.say(`referee.challenge.${title}`)),
      each ? make("ul", { class: "lines" }, ...each.map(line)) : make("p", { class: "soft" }, texts.say("referee.challenge.private")),
    );
    if (!logged) verdict.append(make("p", { class: "soft" }, texts.say("referee.challenge.not_logged")));
    verdict.hidden = false;
    desk.undone();
  }

  async function begin() {
    const wrong = wrongIn(seconds, texts);
    if (wrong) return desk.tell(wrong);
    if (await service.beginClock(seconds.value ? Number(seconds.value) : null)) typed.focus();
  }

  async function drop() {
    if (await service.dropClock()) desk.tell(texts.say("referee.challenge.withdrawn"));
  }

  /** @param {Judged} judged */
  function line(judged) {
    const ground = make("span", { "data-holds": String(judged.good) }, texts.say(`referee.challenge.${groundOf(judged)}`));
    const off = make("button", { class: "button", type: "button" }, texts.say("referee.challenge.take_off"), make("span", { class: "unseen" }, ` ${judged.word}`));
    off.addEventListener("click", () => takeOff(judged.word));
    return make("li", {}, make("b", { class: "word" }, judged.word), ground, !judged.good && off);
  }

  /** @param {string} word */
  async function takeOff(word) {
    if (await service.rule(word, "challenge")) desk.tell(texts.say("referee.decision.challenged", { word }));
    desk.undone();
  }

  slot("challenge-begin").addEventListener("click", begin);
  slot("challenge-drop").addEventListener("click", drop);
  typed.addEventListener("input", changed);
  form.addEventListener("change", ({ target }) => target !== agreed && target !== typed && changed());
  form.addEventListener("reset", () => setTimeout(readBack));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    judge();
  });

  return {
    show({ round }) {
      slot("challenge-begin-line").hidden = round.challenge !== null || !DECIDING.has(round.phase);
      slot("challenge-drop-line").hidden = round.challenge === null;
    },
    add(word) {
      typed.value = [...words(), word].join(" ");
      changed();
      typed.focus();
    },
  };
}
