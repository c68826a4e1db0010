// @ts-check
// Doubtful cubes and doubtful words, one at a time: the picture, what it may be, one key to settle it.

import { cube, hiddenCells, makeBoard } from "./board.js";
import { make, mark, slot, write } from "./dom.js";
import { faceOf, isFace, leastSureFirst, moved, readingsOf } from "./referee_state.js";

/** @typedef {import("./referee_desk.js").Desk} Desk */
/** @typedef {import("./types.js").Question} Question */

/**
 * @typedef {{ text: string, struck: boolean, share: number | null }} Offer
 * @typedef {{ id: string, player: string, about: string, confidence: number, offers: Offer[],
 *   crop_url: string }} Word a doubtful word of a list on paper
 * @typedef {{ key: string, cell: Question | null, word: Word | null, offers: Offer[] }} Doubt
 */

/**
 * All that is doubtful: cubes hold the round, so they come first; then the least sure words.
 *
 * @param {Question | null} question
 * @param {Word[]} words
 * @returns {Doubt[]}
 */
export function doubtsOf(question, words) {
  const ofWords = leastSureFirst(words).map((word) => ({ key: `word ${word.id}`, cell: null, word, offers: word.offers }));
  if (!question) return ofWords;
  const offers = readingsOf(question).map((text) => ({ text, struck: false, share: null }));
  return [{ key: `cell ${question.row} ${question.col}`, cell: question, word: null, offers }, ...ofWords];
}

/**
 * @param {Desk} desk
 * @param {{ words: () => Promise<Word[] | null>, settle: (word: Word, text: string, struck: boolean) => Promise<boolean> }} service
 * @param {(count: number) => void} onCount
 * @returns {import("./referee_desk.js").Part & { refresh: () => Promise<void>, count: () => number }}
 */
export function makeDoubts(desk, service, onCount) {
  const { texts, send } = desk;
  const typed = /** @type {HTMLInputElement} */ (document.getElementById("typed"));
  const small = makeBoard(slot("doubt-board"), texts);
  const known = {
    /** @type {import("./types.js").Round | null} */
    round: null,
    /** @type {Word[]} */
    words: [],
    /** @type {Set<string>} settled here, and perhaps not yet heard of by the service */
    gone: new Set(),
    place: 0,
    choice: 0,
    drawn: "",
  };

  const doubts = () => doubtsOf(known.round?.question ?? null, known.words.filter(({ id }) => !known.gone.has(id)));
  const current = () => doubts()[known.place] ?? null;

  function draw() {
    const all = doubts();
    known.place = moved(known.place, 0, all.length);
    const doubt = all[known.place] ?? null;
    onCount(all.length);
    slot("no-doubts").hidden = doubt !== null;
    slot("doubt").hidden = doubt === null;
    if (doubt) drawDoubt(doubt, all.length);
  }

  /** @param {Doubt} doubt @param {number} count */
  function drawDoubt(doubt, count) {
    const wanted = JSON.stringify([doubt, count, known.place, known.choice]);
    if (wanted === known.drawn) return;
    known.drawn = wanted;
    slot("doubt").dataset.kind = doubt.cell ? "cell" : "word";
    if (doubt.cell) drawCell(doubt.cell);
    else if (doubt.word) drawWord(doubt.word, count);
    slot("offers").replaceChildren(...doubt.offers.map((offer, place) => offerLine(doubt, offer, place)));
  }

  /** @param {Question} question */
  function drawCell(question) {
    const place = { row: question.row + 1, col: question.col + 1 };
    write(slot("doubt-title"), texts.say("display.question.place", place));
    write(slot("doubt-number"), texts.say("display.question.number", { number: question.number, of: question.of }));
    write(slot("doubt-about"), texts.say("referee.doubts.cell"));
    write(slot("doubt-keys"), texts.say("referee.doubts.cell_keys"));
    write(slot("typed-label"), texts.say("referee.doubts.face"));
    showCrop(question.crop_url ?? null, texts.say("display.question.crop", place));
    slot("strike").hidden = true;
    slot("doubt-board").hidden = false;
    if (known.round) small.show(hiddenCells(known.round.game.rows, known.round.game.cols, known.round.cells_read, question));
  }

  /** @param {Word} word @param {number} count */
  function drawWord(word, count) {
    const first = word.offers[0]?.text ?? "";
    write(slot("doubt-title"), word.player ? texts.say("referee.doubts.word_of", { name: word.player }) : texts.say("referee.doubts.word"));
    write(slot("doubt-number"), texts.say("display.question.number", { number: known.place + 1, of: count }));
    write(slot("doubt-about"), texts.say("referee.doubts.confidence", { percent: Math.round(word.confidence * 100) }));
    write(slot("doubt-keys"), texts.say("referee.doubts.word_keys"));
    write(slot("typed-label"), texts.say("referee.doubts.text"));
    showCrop(word.crop_url, texts.say("referee.doubts.crop", { word: first }));
    slot("strike").hidden = false;
    slot("doubt-board").hidden = true;
  }

  /** @param {string | null} url @param {string} said */
  function showCrop(url, said) {
    const crop = slot("crop");
    crop.hidden = !url;
    if (crop.getAttribute("src") !== url) mark(crop, { src: url });
    mark(crop, { alt: said });
  }

  /** @param {Doubt} doubt @param {Offer} offer @param {number} place */
  function offerLine(doubt, offer, place) {
    const chosen = place === known.choice;
    const name = doubt.cell ? faceName(offer.text) : spoken(offer);
    const button = make(
      "button",
      { class: "offer", type: "button", "aria-label": name, "aria-pressed": String(chosen), "data-offer": offer.text, "data-testid": "offer" },
      make("kbd", { "aria-hidden": "true" }, String(place + 1)),
      doubt.cell ? cube(offer.text) : make("span", { class: "reading", "data-struck": offer.struck }, offer.text),
      offer.share !== null && make("span", { class: "soft figures" }, `${Math.round(offer.share * 100)} %`),
    );
    button.addEventListener("click", () => settle(doubt, offer.text, offer.struck));
    return make("li", { "data-blank": offer.text === "" }, button);
  }

  /** @param {string} face */
  function faceName(face) {
    return { "#": texts.say("board.blank"), _: texts.say("board.missing") }[face] ?? face;
  }

  /** @param {Offer} offer */
  function spoken({ text, struck }) {
    return struck ? `${text}, ${texts.say("referee.doubts.struck")}` : text;
  }

  /** @param {Doubt} doubt @param {string} text @param {boolean} struck */
  async function settle(doubt, text, struck) {
    typed.value = "";
    complain("");
    known.choice = 0;
    if (doubt.cell) return settleCell(doubt.cell, text);
    if (doubt.word) await settleWord(doubt.word, text, struck);
  }

  /** @param {Question} question @param {string} face */
  async function settleCell({ row, col }, face) {
    const { ok } = await send("POST", `/api/cells/${row}/${col}`, { face });
    if (ok) desk.tell(texts.say("referee.doubts.cell_taken", { row: row + 1, col: col + 1, face: faceName(face) }));
  }

  // The next word is there at once; one that is refused comes back.
  /** @param {Word} word @param {string} text @param {boolean} struck */
  async function settleWord(word, text, struck) {
    known.gone.add(word.id);
    draw();
    if (await service.settle(word, text, struck)) desk.tell(texts.say(struck ? "referee.doubts.word_struck" : "referee.doubts.word_taken", { word: text }));
    else known.gone.delete(word.id);
    await refresh();
    desk.undone();
  }

  /** @param {string} text */
  function complain(text) {
    write(slot("typed-problem"), text);
    typed.setAttribute("aria-invalid", String(Boolean(text)));
  }

  function takeTyped() {
    const doubt = current();
    if (!doubt) return;
    if (!typed.value.trim()) return take(doubt);
    if (!doubt.cell) return settle(doubt, typed.value.trim().toLowerCase(), false);
    const face = faceOf(typed.value);
    if (!isFace(face)) return complain(texts.say("referee.doubts.no_face"));
    typed.blur();
    settle(doubt, face, false);
  }

  /** @param {Doubt} doubt */
  function take(doubt) {
    const offer = doubt.offers[known.choice];
    if (offer?.text) settle(doubt, offer.text, offer.struck);
    else typed.focus();
  }

  /** @param {number} place */
  function choose(place) {
    const doubt = current();
    if (!doubt?.offers[place]) return false;
    known.choice = place;
    if (doubt.word) take(doubt);
    else draw();
    return true;
  }

  function strike() {
    const doubt = current();
    if (doubt?.word) settle(doubt, doubt.offers[0]?.text ?? "", true);
    return Boolean(doubt?.word);
  }

  /** @param {number} steps */
  function move(steps) {
    known.place += steps;
    known.choice = 0;
    draw();
    return true;
  }

  /** @param {string} letter */
  function type(letter) {
    if (!current()) return false;
    typed.value = letter;
    typed.focus();
    return true;
  }

  async function refresh() {
    const words = await service.words();
    if (words) known.words = words;
    const ids = new Set(known.words.map(({ id }) => id));
    for (const id of known.gone) if (!ids.has(id)) known.gone.delete(id);
    draw();
  }

  slot("typed-form").addEventListener("submit", (event) => {
    event.preventDefault();
    takeTyped();
  });
  slot("strike").addEventListener("click", strike);
  typed.addEventListener("input", () => complain(""));
  typed.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    typed.value = "";
    typed.blur();
  });

  return {
    refresh,
    count: () => doubts().filter(({ word }) => word).length,
    show({ round }) {
      known.round = round;
      draw();
    },
    obey({ does, value }) {
      if (does === "choose") return choose(Number(value));
      if (does === "move") return move(Number(value));
      if (does === "type") return type(String(value));
      if (does === "strike") return strike();
      if (does === "take") takeTyped();
      return does === "take";
    },
  };
}
