// @ts-check
// The boards of a round: promised to all tables and kept secret, then shown.

import { button, card, field, form, input, keyed, select, submit, offer } from "./desk_parts.js";
import { make, write } from "./dom.js";

/** @typedef {import("./desk_types.js").Context} Context */
/** @typedef {import("./desk_rounds.js").Known} Known */

/** More than any board holds. */
const MOST_POINTS = 100000;

/** @param {() => Context} context */
export function makeBoards(context) {
  const { say } = context().texts;
  const number = select("board-number", []);
  const edition = select("board-edition", []);
  const given = input("board-given", { spellcheck: "false", autocapitalize: "off", placeholder: "IETC/HQuPE/SEYH/TOER" });
  const least = input("board-least", { inputmode: "numeric", pattern: "[0-9]{1,5}", maxlength: 5 });
  const most = input("board-most", { inputmode: "numeric", pattern: "[0-9]{1,5}", maxlength: 5 });
  const why = input("board-why", { maxlength: 200 });
  const list = make("ul", { class: "lines", "data-testid": "boards" });
  const fill = keyed(list, (/** @type {{ board: number }} */ { board }) => String(board), rowOf);
  const numbers = field(say("desk.rounds.board_number"), number, "short");
  const promising = form(
    "promise-form",
    promise,
    numbers,
    field(say("desk.rounds.edition"), edition),
    field(say("desk.rounds.least"), least, "short"),
    field(say("desk.rounds.most"), most, "short"),
    field(say("desk.rounds.given"), given, "wide"),
    field(say("desk.rounds.why_other"), why, "wide"),
    submit(say("desk.rounds.promise"), { sign: "shake", testid: "promise" }),
    button(say("desk.rounds.show_given"), showGiven, { testid: "show-given" }),
  );
  const element = card(say("desk.rounds.boards"), make("p", { class: "soft" }, say("desk.rounds.boards_note")), list, promising);

  /** @param {{ board: number }} first */
  function rowOf(first) {
    const about = make("span", { class: "hash" });
    const shown = button(say("desk.rounds.show"), () => show(first.board), { testid: `show-board-${first.board}` });
    const row = make("li", {}, make("span", {}, make("b", {}, say("desk.rounds.board", { number: first.board })), " ", about), shown);
    return {
      element: row,
      /** @param {{ board: number, hash?: string, shown?: string }} board */
      fill({ hash, shown: letters }) {
        write(about, letters ?? (hash ? say("desk.rounds.promised", { hash }) : say("desk.rounds.not_promised")));
        shown.hidden = letters !== undefined || hash === undefined;
      },
    };
  }

  /** @returns {Record<string, unknown>} */
  function asked() {
    return { board: Number(number.value || 1), given: given.value.trim() || undefined, why: why.value.trim() || undefined };
  }

  async function promise() {
    const rated = least.value || most.value;
    const between = rated ? [Number(least.value), Number(most.value || MOST_POINTS)] : undefined;
    const rolled = { cubes: edition.value || undefined, between };
    const answer = await context().api("POST", "/api/round/promise", { ...asked(), ...rolled });
    if (!answer.ok) return;
    promising.reset();
    context().tell(say("desk.rounds.promise_told"), answer.document.entry);
  }

  async function showGiven() {
    if (!given.value.trim()) return given.focus();
    await shownBy(asked());
  }

  /** @param {number} board that was promised */
  async function show(board) {
    const sure = await context().sure({ title: say("desk.rounds.show_sure", { number: board }), note: say("desk.rounds.show_note"), yes: say("desk.rounds.show") });
    if (sure) await shownBy({ board });
  }

  /** @param {Record<string, unknown>} body */
  async function shownBy(body) {
    const answer = await context().api("POST", "/api/round/board", body);
    if (!answer.ok) return;
    promising.reset();
    context().tell(say("desk.rounds.shown"), answer.document.entry);
  }

  return {
    element,
    /** @param {Known} now */
    take({ round, editions }) {
      element.hidden = round === null;
      if (!round) return;
      const all = Array.from({ length: context().state.event.boards }, (_, place) => place + 1);
      offer(number, all.map((each) => [String(each), String(each)]));
      offer(edition, editions.map((name) => [name, name]));
      numbers.hidden = all.length < 2;
      fill(all.map((board) => ({
        board,
        hash: round.promised.find((each) => each.board === board && each.table === 0)?.hash,
        shown: round.boards.find((each) => each.board === board && each.table === 0)?.shown,
      })));
    },
  };
}
