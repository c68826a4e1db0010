// @ts-check
// What is announced to everybody, in the hall and at the tables, counting down where it has a moment to.

import { slot, write } from "./dom.js";

/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {{ text: string, until: number | null }} Notice */
/** @typedef {{ text: string, left_s: number | null }} Announced as a table is told it */

/**
 * Keeps the announcement of a page.
 *
 * @param {Texts} texts
 * @param {(text: string) => void} [mention] told of another one
 */
export function makeNotice(texts, mention = () => {}) {
  /** @type {Notice | null} */
  let notice = null;
  let ahead = 0;
  const show = () => {
    slot("notice").hidden = notice === null;
    if (notice) write(slot("notice"), noticeText(notice, Date.now() / 1000 + ahead, texts));
  };
  setInterval(show, 500);
  return {
    /** @param {Notice | null} told @param {number} seconds that the service's clock is ahead */
    set(told, seconds) {
      const before = notice?.text;
      notice = told;
      ahead = seconds;
      show();
      if (told && told.text !== before) mention(noticeText(told, Date.now() / 1000 + ahead, texts));
    },
  };
}

/**
 * What a table was told, by the clock of this page.
 *
 * @param {Announced | null | undefined} announced
 * @param {number} now seconds
 * @returns {Notice | null}
 */
export function noticeOf(announced, now) {
  if (!announced) return null;
  const { text, left_s } = announced;
  return { text, until: left_s === null ? null : now + left_s };
}

/** @param {Notice} notice @param {number} now @param {Texts} texts */
export function noticeText(notice, now, texts) {
  if (notice.until === null) return notice.text;
  const left = Math.ceil(notice.until - now);
  if (left <= 0) return texts.say("hall.now", { text: notice.text });
  const seconds = String(left % 60).padStart(2, "0");
  return texts.say("hall.in", { text: notice.text, time: `${Math.floor(left / 60)}:${seconds}` });
}
