// @ts-check
// The start: by the trays, all at the same moment, or on a word where tables have none.

import { button, card, field, form, input, lines, note, numberOf, offer, select, submit, tablesOf, tick } from "./desk_parts.js";
import { make, write } from "./dom.js";
import { timeOf } from "./referee_desk.js";

/** @typedef {import("./desk_types.js").Context} Context */
/** @typedef {import("./desk_types.js").DeskState} DeskState */
/** @typedef {import("./desk_rounds.js").Known} Known */
/**
 * Orders that were given together.
 *
 * @typedef {object} Batch
 * @property {string} kind
 * @property {number} given
 * @property {number | null} at
 * @property {Record<string, number>} count by outcome
 * @property {{ tray: string, why: string }[]} failed
 */

const TICK_MS = 250;

/**
 * What became of orders, for people.
 *
 * @param {Batch} batch @param {import("./texts.js").Texts} texts
 */
export function toldOf({ kind, given, count, failed }, texts) {
  const counts = Object.entries(count).map(([outcome, number]) => texts.count(`desk.start.${outcome}`, number));
  const why = failed.slice(0, 5).map(({ tray, why: reason }) => texts.say("desk.start.failed", { table: tray, why: reason }));
  const key = `desk.start.kind.${kind}`;
  const what = texts.has(key) ? texts.say(key) : kind;
  const head = texts.say("desk.start.order", { what, when: timeOf(given, texts.language) });
  return [`${head} ${counts.join(", ")}`, ...why].join(". ");
}

/** @param {() => Context} context */
export function makeStart(context) {
  const { texts } = context();
  const { say } = texts;
  const alone = button(say("desk.start.alone"), begin, { main: true, sign: "flag", testid: "start-round" });
  const lone = make("div", { class: "stack" }, make("p", { class: "soft", "data-testid": "no-station" }, say("desk.no_station")), make("div", { class: "row" }, alone));
  const board = select("order-board", []);
  const boards = field(say("desk.rounds.board_number"), board, "short");
  const tables = input("order-tables", { inputmode: "numeric", placeholder: say("desk.start.all"), "aria-describedby": "order-tables-note" });
  const problem = make("p", { class: "problem", id: "order-tables-note", role: "alert", hidden: true });
  const seconds = input("order-seconds", { type: "number", min: 1, max: 600, value: 10, inputmode: "numeric" });
  const promised = tick("order-promised", say("desk.start.promised"));
  const more = input("order-more", { type: "number", min: 1, max: 120, value: 30, inputmode: "numeric" });
  const countdown = make("p", { class: "countdown figures", role: "timer", "data-testid": "countdown", hidden: true });
  const trouble = make("p", { class: "problem", role: "alert", lang: "en", "data-testid": "promise-trouble", hidden: true });
  const orders = make("ul", { class: "orders", "data-testid": "orders" });
  const trays = make(
    "div",
    { class: "stack" },
    make("div", { class: "row at-foot" }, boards, field(say("desk.start.tables"), tables, "wide")),
    problem,
    make("div", { class: "row" }, button(say("desk.start.seat"), () => order("seat", {}), { sign: "side", testid: "order-seat" })),
    form("start-form", start, field(say("desk.start.seconds"), seconds, "short"), promised.element, submit(say("desk.start.start"), { main: true, sign: "hourglass", testid: "order-start" })),
    countdown,
    trouble,
    form("time-form", () => order("time", { seconds: numberOf(more) ?? 30 }), field(say("desk.start.more"), more, "short"), submit(say("desk.start.grant"), { sign: "plus", testid: "order-time" }), button(say("desk.start.cancel"), cancel, { sign: "close", testid: "order-cancel" })),
    orders,
  );
  const element = card(say("desk.start.title"), lone, trays);
  /** @type {number | null} */
  let startsAt = null;

  async function begin() {
    const answer = await context().api("POST", "/api/round/start");
    if (answer.ok) context().tell(say("desk.start.begun"), answer.document.entry);
  }

  /** @returns {number[] | null} */
  function chosen() {
    const found = tablesOf(tables.value);
    note(problem, found ? "" : say("desk.start.tables_form"));
    tables.setAttribute("aria-invalid", String(found === null));
    if (!found) tables.focus();
    return found;
  }

  /** @param {string} what @param {Record<string, unknown>} more_ */
  async function order(what, more_) {
    const only = chosen();
    if (!only) return;
    const answer = await context().api("POST", `/api/orders/${what}`, { board: Number(board.value || 1), tables: only, ...more_ });
    if (answer.ok) context().tell(texts.count("desk.start.given", answer.document.trays));
  }

  async function start() {
    await order("start", { seconds: numberOf(seconds) ?? 10, promised: promised.control.checked });
  }

  async function cancel() {
    const only = chosen();
    if (!only) return;
    if (only.length === 0) {
      note(problem, say("desk.start.cancel_which"));
      return tables.focus();
    }
    const title = say("desk.start.cancel_sure", { tables: texts.names(only.map(String)) });
    if (await context().sure({ title, note: say("desk.start.cancel_note"), yes: say("desk.start.cancel") })) await order("cancel", {});
  }

  function tock() {
    const left = startsAt === null ? 0 : startsAt - context().now();
    countdown.hidden = left <= 0;
    if (left > 0) write(countdown, texts.count("desk.start.in", Math.ceil(left)));
  }

  setInterval(tock, TICK_MS);
  return {
    element,
    /** @param {Known} now */
    take({ round }) {
      element.hidden = round === null;
      alone.disabled = round?.started ?? false;
      const all = Array.from({ length: context().state.event.boards }, (_, place) => String(place + 1));
      offer(board, all.map((each) => [each, each]));
      boards.hidden = all.length < 2;
    },
    /** @param {DeskState} state */
    show({ rounds, tables: monitor }) {
      const station = monitor.station === true || monitor.trouble !== undefined;
      lone.hidden = station;
      trays.hidden = !station;
      /** @type {Batch[]} */
      const given = rounds.orders ?? [];
      startsAt = given.find(({ kind, at }) => kind === "button_pressed" && at !== null)?.at ?? null;
      lines(orders, given.slice(0, 8).map((batch) => toldOf(batch, texts)));
      note(trouble, rounds.promise ?? "");
      tock();
    },
  };
}
