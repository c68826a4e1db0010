// @ts-check
// The door: a PIN is asked of those who may do more than play. Wrong ones cost time.

import { ask, complaint } from "./api.js";
import { slot, write } from "./dom.js";
import { waitLeft } from "./referee_state.js";

/** @typedef {import("./texts.js").Texts} Texts */

/**
 * The form for the PIN.
 *
 * @param {Texts} texts
 * @param {(role: string) => boolean} mayEnter
 * @param {() => void} onEntered
 * @param {() => Record<string, string>} [also] what is asked for besides; an empty one is missing
 */
export function makeDoor(texts, mayEnter, onEntered, also = () => ({})) {
  const form = slot("pin-form");
  const field = /** @type {HTMLInputElement} */ (slot("pin"));
  const problem = slot("pin-problem");
  const enter = /** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]"));
  let shutUntil = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let countdown;

  /** @param {string} text */
  function complain(text) {
    write(problem, text);
    field.setAttribute("aria-invalid", String(Boolean(text)));
  }

  function tellWait() {
    const left = waitLeft(shutUntil, performance.now());
    enter.disabled = left > 0;
    if (left) return complain(texts.count("referee.pin.wait", left));
    clearInterval(countdown);
    complain("");
    field.focus();
  }

  /** @param {number} seconds */
  function shut(seconds) {
    shutUntil = performance.now() + seconds * 1000;
    clearInterval(countdown);
    countdown = setInterval(tellWait, 1000);
    tellWait();
  }

  /** @param {import("./api.js").Answer} answer */
  function refuse(answer) {
    field.value = "";
    if (answer.retry_s) return shut(answer.retry_s);
    complain(answer.document?.type === "pin" ? texts.say("referee.pin.wrong") : complaint(answer, texts));
    field.focus();
  }

  async function knock() {
    if (enter.disabled) return;
    if (!field.value) return complain(texts.say("referee.pin.missing"));
    const more = also();
    if (Object.values(more).includes("")) return complain(texts.say("desk.who_missing"));
    enter.disabled = true;
    const answer = await ask("POST", "/api/session", { pin: field.value, ...more });
    enter.disabled = false;
    if (!answer.ok) return refuse(answer);
    field.value = "";
    if (mayEnter(answer.document.role)) onEntered();
    else complain(texts.say("referee.pin.owner"));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    knock();
  });
  form.querySelector(".pad")?.addEventListener("click", (event) => {
    const value = /** @type {Element} */ (event.target).closest("button")?.value ?? "";
    if (value === "erase") field.value = field.value.slice(0, -1);
    else if (value) field.value += value;
  });

  return {
    open() {
      field.focus();
    },
  };
}
