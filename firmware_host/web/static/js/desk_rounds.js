// @ts-check
// The round to come: its tables, its boards, its start.

import { makeBoards } from "./desk_boards.js";
import { remarksOf } from "./desk_hand.js";
import { built, field, form, lines, offer, onChange, select, submit, tick } from "./desk_parts.js";
import { makeSeating } from "./desk_seating.js";
import { makeStart } from "./desk_start.js";
import { make, write } from "./dom.js";

/** @typedef {import("./desk_types.js").Context} Context */
/** @typedef {{ division: string, entry: number, method: string } & import("./desk_hand.js").Seating} Draw */
/**
 * @typedef {object} Known
 * @property {number} next number of the round to come
 * @property {string} method
 * @property {string[]} methods
 * @property {string[]} divisions
 * @property {string[]} editions
 * @property {import("./desk_types.js").Round | null} round
 * @property {Draw[]} draws
 * @property {import("./desk_hand.js").Remark[]} remarks
 */

/** Milliseconds that a draw of many players may take on a small machine. */
const DRAWN_MS = 60_000;

export const show = built((root, context) => {
  const { texts } = context();
  const { say } = texts;
  /** @type {Known | null} */
  let known = null;

  const title = make("h2");
  const unsettled = make("ul", { class: "warnings", lang: "en", "data-testid": "unsettled" });
  const remarks = make("ul", { class: "warnings", "data-testid": "remarks" });
  const method = select("draw-method", []);
  const division = select("draw-division", []);
  const divisions = field(say("desk.players.division"), division);
  const strict = tick("draw-strict", say("desk.rounds.strict"));
  const drawer = submit("", { main: true, testid: "draw" });
  const asked = form("draw-form", draw, field(say("desk.rounds.method"), method), divisions, strict.element, drawer);
  const empty = make("p", { class: "empty" }, say("desk.rounds.none"));
  const seating = makeSeating(context, () => known, load);
  const boards = makeBoards(context);
  const start = makeStart(context);
  const main = make("section", { class: "card stack" }, title, unsettled, remarks, asked, empty, seating.element);

  async function draw() {
    const given = { method: method.value || undefined, division: division.value || undefined, strict: strict.control.checked };
    const answer = await context().api("POST", "/api/round/draw", given, DRAWN_MS);
    if (!answer.ok) return;
    await load();
    context().tell(say(answer.document.asks ? "desk.rounds.drawn_again" : "desk.rounds.drawn"));
  }

  async function load() {
    const answer = await context().api("GET", "/api/round");
    if (!answer.ok) return false;
    known = /** @type {Known} */ (answer.document);
    fill(known);
    return true;
  }

  /** @param {Known} now */
  function fill(now) {
    const { round, next } = now;
    const planned = context().state.event.rounds;
    const waiting = round !== null && !round.started;
    write(title, say("desk.rounds.title", { number: round?.number ?? 1 }));
    empty.hidden = round !== null;
    asked.hidden = next > planned || (round !== null && round.started && !round.complete);
    offer(method, [["", say("desk.rounds.agreed", { method: say(`desk.rounds.methods.${now.method}`) })], ...now.methods.map((name) => option(name))]);
    offer(division, [["", say("desk.rounds.each")], ...now.divisions.map((name) => /** @type {[string, string]} */ ([name, name]))]);
    divisions.hidden = now.divisions.length < 2;
    write(drawer, say(waiting ? "desk.rounds.draw_again" : "desk.rounds.draw", { number: next }));
    lines(remarks, remarksOf(now.remarks, texts));
    seating.take(now);
    boards.take(now);
    start.take(now);
    if (!main.isConnected) root.append(main, boards.element, start.element); // without names before
  }

  /** @param {string} name @returns {[string, string]} */
  function option(name) {
    return [name, say(`desk.rounds.methods.${name}`)];
  }

  const look = onChange(load);
  return ({ state }) => {
    lines(unsettled, state.rounds.unsettled ?? []);
    start.show(state);
    look([state.event.head, state.rounds.unsettled]);
  };
});
