// @ts-check
// A doubtful cube or word at the desk: the picture, what it may be, one key to settle it.

import { cube } from "./board.js";
import { icon, make, mark, write } from "./dom.js";
import { faceOf, isFace } from "./referee_state.js";

/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {{ text: string, struck: boolean, probability: number | null }} Reading */

/**
 * @typedef {object} Said what was decided, and what became of it
 * @property {string} text
 * @property {boolean} struck
 * @property {string} by
 * @property {number} at
 * @property {string | null} outcome
 * @property {string} why
 */

/**
 * @typedef {{ kind: "cell" | "word", tray: string, table: number | null, player: string,
 *   place: [number, number] }} Where
 * @typedef {Where & { id: string, confidence: number, cocked: boolean, readings: Reading[],
 *   crop_url: string | null, looker: string, yours: boolean, said: Said | null }} Question
 */

/** Digits choose among so many readings. */
const MOST_OFFERS = 9;

/**
 * What a question is about, in a few words.
 *
 * @param {Where} where
 * @param {Texts} texts
 */
export function titleOf({ kind, tray, table, player, place: [row, col] }, texts) {
  const at = table ?? tray;
  if (kind === "cell") return texts.say("desk.review.cell", { table: at, row: row + 1, col: col + 1 });
  return player ? texts.say("desk.review.word_of", { table: at, name: player }) : texts.say("desk.review.word", { table: at });
}

/**
 * What was said, as people read it.
 *
 * @param {{ text: string, struck: boolean }} said
 * @param {Texts} texts
 */
export function spoken({ text, struck }, texts) {
  const shown = { "#": texts.say("board.blank"), _: texts.say("board.missing") }[text] ?? text;
  return struck ? [shown, texts.say("referee.doubts.struck")].filter(Boolean).join(", ") : shown;
}

/**
 * What a typed text says; null where it can be nothing of that kind.
 *
 * @param {"cell" | "word"} kind
 * @param {string} typed
 */
export function answerOf(kind, typed) {
  if (kind === "cell") return isFace(faceOf(typed)) ? faceOf(typed) : null;
  const word = typed.trim().normalize("NFC").toLowerCase();
  return /^[\p{L}\p{M}\p{N}_'-]{1,64}$/u.test(word) ? word : null;
}

/**
 * @param {Texts} texts
 * @param {{ decide: (text: string, struck: boolean) => void, skip: () => void }} wants
 */
export function makeCard(texts, { decide, skip }) {
  const title = make("h2", { id: "review-title", tabindex: "-1", "data-testid": "review-title" });
  const about = make("p", { class: "soft" });
  const crop = make("img", { class: "crop", alt: "", "data-testid": "review-crop" });
  const lacking = make("p", { class: "soft" }, texts.say("desk.review.no_crop"));
  const offers = make("ol", { class: "offers", "aria-label": texts.say("display.question.offers"), "data-testid": "review-offers" });
  const label = make("label", { for: "review-typed" });
  const typed = /** @type {HTMLInputElement} */ (make("input", {
    id: "review-typed", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: "64",
    "aria-describedby": "review-problem", "data-testid": "review-typed",
  }));
  const strikes = button("referee.doubts.struck", "-", "review-strike", strike);
  const problem = make("p", { class: "problem", id: "review-problem", role: "alert" });
  const keys = make("p", { class: "soft keys-note" });
  const form = make(
    "form",
    { class: "row", novalidate: true },
    make("div", { class: "field" }, label, typed),
    make("button", { class: "button main", type: "submit", "data-testid": "review-take" }, icon("check"), texts.say("referee.doubts.take"), " ", make("kbd", {}, "Enter")),
    strikes,
    button("desk.review.skip", "↓", "review-skip", skip),
  );
  const element = make("article", { class: "card doubt", "aria-labelledby": "review-title", "data-testid": "review-question", hidden: true }, title, about, make("div", { class: "evidence" }, crop, lacking), offers, form, problem, keys);
  const known = {
    /** @type {Question | null} */
    question: null,
    choice: 0,
  };

  /** @param {string} key @param {string} sign @param {string} testid @param {() => void} does */
  function button(key, sign, testid, does) {
    const made = make("button", { class: "button", type: "button", "data-testid": testid }, texts.say(key), " ", make("kbd", {}, sign));
    made.addEventListener("click", does);
    return made;
  }

  /** @param {Question} question */
  function draw(question) {
    const isCell = question.kind === "cell";
    mark(element, { "data-kind": question.kind });
    write(title, titleOf(question, texts));
    write(about, aboutText(question));
    write(label, texts.say(isCell ? "referee.doubts.face" : "referee.doubts.text"));
    write(keys, `${texts.say(isCell ? "referee.doubts.cell_keys" : "referee.doubts.word_keys")} ${texts.say("desk.review.keys")}`);
    strikes.hidden = isCell;
    drawCrop(question);
    offers.replaceChildren(...question.readings.slice(0, MOST_OFFERS).map(offerLine));
  }

  /** @param {Question} question */
  function aboutText({ confidence, cocked }) {
    const sure = texts.say("referee.doubts.confidence", { percent: Math.round(confidence * 100) });
    return cocked ? `${sure}. ${texts.say("desk.review.cocked")}` : sure;
  }

  /** @param {Question} question */
  function drawCrop({ crop_url, readings }) {
    crop.hidden = !crop_url;
    lacking.hidden = Boolean(crop_url);
    if (crop_url && crop.getAttribute("src") !== crop_url) mark(crop, { src: crop_url });
    mark(crop, { alt: texts.say("referee.doubts.crop", { word: readings[0]?.text ?? "" }) });
  }

  /** @param {Reading} reading @param {number} place */
  function offerLine(reading, place) {
    const isCell = known.question?.kind === "cell";
    const made = make(
      "button",
      { class: "offer", type: "button", "aria-label": spoken(reading, texts), "aria-pressed": String(place === known.choice), "data-testid": "review-offer" },
      make("kbd", { "aria-hidden": "true" }, String(place + 1)),
      isCell ? cube(reading.text) : make("span", { class: "reading", "data-struck": reading.struck }, reading.text),
      reading.probability !== null && make("span", { class: "soft figures" }, `${Math.round(reading.probability * 100)} %`),
    );
    made.addEventListener("click", () => decide(reading.text, reading.struck));
    return make("li", {}, made);
  }

  function strike() {
    const { question } = known;
    if (question?.kind !== "word") return false;
    decide(question.readings[0]?.text ?? "", true);
    return true;
  }

  /** @param {string} text */
  function complain(text) {
    write(problem, text);
    typed.setAttribute("aria-invalid", String(Boolean(text)));
  }

  function take() {
    const { question } = known;
    if (!question) return;
    if (!typed.value.trim()) return takeChosen(question);
    const said = answerOf(question.kind, typed.value);
    if (said === null) return complain(texts.say(question.kind === "cell" ? "referee.doubts.no_face" : "problem.word"));
    decide(said, false);
  }

  /** @param {Question} question */
  function takeChosen(question) {
    const reading = question.readings[known.choice];
    if (reading?.text) decide(reading.text, reading.struck);
    else typed.focus();
  }

  /** A word is taken at once; a cube is chosen, and taken by Enter. @param {number} place */
  function choose(place) {
    const { question } = known;
    if (!question?.readings[place]) return false;
    known.choice = place;
    if (question.kind === "word") takeChosen(question);
    else draw(question);
    return true;
  }

  /** @param {string} letter */
  function type(letter) {
    typed.value = letter;
    typed.focus();
    return true;
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    take();
  });
  typed.addEventListener("input", () => complain(""));
  typed.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    typed.value = "";
    title.focus();
  });

  return {
    element,
    focus: () => title.focus(),
    /** @param {Question | null} question what is asked now; what is being typed of the same one stays */
    show(question) {
      element.hidden = !question;
      const other = question?.id !== known.question?.id;
      const same = JSON.stringify(question) === JSON.stringify(known.question);
      known.question = question;
      if (other) {
        known.choice = 0;
        typed.value = "";
        complain("");
      }
      if (question && !same) draw(question);
    },
    /** @param {{ does: string, value?: string | number }} wish @returns {boolean} whether it meant anything */
    obey({ does, value }) {
      if (does === "choose") return choose(Number(value));
      if (does === "type") return type(String(value));
      if (does === "strike") return strike();
      if (does === "take") take();
      else if (does === "move" && Number(value) > 0) skip();
      else return false;
      return true;
    },
  };
}

/** @typedef {ReturnType<typeof makeCard>} Card */
