// @ts-check
// What the words of a result mean and how common they are, as far as the service knows.

import { ask } from "./api.js";
import { make } from "./dom.js";
import { mention } from "./page.js";

/** @typedef {import("./types.js").Commonness} Commonness */
/** @typedef {import("./types.js").Meaning} Meaning */
/** @typedef {import("./texts.js").Texts} Texts */

/** Levels that there are: 5 is everyday. */
const MOST = 5;

/** @type {Readonly<Commonness>} */
export const UNKNOWN = { meanings: false, levels: {}, likely: null };

/** How common the words of the result are; unknown where the service does not tell. */
export async function fetchCommonness() {
  const answer = await ask("GET", "/api/result/words");
  return /** @type {Commonness} */ (answer.ok ? answer.document : UNKNOWN);
}

/**
 * A level as five dots; the text beside them says the same.
 *
 * @param {number} level
 */
export function dots(level) {
  return "●".repeat(level) + "○".repeat(MOST - level);
}

/**
 * How common a word is: a scale and a text; nothing where it is not known.
 *
 * @param {Commonness} known
 * @param {string} word
 * @param {Texts} texts
 */
export function levelMark({ levels }, word, texts) {
  const level = levels[word];
  if (!level) return null;
  const text = texts.say(`words.level.${level}`);
  const whole = texts.say("words.common", { level, text });
  return make(
    "span",
    { class: "level", title: whole, "data-testid": "level" },
    make("span", { "aria-hidden": "true" }, dots(level), make("span", { class: "of" }, ` ${text}`)),
    make("span", { class: "unseen" }, whole),
  );
}

/**
 * One meaning in one line.
 *
 * @param {Meaning} meaning
 * @param {string} word
 * @param {Texts} texts
 */
export function meaningText({ part, base, gloss }, word, texts) {
  const kind = texts.say(`words.pos.${part}`);
  return base === word ? kind : `${kind}, ${texts.say("words.form_of", { base })}`;
}

/**
 * Meanings below the words that they are of, one word at a time.
 *
 * @param {Texts} texts
 */
export function makeMeanings(texts) {
  /** @type {Map<string, Promise<Meaning[] | null>>} */
  const asked = new Map();
  const place = make("div", { class: "meaning", lang: texts.language, "data-testid": "meaning" });

  /** @param {string} word */
  function lookUp(word) {
    const known = asked.get(word) ?? fetchMeanings(word);
    asked.set(word, known);
    return known;
  }

  /** @param {string} word @param {Meaning[]} meanings */
  function fill(word, meanings) {
    if (!meanings.length) return [make("p", { class: "soft" }, texts.say("words.no_meaning", { word }))];
    return meanings.map((one) =>
      make("p", {}, make("i", {}, meaningText(one, word, texts)), " ", make("span", { lang: "en" }, one.gloss)),
    );
  }

  return {
    /** Show what a word means. @param {Element} line of a list @param {string} word */
    async show(line, word) {
      if (place.parentElement === line && place.dataset.of === word) return;
      place.dataset.of = word;
      place.replaceChildren();
      line.append(place);
      const meanings = await lookUp(word);
      if (place.dataset.of !== word || !meanings) return;
      place.replaceChildren(...fill(word, meanings));
      place.scrollIntoView({ block: "nearest", inline: "nearest" });
      mention(`${texts.say("words.meaning", { word })}: ${place.textContent}`);
    },
    hide() {
      delete place.dataset.of;
      place.remove();
    },
  };
}

/** @param {string} word @returns {Promise<Meaning[] | null>} null where nobody answers */
async function fetchMeanings(word) {
  const answer = await ask("GET", `/api/dictionary/${encodeURIComponent(word)}`);
  return answer.ok ? answer.document.meanings : null;
}
