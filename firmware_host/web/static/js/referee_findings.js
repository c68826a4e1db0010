// @ts-check
// What was examined, as a list: how it stands, what was found, what to do.

import { make } from "./dom.js";

/** @typedef {{ subject: string, grade: string, text: string, advice: string }} Finding */

/** Worst first. */
const GRADES = ["fail", "warn", "none", "simulated", "ok"];

/**
 * Findings, what needs somebody first.
 *
 * @param {Finding[]} findings
 */
export function worstFirst(findings) {
  return [...findings].sort((one, other) => GRADES.indexOf(one.grade) - GRADES.indexOf(other.grade));
}

/**
 * Findings as a list; a grade is told by its word and its sign, not by colour alone.
 *
 * @param {HTMLElement} list
 * @param {Finding[]} findings
 * @param {import("./texts.js").Texts} texts
 * @param {string} [language] of the findings: what the service says is English
 */
export function showFindings(list, findings, texts, language = "en") {
  list.replaceChildren(...findings.map(({ subject, grade, text, advice }) =>
    make(
      "li",
      { "data-grade": grade },
      make("b", { class: "grade" }, texts.say(`referee.grade.${grade}`)),
      make("div", { lang: language }, make("b", {}, subject), make("p", {}, text), advice && make("p", { class: "advice" }, advice)),
    ),
  ));
}
