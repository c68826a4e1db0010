// @ts-check
// The texts of this page, which the service put into it, and numbers as its language writes them.

/**
 * @typedef {Record<string, string>} Entries
 * @typedef {Record<string, string | number>} Values
 */

/**
 * Fill in the words in braces.
 *
 * @param {string} text
 * @param {Values} values
 * @param {Intl.NumberFormat} numbers
 */
export function filled(text, values, numbers) {
  return text.replace(/\{(\w+)\}/g, (brace, name) => {
    const value = values[name];
    if (value === undefined) return brace;
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

/**
 * Texts of a language.
 *
 * @param {Entries} entries by key
 * @param {string} language
 */
export function makeTexts(entries, language) {
  const numbers = new Intl.NumberFormat(language);
  const plurals = new Intl.PluralRules(language);
  const list = new Intl.ListFormat(language, { style: "long", type: "conjunction" });

  /** @param {string} key @param {Values} [values] */
  const say = (key, values = {}) => filled(entries[key] ?? key, values, numbers);

  return {
    language,
    say,
    /** @param {string} key @param {number} count @param {Values} [values] */
    count: (key, count, values = {}) => {
      const form = `${key}.${plurals.select(count)}`;
      return say(form in entries ? form : `${key}.other`, { ...values, count });
    },
    /** @param {number} number */
    number: (number) => numbers.format(number),
    /** @param {string[]} names */
    names: (names) => list.format(names),
    /** @param {string} key */
    has: (key) => key in entries,
  };
}

/** @typedef {ReturnType<typeof makeTexts>} Texts */

/** Those of this page. */
export function pageTexts() {
  const written = document.getElementById("texts")?.textContent ?? "{}";
  return makeTexts(JSON.parse(written), document.documentElement.lang);
}
