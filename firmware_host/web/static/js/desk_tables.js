// @ts-check
// How all tables stand, as the station sees them.

import { built, card, field, keyed, note, select } from "./desk_parts.js";
import { make, mark, write } from "./dom.js";
import { clockText } from "./state.js";

/** @typedef {import("./desk_types.js").Context} Context */
/** @typedef {import("./texts.js").Texts} Texts */
/**
 * A table, as `wordtray station tables` has it.
 *
 * @typedef {object} Monitor
 * @property {string} tray
 * @property {boolean | null} online null where it was never seen
 * @property {boolean} simulated
 * @property {string} phase
 * @property {number | null} round
 * @property {number | null} board
 * @property {string[]} players
 * @property {number | null} left_s
 * @property {[number, number][]} doubtful
 * @property {number} doubtful_words
 * @property {string} fault
 * @property {string} trouble
 * @property {number | null} behind
 * @property {boolean} taken
 * @property {string} order
 * @property {number | null} skew_s
 * @property {number | null} skew_error_s
 */

const FILTERS = ["all", "attention", "offline", "doubtful", "running", "open"];

/** Seconds that a clock may lie off without being told of. */
const SKEW_S = 0.05;

/**
 * Whether a table is one of those that somebody looks for.
 *
 * @param {Monitor} table @param {string} filter one of `FILTERS`
 */
export function fits(table, filter) {
  const doubtful = table.doubtful.length > 0 || table.doubtful_words > 0;
  const wrong = Boolean(table.fault || table.trouble) || table.online === false;
  const tests = {
    all: true,
    attention: wrong || doubtful,
    offline: table.online !== true,
    doubtful,
    running: table.phase === "running",
    open: !table.taken,
  };
  return tests[/** @type {keyof typeof tests} */ (filter)];
}

/**
 * What there is to say of a table besides its phase and its time.
 *
 * @param {Monitor} table @param {Texts} texts
 */
export function notesOf(table, texts) {
  const { say, count } = texts;
  const skewed = table.skew_s !== null && Math.abs(table.skew_s) > SKEW_S;
  return [
    table.doubtful.length ? count("desk.tables.doubtful_cubes", table.doubtful.length) : "",
    table.doubtful_words ? count("desk.tables.doubtful_words", table.doubtful_words) : "",
    table.behind ? count("desk.tables.behind", table.behind) : "",
    skewed ? say("desk.tables.skew", { seconds: Number(table.skew_s?.toFixed(2)) }) : "",
    table.taken ? say("desk.tables.taken") : "",
  ].filter(Boolean);
}

/** @param {Monitor} table @returns {string} a part of a key */
function presenceOf({ online, simulated }) {
  if (online === null) return "never";
  return `${online ? "online" : "offline"}${simulated ? "_simulated" : ""}`;
}

/** @param {import("./desk_types.js").DeskState} state */
export function badge({ tables: monitor }) {
  return (monitor.tables ?? []).filter((/** @type {Monitor} */ table) => fits(table, "attention")).length;
}

export const show = built((root, context) => {
  const { texts } = context();
  const { say } = texts;
  const filter = select("tables-filter", FILTERS.map((name) => [name, say(`desk.tables.filter.${name}`)]));
  const summary = make("p", { role: "status", "data-testid": "tables-summary" });
  const silent = make("p", { class: "problem", role: "alert", "data-testid": "silent", hidden: true });
  const none = make("p", { class: "empty", "data-testid": "tables-none" });
  const list = make("ol", { class: "monitor", "data-testid": "tables" });
  const fill = keyed(list, (/** @type {Monitor} */ { tray }) => tray, rowOf);
  const tools = make("div", { class: "row at-foot" }, field(say("desk.tables.filter.label"), filter), summary);
  root.append(card(say("desk.tables.title"), silent, tools, none, list));

  /** @param {Monitor} first */
  function rowOf(first) {
    const presence = make("span", { class: "presence" });
    const phase = make("span", { class: "phase" });
    const left = make("span", { class: "left figures" });
    const notes = make("p", { class: "notes" });
    const wrong = make("p", { class: "problem", lang: "en" });
    const about = make("p", { class: "soft" });
    const head = make("h3", {}, say("desk.table", { number: first.tray }));
    const element = make("li", { "data-tray": first.tray }, make("div", { class: "row apart" }, head, presence), make("div", { class: "row apart" }, phase, left), notes, wrong, about);
    return {
      element,
      /** @param {Monitor} table */
      fill(table) {
        mark(element, { "data-presence": presenceOf(table), "data-attention": fits(table, "attention") });
        write(presence, say(`desk.tables.presence.${presenceOf(table)}`));
        write(phase, phaseOf(table));
        write(left, table.left_s === null ? "" : clockText(table.left_s));
        note(notes, notesOf(table, texts).join(" · "));
        note(wrong, [table.fault, table.trouble].filter(Boolean).join(" "));
        note(about, aboutOf(table));
      },
    };
  }

  /** @param {Monitor} table */
  function phaseOf({ phase, round, board }) {
    const key = `desk.tables.phase.${phase}`;
    const told = phase && texts.has(key) ? say(key) : phase || say("desk.tables.phase.unknown");
    return round === null ? told : say("desk.tables.playing", { phase: told, round, board: board ?? 1 });
  }

  /** @param {Monitor} table */
  function aboutOf({ players, order }) {
    return [texts.names(players), order ? say("desk.tables.order", { order: orderOf(order) }) : ""].filter(Boolean).join(" · ");
  }

  /** @param {string} order such as `extra_time: done` */
  function orderOf(order) {
    const key = `desk.start.kind.${order.split(":")[0]}`;
    return texts.has(key) ? order.replace(/^[^:]*/, say(key)) : order;
  }

  function draw() {
    const { tables: monitor } = context().state;
    /** @type {Monitor[]} */
    const all = [...(monitor.tables ?? [])].sort((one, other) => one.tray.localeCompare(other.tray, "en", { numeric: true }));
    const shown = all.filter((table) => fits(table, filter.value));
    fill(shown);
    note(silent, monitor.trouble ?? (monitor.silent ? say("desk.tables.silent") : ""));
    tools.hidden = all.length === 0;
    const attention = all.filter((table) => fits(table, "attention")).length;
    write(summary, say("desk.tables.summary", { tables: all.length, online: all.filter(({ online }) => online).length, attention, taken: all.filter(({ taken }) => taken).length }));
    note(none, shown.length ? "" : say(emptyOf(monitor, all.length)));
  }

  /** @param {Record<string, any>} monitor @param {number} count @returns {string} */
  function emptyOf(monitor, count) {
    if (count) return "desk.tables.none_such";
    return monitor.station === false ? "desk.tables.no_station" : "desk.tables.none";
  }

  filter.addEventListener("change", draw);
  return draw;
});
