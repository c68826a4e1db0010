// @ts-check
// Announcements and countdowns, on the pages of the hall and on the tables' own displays.

import { built, button, card, field, form, input, note, numberOf, submit, tablesOf, tick } from "./desk_parts.js";
import { make } from "./dom.js";
import { noticeText } from "./notice.js";

/** @typedef {import("./desk_types.js").Context} Context */
/** @typedef {import("./notice.js").Notice} Notice */
/** @typedef {{ given: number, done: number, behind: string[] }} AtTables */

/** Tables that are named one by one, at most. */
const MOST_NAMED = 12;

/**
 * How many tables show it, and which do not yet.
 *
 * @param {AtTables | null} tables @param {import("./texts.js").Texts} texts
 */
export function tablesText(tables, texts) {
  if (!tables) return "";
  const told = texts.say("desk.notices.at_tables", { done: tables.done, given: tables.given });
  const named = tables.behind.slice(0, MOST_NAMED);
  const more = tables.behind.length > named.length ? ["…"] : [];
  return tables.behind.length ? `${told} ${texts.say("desk.notices.behind", { tables: [...named, ...more].join(", ") })}` : told;
}

export const show = built((root, context) => {
  const { texts } = context();
  const { say } = texts;
  const current = make("p", { class: "notice", "data-testid": "notice-now" });
  const nothing = make("p", { class: "empty" }, say("desk.notices.none"));
  const atTables = make("p", { class: "soft", role: "status", "data-testid": "notice-tables" });
  const text = input("notice-text", { maxlength: "200" });
  const minutes = input("notice-minutes", { type: "number", min: "0", max: "1440", step: "0.5", inputmode: "decimal" });
  const hall = tick("notice-hall", say("desk.notices.hall"));
  const tables = tick("notice-at-tables", say("desk.notices.tables"));
  const which = input("notice-which", { placeholder: say("desk.notices.all"), inputmode: "text" });
  const lack = make("p", { class: "problem", role: "alert", "data-testid": "notice-lack", hidden: true });
  const down = button(say("desk.notices.down"), () => takeDown(), { testid: "notice-down" });
  hall.control.checked = true;

  /** @returns {object | null} null where something is missing, which is told */
  function wanted() {
    const numbers = tables.control.checked ? tablesOf(which.value) : undefined;
    const lacks = !text.value.trim() ? "text" : numbers === null ? "which" : hall.control.checked || tables.control.checked ? "" : "where";
    note(lack, lacks ? say(`desk.notices.lack_${lacks}`) : "");
    if (lacks) return null;
    return { text: text.value.trim(), minutes: numberOf(minutes) ?? null, hall: hall.control.checked, tables: numbers ?? null };
  }

  async function putUp() {
    const body = wanted();
    if (!body) return text.focus();
    const answer = await context().api("POST", "/api/notices", body);
    if (!answer.ok) return;
    context().tell(say("desk.notices.up"));
    text.value = minutes.value = "";
  }

  async function takeDown() {
    const answer = await context().api("DELETE", "/api/notices");
    if (answer.ok) context().tell(say("desk.notices.taken_down"));
  }

  function draw() {
    const told = context().state.notices ?? {};
    /** @type {Notice | null} */
    const notice = told.notice ?? null;
    note(current, notice ? noticeText(notice, context().now(), texts) : "");
    nothing.hidden = notice !== null;
    note(atTables, tablesText(told.tables ?? null, texts));
    down.hidden = notice === null && !told.tables;
  }

  setInterval(() => !root.hidden && draw(), 500);
  root.append(
    card(say("desk.notices.now"), current, nothing, atTables, make("div", { class: "row" }, down)),
    card(
      say("desk.notices.new"),
      form(
        "notice-form",
        () => putUp(),
        field(say("desk.notices.text"), text, "wide"),
        field(say("desk.notices.minutes"), minutes, "short"),
        hall.element,
        tables.element,
        field(say("desk.notices.which"), which, "short"),
        submit(say("desk.notices.put_up"), { main: true, testid: "notice-up" }),
      ),
      make("p", { class: "soft" }, say("desk.notices.note")),
      lack,
    ),
  );
  return draw;
});
