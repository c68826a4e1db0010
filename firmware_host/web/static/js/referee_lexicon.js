// @ts-check
// The word list: chosen between two rounds, for those to come; a result changes on request alone.

import { make, slot, write } from "./dom.js";

/** @typedef {{ names: string[], current: string, next: string }} Lexicons */

/** Phases between two rounds. */
const BETWEEN = new Set(["idle", "finished", "cancelled"]);

/**
 * @param {import("./referee_desk.js").Desk} desk
 * @returns {import("./referee_desk.js").Part}
 */
export function makeLexicon(desk) {
  const { texts, send } = desk;
  const form = /** @type {HTMLFormElement} */ (slot("lexicon-form"));
  const field = /** @type {HTMLSelectElement} */ (document.getElementById("lexicon"));
  const rescore = /** @type {HTMLInputElement} */ (document.getElementById("lexicon-rescore"));
  let known = "";

  async function load() {
    const { ok, document: told } = await send("GET", "/api/lexicon");
    if (ok) draw(told);
  }

  /** @param {Lexicons} told */
  function draw({ names, next }) {
    field.replaceChildren(...names.map((name) => make("option", { value: name, selected: name === next }, name)));
  }

  async function choose() {
    const { ok, document: told } = await send("PUT", "/api/lexicon", { name: field.value, rescore: rescore.checked });
    if (!ok) return load();
    const key = rescore.checked ? "referee.lexicon.rescored" : "referee.lexicon.chosen";
    rescore.checked = false;
    draw(told);
    desk.tell(texts.say(key, { name: field.value }));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    choose();
  });

  return {
    show({ round, table }) {
      const between = BETWEEN.has(round.phase);
      for (const control of form.elements) /** @type {HTMLInputElement} */ (control).disabled = !between;
      slot("lexicon-rescore-line").hidden = round.phase !== "finished";
      write(slot("lexicon-note"), texts.say(between ? "referee.lexicon.note" : "referee.lexicon.later"));
      write(slot("lexicon-now"), texts.say("referee.lexicon.now", { current: round.lexicon, next: table.lexicon }));
      if (table.lexicon !== known) load();
      known = table.lexicon;
    },
  };
}
