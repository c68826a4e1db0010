// @ts-check
// The result on the display: the board beside everybody's lists, one path at a time.

import { makeBoard, openCells } from "./board.js";
import { slot, write } from "./dom.js";
import { makeLeaves } from "./leaves.js";
import { fly, missedCard, pickLine, ranksCard, scoreCards, winnerText, wireMeanings } from "./results.js";
import { foundOf, tour as tourOf } from "./state.js";
import { fetchCommonness, makeMeanings, UNKNOWN } from "./words.js";

/** @typedef {import("./types.js").Result} Result */
/** @typedef {import("./types.js").Round} Round */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./texts.js").Texts} Texts */

/** Milliseconds for each word that is shown by itself, and for a leaf without one. */
const STEP_MS = 2200;
const LEAF_MS = 7000;

/** Words of a leaf that fly, the best: there may be many leaves. */
const MOST_FLIGHTS = 4;

/**
 * The result; it begins to show leaves and words by itself.
 *
 * @param {Texts} texts
 * @param {{ play: (tune: string) => void }} sound
 */
export function makeResultView(texts, sound) {
  const lists = slot("lists");
  const button = slot("tour");
  const board = makeBoard(slot("result-board"), texts, tap);
  const meanings = makeMeanings(texts);
  const leaves = makeLeaves(lists, texts, stop);
  let known = UNKNOWN;
  let shown = "";
  /** @type {Result | null} */
  let result = null;
  /** @type {Round["board"]} */
  let onBoard = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let touring;

  /** @param {{ word: string, path: Place[] | null }} judged @param {HTMLElement} from */
  function pick(judged, from) {
    stop();
    trace(judged, from);
  }

  /** @param {{ word: string, path: Place[] | null }} judged @param {HTMLElement} from */
  function trace({ path }, from) {
    if (!path) return;
    pickLine(lists, from.closest("li"));
    fly(from, board.cubeAt(path[0] ?? [0, 0]));
    board.trace(path);
    sound.play("word");
  }

  /** @param {Place} cell */
  function tap(cell) {
    stop();
    board.trace(null);
    board.press(cell);
    const face = onBoard?.faces[cell[0]]?.[cell[1]] ?? "";
    showMissed({ cell, face });
  }

  /** @param {{ cell: Place, face: string } | null} chosen */
  function showMissed(chosen) {
    if (!result) return;
    const onAll = () => {
      board.press(null);
      showMissed(null);
    };
    const card = missedCard(result, texts, chosen, pick, onAll, known);
    const old = lists.querySelector(".missed");
    if (old) old.replaceWith(card);
    else lists.append(card);
    leaves.fit();
    if (chosen) leaves.show(card);
  }

  function start() {
    const steps = tour();
    const step = () => {
      const { value, done } = steps.next();
      if (done) return stop();
      touring = setTimeout(step, value);
    };
    press(true);
    step();
  }

  // First the best words of each leaf; then leaf after leaf, as long as there is more than one.
  /** @returns {Generator<number, void>} milliseconds until the next step */
  function* tour() {
    for (let leaf = 0; leaf < leaves.count; leaf += 1) {
      leaves.turn(leaf);
      yield* flights(leaf);
    }
    while (leaves.count > 1) {
      leaves.turn(leaves.at + 1);
      yield LEAF_MS;
    }
  }

  /** @param {number} leaf @returns {Generator<number, void>} */
  function* flights(leaf) {
    const lines = result ? tourOf(result).map((at) => ({ ...at, line: lineOf(at) })) : [];
    const here = lines.filter(({ line }) => line && leaves.leafAt(line) === leaf).slice(-MOST_FLIGHTS);
    for (const at of here) {
      const word = lineOf(at)?.querySelector(".word");
      if (word instanceof HTMLElement) trace(at.judged, word);
      yield STEP_MS;
    }
    if (!here.length) yield LEAF_MS;
  }

  /** @param {{ name: string, judged: import("./types.js").Judged }} at */
  function lineOf({ name, judged }) {
    const card = [...lists.querySelectorAll("[data-player]")].find((one) => one.getAttribute("data-player") === name);
    return [...(card?.querySelectorAll("[data-word]") ?? [])].find((one) => one.getAttribute("data-word") === judged.word) ?? null;
  }

  function stop() {
    clearTimeout(touring);
    touring = undefined;
    press(false);
  }

  /** @param {boolean} on */
  function press(on) {
    button.setAttribute("aria-pressed", String(on));
    button.querySelector("use")?.setAttribute("href", `#sign-${on ? "pause" : "play"}`);
    const label = button.querySelector("span");
    if (label) write(label, texts.say(on ? "result.tour_stop" : "result.tour"));
  }

  /** @param {Result} found */
  function showCards(found) {
    meanings.hide();
    lists.replaceChildren(...ranksCard(found, texts), ...scoreCards(found, texts, pick, known));
    showMissed(null);
  }

  /** @param {string} wanted what is shown */
  async function learn(wanted) {
    const found = await fetchCommonness();
    if (wanted !== shown || !result) return;
    known = found;
    showCards(result);
  }

  button.addEventListener("click", () => (touring ? stop() : start()));
  wireMeanings(lists, () => known.meanings, meanings);

  return {
    /** @param {Round} round @param {Result} found */
    show(round, found) {
      const wanted = JSON.stringify([round.number, found]);
      if (wanted === shown) return;
      const first = !shown;
      shown = wanted;
      result = found;
      onBoard = round.board;
      if (round.board) board.show(openCells(round.board.faces));
      write(slot("winner"), winnerText(found, texts));
      write(slot("found-of"), texts.say("result.found_of", foundOf(found)));
      known = UNKNOWN;
      showCards(found);
      learn(wanted);
      if (first) start();
    },
    pause: stop,
    leave() {
      if (!shown) return;
      shown = "";
      stop();
    },
  };
}
