// @ts-check
// The result on a phone: one's own list with its reasons, then those of the others.

import { ask } from "./api.js";
import { makeBoard, openCells } from "./board.js";
import { slot, write } from "./dom.js";
import { missedCard, pickLine, scoreCard, winnerText, wireMeanings } from "./results.js";
import { foundOf, standings } from "./state.js";
import { fetchCommonness, makeMeanings, UNKNOWN } from "./words.js";

/** @typedef {import("./types.js").Result} Result */
/** @typedef {import("./types.js").Round} Round */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./texts.js").Texts} Texts */

const RETRY_MS = 3000;

/** @param {Texts} texts */
export function makeOwnResult(texts) {
  const board = makeBoard(slot("result-board"), texts);
  const meanings = makeMeanings(texts);
  let known = UNKNOWN;
  let shown = "";

  /** @param {{ path: Place[] | null }} judged @param {HTMLElement} from */
  function pick({ path }, from) {
    const root = document.getElementById("main");
    if (root) pickLine(root, from.closest("li"));
    board.trace(path);
  }

  /** @param {Result} result @param {string} name */
  function showCards(result, name) {
    const scores = standings(result);
    const mine = scores.filter((score) => score.name === name);
    const others = scores.filter((score) => score.name !== name);
    slot("my-card").replaceChildren(...mine.map((score) => scoreCard(result, score, texts, pick, known)));
    slot("others-title").hidden = others.length === 0;
    slot("others").replaceChildren(
      ...others.map((score) => scoreCard(result, score, texts, pick, known)),
      missedCard(result, texts, null, pick, undefined, known),
    );
  }

  // The stream has one's own words alone: it comes often, and to many.
  /** @param {string} wanted what is shown @param {string} name */
  async function fetchAll(wanted, name) {
    const answer = await ask("GET", "/api/result");
    if (wanted !== shown) return;
    if (!answer.ok) {
      if (answer.status === 0 || answer.status >= 500) setTimeout(fetchAll, RETRY_MS, wanted, name);
      return;
    }
    write(slot("found-of"), texts.say("result.found_of", foundOf(answer.document)));
    showCards(answer.document, name);
    const found = await fetchCommonness();
    if (wanted !== shown) return;
    known = found;
    showCards(answer.document, name);
  }

  for (const place of ["my-card", "others"]) wireMeanings(slot(place), () => known.meanings, meanings);

  return {
    /** @param {Round} round @param {Result} result @param {string} name */
    show(round, result, name) {
      const wanted = JSON.stringify([round.number, result]);
      if (wanted === shown) return;
      shown = wanted;
      known = UNKNOWN;
      if (round.board) board.show(openCells(round.board.faces));
      write(slot("winner"), winnerText(result, texts));
      showCards(result, name);
      fetchAll(wanted, name);
    },
  };
}
