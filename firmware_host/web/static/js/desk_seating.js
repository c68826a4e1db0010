// @ts-check
// Who sits where, and how that is changed by hand before the round starts.

import { put, remarksOf, sent, swapped } from "./desk_hand.js";
import { button, lines } from "./desk_parts.js";
import { make } from "./dom.js";

/** @typedef {import("./desk_types.js").Context} Context */
/** @typedef {import("./desk_rounds.js").Draw} Draw */
/** @typedef {import("./desk_rounds.js").Known} Known */
/** @typedef {import("./desk_hand.js").Seating} Seating */
/** @typedef {import("./desk_hand.js").Spot} Spot */

/**
 * @param {() => Context} context
 * @param {() => Known | null} known
 * @param {() => unknown} load asks for the round again
 */
export function makeSeating(context, known, load) {
  const { texts } = context();
  const { say } = texts;
  const element = make("div", { class: "stack", "data-testid": "seating" });
  /** @type {{ draw: Draw, seating: Seating, held: string } | null} what is changed by hand, and who was taken up */
  let hand = null;

  function redraw() {
    const now = known();
    if (!now) return;
    if (hand) element.replaceChildren(editor(hand, offsetOf(now, hand.draw)));
    else element.replaceChildren(...now.draws.map((draw) => seated(now, draw)));
  }

  /** @param {Known} now @param {Draw} draw @returns {number} how many tables have lower numbers */
  function offsetOf(now, draw) {
    const before = now.draws.slice(0, now.draws.findIndex(({ division }) => division === draw.division));
    return before.reduce((count, { tables }) => count + tables.length, 0);
  }

  /** @param {Known} now @param {Draw} draw */
  function seated(now, draw) {
    const offset = offsetOf(now, draw);
    const tables = draw.tables.map((names, place) => line(say("desk.table", { number: offset + place + 1 }), names));
    const others = [
      ...(draw.byes.length ? [line(say("desk.rounds.byes"), draw.byes)] : []),
      ...(draw.absent.length ? [line(say("desk.rounds.absent"), draw.absent)] : []),
    ];
    const change = now.round?.started ? null : button(say("desk.rounds.by_hand"), () => take(draw), { sign: "pencil", testid: `by-hand-${draw.division}` });
    const head = now.divisions.length > 1 ? make("h3", {}, draw.division) : null;
    return make("div", { class: "stack" }, head, make("ol", { class: "seating" }, ...tables, ...others), make("div", { class: "row" }, change));
  }

  /** @param {string} head @param {string[]} names */
  function line(head, names) {
    return make("li", {}, make("b", {}, head), " ", make("span", {}, texts.names(names)));
  }

  /** @param {Draw} draw */
  function take(draw) {
    const { tables, byes, absent } = draw;
    hand = { draw, seating: { tables: tables.map((names) => [...names]), byes: [...byes], absent: [...absent] }, held: "" };
    redraw();
    /** @type {HTMLElement | null} */ (element.querySelector("button"))?.focus();
  }

  /** @param {{ draw: Draw, seating: Seating, held: string }} now @param {number} offset */
  function editor({ seating, held }, offset) {
    const { tables, byes, absent } = seating;
    const spots = tables.map((names, place) => spot(say("desk.table", { number: offset + place + 1 }), names, place, held));
    const remarks = make("ul", { class: "warnings", "data-testid": "hand-remarks", hidden: true });
    return make(
      "div",
      { class: "stack" },
      make("p", { class: "soft", role: "status" }, held ? say("desk.rounds.held", { name: held }) : say("desk.rounds.hand_note")),
      remarks,
      make(
        "ol",
        { class: "seating hand" },
        ...spots,
        spot(say("desk.rounds.new_table"), [], "new", held),
        spot(say("desk.rounds.byes"), byes, "byes", held),
        spot(say("desk.rounds.absent"), absent, "absent", held),
      ),
      make(
        "div",
        { class: "row" },
        button(say("desk.keep"), () => send(true), { main: true, sign: "check", testid: "hand-keep" }),
        button(say("common.cancel"), leave, { testid: "hand-leave" }),
      ),
    );
  }

  /** @param {string} head @param {string[]} names @param {Spot} place @param {string} held */
  function spot(head, names, place, held) {
    const here = button(say("desk.rounds.to_here"), () => change((seating) => put(seating, held, place)), { label: `${say("desk.rounds.to_here")}: ${head}` });
    here.hidden = !held || names.includes(held);
    return make("li", { "data-spot": String(place) }, make("b", {}, head), ...names.map((name) => person(name, held)), here);
  }

  /** @param {string} name @param {string} held */
  function person(name, held) {
    const element = button(name, () => press(name));
    element.setAttribute("aria-pressed", String(name === held));
    element.dataset.player = name;
    return element;
  }

  /** @param {string} name taken up, put back, or changing places with who was taken up */
  function press(name) {
    if (!hand) return;
    const { held } = hand;
    if (held && held !== name) return change((seating) => swapped(seating, held, name));
    hand.held = held ? "" : name;
    redraw();
    focus(name);
  }

  /** @param {(seating: Seating) => Seating} how */
  function change(how) {
    if (!hand) return;
    const { held } = hand;
    hand.seating = how(hand.seating);
    hand.held = "";
    redraw();
    focus(held);
    send(false);
  }

  /** @param {string} name */
  function focus(name) {
    const found = [...element.querySelectorAll("button")].find((each) => each.dataset.player === name);
    found?.focus();
  }

  /** @param {boolean} keep */
  async function send(keep) {
    if (!hand) return;
    const { division, entry } = hand.draw;
    const answer = await context().api("POST", "/api/round/tables", { division, over: entry, ...sent(hand.seating), keep });
    if (!answer.ok) return;
    const remarks = element.querySelector("[data-testid=hand-remarks]");
    if (remarks) lines(/** @type {HTMLElement} */ (remarks), remarksOf(answer.document.remarks, texts));
    if (!keep) return;
    context().tell(say("desk.rounds.hand_kept"), answer.document.entry);
    hand = null;
    load();
  }

  function leave() {
    hand = null;
    redraw();
  }

  return {
    element,
    /** @param {Known} now */
    take(now) {
      if (hand && now.round?.started) hand = null;
      redraw();
    },
  };
}
