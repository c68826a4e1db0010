// @ts-check
// Faults in the language of the page: the service tells them in English, and by keys.

import { ask } from "./api.js";
import { write } from "./dom.js";
import { makeTexts } from "./texts.js";

/** @typedef {{ key: string, device: string, values: Record<string, string> }} Said */
/** @typedef {{ message: string, advice: string, said?: Said | null, advised?: Said | null }} Fault */

/**
 * A fault as this page tells it, and the language of each part.
 *
 * @param {Fault} fault
 * @param {Pick<import("./texts.js").Texts, "say" | "has" | "language">} texts
 */
export function faultTexts({ message, advice, said, advised }, texts) {
  const [told, what] = [textOf(said, texts), textOf(advised, texts)];
  return {
    message: told ?? message,
    advice: what ?? advice,
    language: told === null ? "en" : texts.language,
    adviceLanguage: what === null ? "en" : texts.language,
  };
}

/**
 * @param {Said | null | undefined} said
 * @param {Pick<import("./texts.js").Texts, "say" | "has">} texts
 */
function textOf(said, texts) {
  if (!said || !texts.has(said.key)) return null;
  const text = texts.say(said.key, said.values);
  return said.device ? `${texts.say(`fault.device.${said.device}`)}: ${text}` : text;
}

/**
 * The texts of faults, which a page asks for when there is one: they would make it large.
 *
 * @param {import("./texts.js").Texts} texts of the page
 * @returns {Promise<import("./texts.js").Texts>} those of the page where there is no answer
 */
export async function textsOfFaults(texts) {
  const { ok, document: entries } = await ask("GET", `/api/texts/faults?lang=${texts.language}`);
  return ok ? makeTexts(entries, texts.language) : texts;
}

/**
 * Shows a fault in two elements, nothing where there is none. Until its texts come it is told in
 * English.
 *
 * @param {import("./texts.js").Texts} texts
 */
export function makeFaults(texts) {
  let known = texts;
  /** @type {Fault | null} */
  let shown = null;

  /** @param {Fault | null} fault @param {HTMLElement} message @param {HTMLElement} advice */
  async function show(fault, message, advice) {
    shown = fault;
    tell(fault, message, advice, known);
    if (!fault?.said || known.has(fault.said.key)) return;
    known = await textsOfFaults(texts);
    if (shown === fault) tell(fault, message, advice, known);
  }

  return { show };
}

/**
 * @param {Fault | null} fault
 * @param {HTMLElement} message
 * @param {HTMLElement} advice
 * @param {Pick<import("./texts.js").Texts, "say" | "has" | "language">} texts
 */
function tell(fault, message, advice, texts) {
  const told = faultTexts(fault ?? { message: "", advice: "" }, texts);
  write(message, told.message);
  write(advice, told.advice);
  message.lang = told.language;
  advice.lang = told.adviceLanguage;
}
