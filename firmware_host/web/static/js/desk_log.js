// @ts-check
// The log: who entered what, when and why; entries taken back, and entries that can be.

import { showChanges } from "./desk_changes.js";
import { built, button, card, field, form, input, keyed, note, onChange, submit } from "./desk_parts.js";
import { make, mark, write } from "./dom.js";
import { dateOf } from "./referee_desk.js";

/** @typedef {import("./desk_types.js").Context} Context */
/**
 * @typedef {object} Entry
 * @property {number} seq
 * @property {number} at
 * @property {string} type
 * @property {string} who
 * @property {string} why
 * @property {boolean} taken_back
 * @property {string[]} players whose lists or scores it holds
 * @property {Record<string, string | number>} about
 */

/** Entries of a page of the log. */
const COUNT = 100;

/** What of an entry is told in its line, in this order. */
const PARTS = ["round", "board", "table", "division", "player", "of", "by", "word", "points", "shown"];

/**
 * What an entry is about, in words.
 *
 * @param {Entry} entry @param {import("./texts.js").Texts} texts
 */
export function aboutOf({ type, about, players }, texts) {
  const parts = PARTS.filter((name) => about[name] !== undefined && !(name === "table" && about[name] === 0));
  const told = parts.map((name) => texts.say(keyOf(type, name), { value: String(about[name]) }));
  return [...told, ...(players.length ? [players.join(", ")] : [])].join(" · ");
}

/** @param {string} type @param {string} name */
function keyOf(type, name) {
  return type === "undo" && name === "of" ? "desk.log.about.entry" : `desk.log.about.${name}`;
}

export const show = built((root, context) => {
  const { texts } = context();
  const { say } = texts;
  const list = make("ul", { class: "lines entries-of", "data-testid": "log" });
  const older = button(say("desk.log.older"), () => loadOlder(), { testid: "older" });
  const heading = make("p", { "data-testid": "undo-what" });
  const why = input("undo-why", { maxlength: "200" });
  const lack = make("p", { class: "problem", role: "alert", hidden: true });
  const changes = make("div", { class: "stack", "data-testid": "undo-changes", tabindex: "-1" });
  const fill = keyed(list, (/** @type {Entry} */ { seq }) => String(seq), rowOf);
  /** @type {Entry[]} */
  let entries = [];
  /** @type {Entry | null} */
  let chosen = null;

  const asking = card(
    say("desk.log.take_back"),
    heading,
    form(
      "undo-form",
      () => undo(false),
      field(say("desk.results.why"), why, "wide"),
      button(say("desk.results.preview"), () => undo(true), { testid: "undo-preview" }),
      submit(say("desk.log.take_back"), { main: true, testid: "undo-enter" }),
      button(say("common.close"), close, { testid: "undo-close" }),
    ),
    lack,
    changes,
  );
  asking.hidden = true;

  /** @param {Entry} first */
  function rowOf(first) {
    const gone = make("b", {}, say("desk.log.gone"));
    const back = button(say("desk.log.take_back"), () => choose(first), { testid: "take-back-entry", label: say("desk.log.take_back_n", { entry: first.seq }) });
    const element = make(
      "li",
      { "data-entry": String(first.seq), "data-type": first.type },
      make("span", { class: "what" }, make("b", {}, `${first.seq} ${kindOf(first)}`), " ", aboutOf(first, texts)),
      make("span", { class: "soft" }, whoOf(first)),
      first.why ? make("q", {}, first.why) : null,
      gone,
      back,
    );
    return {
      element,
      /** @param {Entry} entry */
      fill(entry) {
        gone.hidden = !entry.taken_back;
        back.hidden = entry.taken_back || entry.type === "undo";
        mark(element, { "data-gone": String(entry.taken_back) });
      },
    };
  }

  /** @param {Entry} entry */
  function kindOf({ type }) {
    const key = `desk.log.kind.${type}`;
    return texts.has(key) ? say(key) : type;
  }

  /** @param {Entry} entry */
  function whoOf({ who, at }) {
    return say("desk.log.who", { who: who || say("desk.log.command"), when: dateOf(at, texts.language) });
  }

  /** @param {Entry} entry */
  function choose(entry) {
    chosen = entry;
    write(heading, `${entry.seq} ${kindOf(entry)} ${aboutOf(entry, texts)}`);
    showChanges(changes, null, texts);
    note(lack, "");
    asking.hidden = false;
    asking.scrollIntoView({ block: "nearest" });
    why.focus();
  }

  function close() {
    const seq = chosen?.seq;
    asking.hidden = true;
    chosen = null;
    why.value = "";
    /** @type {HTMLElement | null} */ (list.querySelector(`[data-entry="${seq}"] button`))?.focus();
  }

  /** @param {boolean} preview */
  async function undo(preview) {
    const reason = why.value.trim();
    note(lack, reason ? "" : say("desk.log.lack_why"));
    if (!chosen || !reason) return why.focus();
    const answer = await context().api("POST", `/api/log/${chosen.seq}/undo`, { why: reason, preview });
    if (!answer.ok) return;
    showChanges(changes, answer.document, texts);
    if (preview) return changes.focus();
    context().tell(say("desk.log.undone", { entry: chosen.seq }));
    close();
  }

  const lookAgain = onChange(async () => {
    const answer = await context().api("GET", `/api/log?count=${COUNT}`);
    if (answer.ok) take(answer.document.entries);
    return answer.ok;
  });

  /** Newer entries in front of those that were loaded before. @param {Entry[]} newest */
  function take(newest) {
    const last = newest.at(-1)?.seq ?? 0;
    const gone = new Set(newest.filter(({ type }) => type === "undo").map(({ about }) => about.of));
    const before = entries.filter(({ seq }) => seq < last).map((entry) => (gone.has(entry.seq) ? { ...entry, taken_back: true } : entry));
    entries = [...newest, ...before];
    draw();
  }

  async function loadOlder() {
    const first = entries.at(-1)?.seq ?? 1;
    const answer = await context().api("GET", `/api/log?before=${first}&count=${COUNT}`);
    if (!answer.ok) return;
    entries = [...entries, ...answer.document.entries];
    draw();
  }

  function draw() {
    fill(entries);
    older.hidden = (entries.at(-1)?.seq ?? 1) <= 1;
  }

  root.append(asking, card(say("desk.section.log"), list, older));
  return ({ state }) => {
    lookAgain(state.event.head);
  };
});
