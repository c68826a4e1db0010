// @ts-check
// The round as a referee sees it: where it stands, who plays, what may be done.

import { hiddenCells, makeBoard, openCells } from "./board.js";
import { icon, make, slot, write } from "./dom.js";
import { makeFaults } from "./faults.js";
import { wrongIn } from "./fields.js";
import { makeCorrection } from "./referee_correct.js";
import { actsOf, EXTRA_S } from "./referee_state.js";

/** @typedef {import("./referee_desk.js").Desk} Desk */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Round} Round */
/** @typedef {import("./types.js").Player} Player */

/**
 * Do something to the round; what cannot be taken back is asked once, and so is a next round while
 * words of this one are still doubtful: they would never score.
 *
 * @param {Desk} desk
 * @param {import("./referee_state.js").Act} act
 */
export async function perform(desk, { name, text, asks, ends }) {
  const { texts, sure, send } = desk;
  const title = texts.say(text, { seconds: EXTRA_S });
  const left = ends ? desk.unsettled() : 0;
  const note = left ? texts.count("referee.unsettled", left) : texts.say(`referee.sure.${name}`);
  if ((asks || left) && !(await sure({ title: `${title}?`, note, yes: title }))) return;
  await send("POST", `/api/round/${name}`, name === "extra-time" ? { seconds: EXTRA_S } : undefined);
}

/**
 * What the referee is told of the board.
 *
 * @param {Pick<Round, "board" | "prescribed" | "phase">} round
 * @returns {string} key of its text
 */
export function boardNote({ board, prescribed, phase }) {
  if (!board) return "referee.board_hidden";
  if (prescribed) return "referee.correct.prescribed";
  return phase === "paused" ? "referee.correct.paused" : "referee.correct.note";
}

/**
 * @param {Desk} desk
 * @param {{ displayLink: () => Promise<string | null> }} service
 * @returns {import("./referee_desk.js").Part}
 */
export function makeTable(desk, service) {
  const { texts, sure, send } = desk;
  const correction = makeCorrection(desk, (place) => board.press(place));
  const board = makeBoard(slot("board"), texts, (place) => correction.choose(place));
  const faults = makeFaults(texts);
  let drawn = "";

  /** @param {Round} round */
  function showActs(round) {
    const acts = actsOf(round);
    const wanted = JSON.stringify(acts);
    if (wanted === drawn) return;
    drawn = wanted;
    slot("acts").replaceChildren(...acts.map(button));
  }

  /** @param {import("./referee_state.js").Act} act */
  function button(act) {
    const text = texts.say(act.text, { seconds: EXTRA_S });
    const look = { class: act.main ? "button main" : "button", type: "button", "data-testid": `act-${act.name}` };
    const made = make("button", look, icon(act.icon), text);
    made.addEventListener("click", () => perform(desk, act));
    return made;
  }

  /** @param {Round} round */
  function showBoard(round) {
    const { rows, cols } = round.board ?? round.game;
    board.show(round.board ? openCells(round.board.faces, round.prescribed) : hiddenCells(rows, cols, round.cells_read, round.question));
    write(slot("board-note"), texts.say(boardNote(round)));
    correction.show(round);
  }

  /** @param {Player} player */
  function line(player) {
    const remove = make("button", { class: "button", type: "button" }, texts.say("referee.remove"), make("span", { class: "unseen" }, ` ${player.name}`));
    remove.addEventListener("click", () => removed(player.name));
    return make(
      "li",
      { "data-player": player.name },
      make("b", { class: "who" }, player.name),
      make("span", { class: "soft" }, standing(player)),
      make("span", { class: "figures" }, player.on_paper ? "" : texts.count("common.words", player.found)),
      remove,
    );
  }

  /** @param {Player} player */
  function standing({ handed_in, on_paper, online }) {
    const told = [handed_in && "handed_in", on_paper && "on_paper", !online && !on_paper && "offline"];
    return told.filter(Boolean).map((key) => texts.say(`display.player.${key}`)).join(", ");
  }

  /** @param {string} name */
  async function removed(name) {
    const title = texts.say("referee.remove_sure", { name });
    if (await sure({ title, note: texts.say("referee.remove_note"), yes: texts.say("referee.remove") })) {
      await send("DELETE", `/api/players/${encodeURIComponent(name)}`);
    }
  }

  /** @param {SubmitEvent} event */
  async function grant(event) {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (document.getElementById("extra-seconds"));
    const wrong = wrongIn(field, texts);
    if (wrong) return desk.tell(wrong);
    const { ok } = await send("POST", "/api/round/extra-time", { seconds: Number(field.value) });
    if (ok) desk.tell(texts.say("referee.extra.granted", { seconds: Number(field.value) }));
  }

  async function link() {
    const url = await service.displayLink();
    write(slot("display-link"), url ?? "");
    slot("display-link-line").hidden = !url;
  }

  slot("get-display-link").addEventListener("click", link);
  slot("extra").addEventListener("submit", (event) => grant(/** @type {SubmitEvent} */ (event)));
  let players = "";

  return {
    show({ round, table }) {
      showActs(round);
      showBoard(round);
      slot("trouble").hidden = !round.fault;
      faults.show(round.fault, slot("fault"), slot("fault-advice"));
      write(slot("address"), table.join_url ?? "–");
      write(slot("code"), table.code ?? "–");
      slot("nobody").hidden = round.players.length > 0;
      const wanted = JSON.stringify(round.players);
      if (wanted !== players) slot("players").replaceChildren(...round.players.map(line));
      players = wanted;
    },
  };
}
