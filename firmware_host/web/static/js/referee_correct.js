// @ts-check
// A cube that was misread: chosen on the board, looked at, corrected with a reason.

import { isCalm, slot, write } from "./dom.js";
import { faceOf, isFace } from "./referee_state.js";

/** @typedef {import("./referee_desk.js").Desk} Desk */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Round} Round */

/**
 * Whether a correction that is being made still makes sense: its cube shows what it showed.
 *
 * @param {string[][] | null} before faces of the board, null where none may be corrected
 * @param {string[][] | null} now
 * @param {Place} place of the cube
 */
export function stillMeant(before, now, [row, col]) {
  return now !== null && before?.[row]?.[col] === now[row]?.[col] && before?.length === now.length;
}

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
  /** @type {string[][] | null} */
  let faces = null;

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
    why.value = "";
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
    choose(null);
    desk.undone();
  }

  /** The picture makes the form longer, maybe beyond the fold. */
  function showCrop() {
    crop.hidden = false;
    form.scrollIntoView({ behavior: isCalm() ? "auto" : "smooth", block: "nearest" });
  }

  crop.addEventListener("load", showCrop);
  form.addEventListener("submit", take);
  slot("correct-drop").addEventListener("click", () => choose(null));

  return {
    choose,
    /** What was chosen is let go of where its cube is another, or no board is seen. @param {Round} round */
    show({ board }) {
      const now = board?.faces ?? null;
      if (chosen && !stillMeant(faces, now, chosen)) choose(null);
      faces = now;
      if (chosen) press(chosen); // a board that is drawn anew shows no cube as chosen
    },
  };
}
