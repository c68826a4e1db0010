// @ts-check
// A cube that was misread: chosen on the board, looked at, corrected with a reason.

import { slot, write } from "./dom.js";
import { faceOf, isFace } from "./referee_state.js";

/** @typedef {import("./referee_desk.js").Desk} Desk */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Round} Round */

/**
 * @param {Desk} desk
 * @param {(place: Place | null) => void} press marks the cube that is chosen
 */
export function makeCorrection(desk, press) {
  const { texts } = desk;
  const form = slot("correct");
  const crop = /** @type {HTMLImageElement} */ (slot("correct-crop"));
  const face = /** @type {HTMLInputElement} */ (document.getElementById("correct-face"));
  const why = /** @type {HTMLInputElement} */ (document.getElementById("correct-why"));
  /** @type {Place | null} */
  let chosen = null;
  let faces = "";

  /** @param {Place | null} place */
  function choose(place) {
    chosen = place;
    form.hidden = !place;
    press(place);
    write(slot("correct-problem"), "");
    if (!place) return;
    const [row, col] = place;
    write(slot("correct-where"), texts.say("display.question.place", { row: row + 1, col: col + 1 }));
    crop.hidden = true;
    crop.src = `/api/cells/${row}/${col}.png`;
    face.value = "";
    face.focus();
  }

  /** What is wrong with what was typed; empty for nothing. */
  function problem() {
    if (!isFace(faceOf(face.value))) return "referee.doubts.no_face";
    return why.value.trim() ? "" : "referee.correct.lacks_why";
  }

  /** @param {Event} event */
  async function take(event) {
    event.preventDefault();
    const wrong = problem();
    write(slot("correct-problem"), wrong && texts.say(wrong));
    if (wrong) return (isFace(faceOf(face.value)) ? why : face).focus();
    if (!chosen) return;
    const [row, col] = chosen;
    const shown = faceOf(face.value);
    const { ok } = await desk.send("PUT", `/api/cells/${row}/${col}`, { face: shown, why: why.value.trim() });
    if (!ok) return;
    desk.tell(texts.say("referee.doubts.cell_taken", { row: row + 1, col: col + 1, face: shown }));
    why.value = "";
    choose(null);
    desk.undone();
  }

  crop.addEventListener("load", () => (crop.hidden = false));
  form.addEventListener("submit", take);
  slot("correct-drop").addEventListener("click", () => choose(null));

  return {
    choose,
    /** The board is drawn anew where it is another: what was chosen there is gone. @param {Round} round */
    show({ board }) {
      const now = JSON.stringify(board?.faces ?? null);
      if (now !== faces) choose(null);
      faces = now;
    },
  };
}
