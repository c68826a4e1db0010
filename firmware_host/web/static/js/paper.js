// @ts-check
// A list on paper, photographed: it is sent, read, and what was read is shown.

import { complaint } from "./api.js";
import { make, slot, write } from "./dom.js";
import { LARGEST, uploadPaper } from "./upload.js";

/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {{ text: string, doubtful: boolean, struck: boolean }} PaperWord */

const MEGABYTE = 1_000_000;

/**
 * The button that photographs, and what comes of it.
 *
 * @param {Texts} texts
 */
export function wirePaper(texts) {
  const picker = /** @type {HTMLInputElement} */ (slot("photo"));
  const progress = /** @type {HTMLProgressElement} */ (slot("photo-progress"));

  /** @param {number} share */
  function onProgress(share) {
    progress.value = share;
    write(slot("photo-text"), texts.say(share < 1 ? "play.photo_sending" : "play.photo_reading"));
  }

  async function send() {
    const [photo] = picker.files ?? [];
    picker.value = "";
    if (!photo) return;
    if (photo.size > LARGEST) return tell(texts.say("play.photo_large", { megabytes: LARGEST / MEGABYTE }), []);
    progress.hidden = false;
    picker.disabled = true;
    onProgress(0);
    const answer = await uploadPaper(photo, onProgress);
    progress.hidden = true;
    picker.disabled = false;
    if (answer.ok) tellWords(answer.document);
    else tell(`${texts.say("play.photo_failed")} ${complaint(answer, texts)}`, []);
  }

  /** @param {PaperWord[]} words */
  function tellWords(words) {
    tell(texts.say(words.length ? "play.photo_done" : "play.photo_none"), words);
  }

  /** @param {string} text @param {PaperWord[]} words */
  function tell(text, words) {
    write(slot("photo-text"), text);
    slot("photo-words").replaceChildren(...words.map(wordOf));
  }

  /** @param {PaperWord} word */
  function wordOf({ text, doubtful, struck }) {
    const note = doubtful ? ` · ${texts.say("play.photo_doubtful")}` : "";
    return make("li", { "data-doubtful": doubtful }, make(struck ? "s" : "b", {}, text), note);
  }

  picker.addEventListener("change", send);
}
