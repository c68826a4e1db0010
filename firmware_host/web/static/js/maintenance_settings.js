// @ts-check
// The settings as a file: what is typed is checked at once, and written only when it is sound.

import { complaint } from "./api.js";
import { make, slot, write } from "./dom.js";
import { sectionsOf } from "./maintenance_keys.js";

/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {(method: string, path: string, body?: unknown) => Promise<import("./api.js").Answer>} Ask */

/** Milliseconds of rest after which what was typed is checked. */
const REST = 500;

/** @param {Texts} texts @param {Ask} ask */
export function makeSettings(texts, ask) {
  const form = /** @type {HTMLFormElement} */ (slot("settings-form"));
  const field = /** @type {HTMLTextAreaElement} */ (document.getElementById("settings-text"));
  const save = /** @type {HTMLButtonElement} */ (slot("save"));
  let kept = "";
  let hasFile = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;

  async function load() {
    const { ok, document } = await ask("GET", "/api/settings");
    if (!ok) return;
    hasFile = document.file !== null;
    kept = document.text;
    field.value = kept;
    write(slot("settings-file"), hasFile ? texts.say("maintenance.settings.file", { file: document.file }) : texts.say("maintenance.settings.no_file"));
    slot("known").replaceChildren(...sectionsOf(document.keys).map(section));
    changed();
  }

  /** @param {import("./maintenance_keys.js").Section} told */
  function section({ name, keys }) {
    return make("details", {}, make("summary", {}, `[${name}]`), make("dl", { lang: "en" }, ...keys.flatMap(key)));
  }

  /** @param {import("./maintenance_keys.js").Key} told */
  function key({ name, about, limits, standard }) {
    const bounds = [limits, standard && `= ${standard}`].filter(Boolean).join("; ");
    return [
      make("dt", {}, make("b", {}, name), bounds && make("code", {}, ` ${bounds}`)),
      make("dd", { class: "soft" }, about),
    ];
  }

  function changed() {
    save.disabled = true;
    clearTimeout(later);
    tell("");
    later = setTimeout(check, REST);
  }

  async function check() {
    const text = field.value;
    const { ok, document } = await ask("POST", "/api/settings/check", { text });
    if (!ok || text !== field.value) return;
    showProblems(document.problems);
    save.disabled = !hasFile || document.problems.length > 0 || text === kept;
  }

  /** @param {string[]} problems */
  function showProblems(problems) {
    slot("settings-problems").replaceChildren(...problems.map((problem) => make("li", {}, problem)));
    field.setAttribute("aria-invalid", String(problems.length > 0));
    if (!problems.length) tell(field.value === kept ? "" : texts.say("maintenance.settings.sound"));
  }

  /** @param {string} text @param {boolean} [done] */
  function tell(text, done = false) {
    write(slot("settings-note"), text);
    slot("settings-note").dataset.done = String(done);
  }

  async function put() {
    const text = field.value;
    const answer = await ask("PUT", "/api/settings", { text });
    if (!answer.ok) return tell(complaint(answer, texts));
    kept = text;
    save.disabled = true;
    tell(texts.say("maintenance.settings.saved"), true);
  }

  field.addEventListener("input", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!save.disabled) put();
  });
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    field.value = kept;
    changed();
  });

  return { load };
}
