// @ts-check
// What every page does: its dialogs, its choices, what it says aloud, the state of its connection.

import { slot, write } from "./dom.js";

/** @typedef {import("./texts.js").Texts} Texts */

/**
 * What was chosen on this device before; nothing where storage is forbidden.
 *
 * @param {string} name
 */
export function kept(name) {
  try {
    return localStorage.getItem(`wordtray.${name}`) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(`wordtray.${name}`, value);
  } catch {
    // Without storage a choice lasts as long as the page.
  }
}

/**
 * Letters that are being put together, for a reload of this tab; without storage a reload takes them
 * back.
 *
 * @param {string} name
 * @param {unknown[]} letters
 */
export function storeLetters(name, letters) {
  try {
    sessionStorage.setItem(name, JSON.stringify(letters));
  } catch {
    // There is none.
  }
}

/**
 * The letters that were kept under a name; none where there are none.
 *
 * @param {string} name
 * @returns {any[]}
 */
export function storedLetters(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "[]");
  } catch {
    return [];
  }
}

/** Buttons that open and close dialogs. */
export function wireDialogs() {
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const opener = target.closest("[data-opens]");
    if (opener) dialog(opener.getAttribute("data-opens"))?.showModal();
    if (target.closest("[data-closes]") || target.matches("dialog")) target.closest("dialog")?.close();
  });
}

/** @param {string | null} id */
function dialog(id) {
  return /** @type {HTMLDialogElement | null} */ (document.getElementById(id ?? ""));
}

/**
 * Groups of buttons of which one is chosen; the choice is kept on this device.
 *
 * @param {(name: string) => unknown} [onChoice] told of a choice once it is kept
 */
export function wireChoices(onChoice) {
  for (const group of document.querySelectorAll("[data-choice]")) {
    const name = group.getAttribute("data-choice") ?? "";
    mirror(group, kept(name));
    group.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("button");
      if (!button) return;
      keep(name, button.value);
      mirror(group, button.value);
      dispatchEvent(new CustomEvent(`wordtray:${name}`, { detail: button.value }));
      onChoice?.(name);
    });
  }
}

/** @param {Element} group @param {string} value */
function mirror(group, value) {
  for (const button of group.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.value === value));
  }
}

/** Said to screen readers when there is time for it. @param {string} text */
export function mention(text) {
  write(slot("polite"), text);
}

/** Said to screen readers at once. @param {string} text */
export function announce(text) {
  write(slot("assertive"), text);
}

/**
 * The line that tells of a lost connection, and of its return.
 *
 * @param {Texts} texts
 */
export function makeLine(texts) {
  const line = slot("connection");
  let lost = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;
  return {
    /** @param {boolean} online */
    show(online) {
      if (online === !lost) return;
      lost = !online;
      clearTimeout(later);
      write(line, texts.say(online ? "common.online" : "common.offline"));
      line.hidden = false;
      line.dataset.lost = String(lost);
      if (online) later = setTimeout(() => (line.hidden = true), 2500);
    },
    /** @param {string} text of something that did not work */
    complain(text) {
      clearTimeout(later);
      write(line, text);
      line.dataset.lost = "true";
      line.hidden = false;
      later = setTimeout(() => (line.hidden = true), 8000);
    },
  };
}
