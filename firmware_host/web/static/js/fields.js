// @ts-check
// Fields that take a number within bounds.

/**
 * Marks a field by whether it takes what it holds; where it does not, it has the focus.
 *
 * @param {HTMLInputElement} field
 * @param {import("./texts.js").Texts} texts
 * @returns {string} what is wrong, empty where nothing is
 */
export function wrongIn(field, texts) {
  const wrong = !field.validity.valid;
  field.setAttribute("aria-invalid", String(wrong));
  if (!wrong) return "";
  field.focus();
  const bounds = texts.say("common.bounds", { least: Number(field.min), most: Number(field.max) });
  return `${field.labels?.[0].textContent}: ${bounds}`;
}
