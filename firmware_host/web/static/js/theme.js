// @ts-check
// Colours as the device wants them, or as somebody chose on this page. It is no module, so that it
// runs before anything is painted.
"use strict";

(() => {
  const KEY = "wordtray.theme";
  const SYSTEM = { dark: "(prefers-color-scheme: dark)", contrast: "(prefers-contrast: more)" };

  /**
   * When a sheet of colours counts.
   *
   * @param {"dark" | "contrast"} sheet
   * @param {string} chosen a theme, or nothing for what the device wants
   * @returns {string} a media query
   */
  function mediaOf(sheet, chosen) {
    if (!chosen || (sheet === "contrast" && chosen !== "contrast")) return SYSTEM[sheet];
    if (sheet === "dark" && chosen === "contrast") return SYSTEM.dark;
    return sheet === chosen ? "all" : "not all";
  }

  /** @returns {string} */
  function kept() {
    try {
      return localStorage.getItem(KEY) ?? "";
    } catch {
      return ""; // storage is forbidden here
    }
  }

  /** @param {string} chosen */
  function apply(chosen) {
    for (const link of document.querySelectorAll("link[data-theme]")) {
      const sheet = /** @type {HTMLLinkElement} */ (link);
      sheet.media = mediaOf(/** @type {"dark" | "contrast"} */ (sheet.dataset.theme), chosen);
    }
  }

  apply(kept());
  addEventListener("wordtray:theme", (event) => {
    apply(/** @type {CustomEvent<string>} */ (event).detail);
  });
})();
