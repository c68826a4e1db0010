// @ts-check
// What cannot be taken back is asked once; what can be is done, and offered to be taken back.

import { slot, write } from "./dom.js";

/** @typedef {{ title: string, note?: string, yes: string }} Asked */

/** Asks before something is done; the answer that changes nothing has the focus. */
export function makeSure() {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("sure"));
  const yes = slot("sure-yes");
  /** @type {(sure: boolean) => void} */
  let answer = () => {};

  yes.addEventListener("click", () => {
    answer(true);
    dialog.close();
  });
  dialog.addEventListener("close", () => answer(false));

  /** @param {Asked} asked @returns {Promise<boolean>} */
  return ({ title, note = "", yes: word }) => {
    write(slot("sure-title"), title);
    write(slot("sure-note"), note);
    write(yes, word);
    dialog.showModal();
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
}

/** @typedef {ReturnType<typeof makeSure>} Sure */
