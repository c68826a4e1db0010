// @ts-check
// The log: what happened, when, and who did it.

import { make, slot } from "./dom.js";
import { faultTexts, textsOfFaults } from "./faults.js";
import { dateOf, decidedText, whoOf } from "./referee_desk.js";
import { PAGE } from "./referee_service.js";

/**
 * @typedef {{ seq: number, at: number, round: number, kind: string, who: string,
 *   data: Record<string, unknown> | null, fault?: import("./faults.js").Fault | null,
 *   undone?: import("./referee_desk.js").Decided | null }} Entry
 */

/** Kinds of entries that people cause; all others the machine makes by itself. */
const OF_PEOPLE = new Set([
  "button_pressed", "cell_confirmed", "cell_corrected", "back_asked", "player_joined", "player_left", "word_written", "word_erased",
  "lists_closed", "list_handed_in", "last_chance", "agreed", "turn_done", "pause_asked", "resume_asked", "extra_time",
  "reroll_asked", "cancelled", "word_decided", "word_ruled", "list_scanned", "scan_settled", "decision_undone",
  "lists_reopened", "challenge_begun", "challenge_dropped", "challenge_judged", "lexicon_chosen",
]);

/** What is told of an entry, in this order; all else is told already, or tells people nothing. */
const TOLD = [
  "text", "read", "word", "words", "ruling", "cell", "was", "face", "struck", "seconds", "on_paper", "players", "each", "good",
  "bad", "name", "rescore", "board", "why",
];

/**
 * What an entry is told as: a player who closes their own list alone has handed it in.
 *
 * @param {Pick<Entry, "kind" | "who" | "data">} entry
 */
export function kindOf({ kind, who, data }) {
  const players = data?.players;
  const own = Array.isArray(players) && players.length === 1 && players[0] === who;
  return kind === "lists_closed" && own ? "list_handed_in" : kind;
}

/**
 * What an entry holds, for people.
 *
 * @param {Entry} entry
 * @param {import("./texts.js").Texts} texts
 * @param {import("./texts.js").Texts} [faults] texts of faults
 */
export function detailOf({ data, fault, undone }, texts, faults = texts) {
  if (undone) return decidedText(undone, texts);
  if (fault) return faultTexts(fault, faults).message;
  const told = TOLD.map((name) => ({ name, value: valueOf(name, data?.[name], texts) }));
  /** @param {{ name: string, value: string }} field */
  const said = ({ name, value }) => (texts.has(`referee.log.field.${name}`) ? texts.say(`referee.log.field.${name}`, { value }) : value);
  return told.filter(({ value }) => value).map(said).join(", ");
}

/**
 * A value as people read it; empty for one that is none of theirs.
 *
 * @param {string} name
 * @param {unknown} value
 * @param {import("./texts.js").Texts} texts
 */
function valueOf(name, value, texts) {
  if (name === "ruling" && value) return texts.say(`referee.log.ruling.${value}`);
  if (name === "cell" && Array.isArray(value)) return texts.say("display.question.place", { row: value[0] + 1, col: value[1] + 1 });
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string").join(" ");
  if (typeof value === "number") return ["word", "board"].includes(name) ? "" : texts.number(value); // of a scan, and a table
  return typeof value === "string" || value === true ? String(value) : "";
}

/**
 * The entries that somebody looks for.
 *
 * @param {Entry[]} entries
 * @param {string} wanted part of what is said; nothing for all
 * @param {boolean} people leave out what the machine does by itself
 * @param {(entry: Entry) => string} said of an entry
 */
export function filtered(entries, wanted, people, said) {
  const part = wanted.trim().toLowerCase();
  return entries.filter((entry) => {
    return (!people || OF_PEOPLE.has(entry.kind)) && said(entry).toLowerCase().includes(part);
  });
}

/**
 * Entries with older or newer ones, each once, the newest first.
 *
 * @param {Entry[]} known
 * @param {Entry[]} more
 */
export function together(known, more) {
  const bySeq = new Map([...known, ...more].map((entry) => [entry.seq, entry]));
  return [...bySeq.values()].sort((one, other) => other.seq - one.seq);
}

/**
 * @param {import("./referee_desk.js").Desk} desk
 * @param {{ log: (since: number) => Promise<Entry[] | null> }} service
 * @returns {import("./referee_desk.js").Part}
 */
export function makeLog(desk, service) {
  const { texts } = desk;
  const wanted = /** @type {HTMLInputElement} */ (document.getElementById("log-filter"));
  const people = /** @type {HTMLInputElement} */ (document.getElementById("log-people"));
  /** @type {Entry[]} */
  let entries = [];
  let faults = texts;
  let [isOpen, isBusy, seq, round, phase] = [false, false, 0, 0, ""];

  /** @param {Entry} entry */
  function named(entry) {
    const key = `referee.log.kind.${kindOf(entry)}`;
    return texts.say(texts.has(key) ? key : "referee.log.other");
  }

  /** @param {Entry} entry */
  const said = (entry) => `${whoOf(entry.who, texts)} ${named(entry)} ${detailOf(entry, texts, faults)}`;

  function draw() {
    const shown = filtered(entries, wanted.value, people.checked, said);
    slot("entries").replaceChildren(...shown.map(line));
    slot("log-empty").hidden = shown.length > 0;
    slot("log-more").hidden = (entries.at(-1)?.seq ?? 1) <= 1;
  }

  /** @param {Entry} entry */
  function line(entry) {
    const detail = entry.data === null ? texts.say("referee.log.hidden") : detailOf(entry, texts, faults);
    return make(
      "tr",
      { "data-seq": entry.seq, "data-kind": entry.kind },
      make("td", { class: "figures" }, make("time", { datetime: new Date(entry.at * 1000).toISOString() }, dateOf(entry.at, texts.language))),
      make("td", {}, whoOf(entry.who, texts)),
      make("td", {}, make("b", {}, named(entry)), make("span", { class: "soft" }, detail && ` ${detail}`)),
    );
  }

  /** Entries up to the newest one. @param {number} since */
  async function load(since) {
    if (isBusy) return;
    isBusy = true;
    for (let from = since, page = null; ; from = page.at(-1)?.seq ?? from) {
      page = await service.log(from);
      entries = together(entries, page ?? []);
      if (!page || page.length < PAGE) break;
    }
    await learn();
    isBusy = false;
    draw();
  }

  async function older() {
    const first = entries.at(-1)?.seq ?? seq;
    const page = await service.log(Math.max(0, first - PAGE - 1));
    entries = together(entries, page ?? []);
    await learn();
    draw();
  }

  /** What faults are told by comes with the first of them. */
  async function learn() {
    if (faults === texts && entries.some(({ fault }) => fault)) faults = await textsOfFaults(texts);
  }

  const newest = () => load(entries[0]?.seq ?? Math.max(0, seq - PAGE));

  wanted.addEventListener("input", draw);
  people.addEventListener("change", draw);
  slot("log-form").addEventListener("submit", (event) => event.preventDefault());
  slot("log-more").addEventListener("click", older);

  return {
    open() {
      isOpen = true;
      newest();
    },
    show(state) {
      const newer = state.seq !== seq;
      // What a round in play hides is told at its end.
      if (state.round.number !== round || state.round.phase !== phase) entries = [];
      [seq, round, phase] = [state.seq, state.round.number, state.round.phase];
      if (isOpen && newer && !slot("part-log").hidden) newest();
    },
  };
}
