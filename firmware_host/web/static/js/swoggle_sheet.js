// @ts-check
// Points, and the latest lines of the score sheet.

import { make, slot } from "./dom.js";

/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./swoggle_types.js").SwoggleView} SwoggleView */
/** @typedef {import("./swoggle_types.js").Entry} Entry */

/** @param {SwoggleView} view @param {Texts} texts */
export function showScores(view, texts) {
  const lines = view.players.map((seat) => scoreLine(seat, view, texts));
  if (isDrawn(slot("scores"), lines)) return;
  slot("scores").replaceChildren(...lines);
}

/** @param {import("./swoggle_types.js").Seat} seat @param {SwoggleView} view @param {Texts} texts */
function scoreLine(seat, view, texts) {
  const notes = [
    view.over?.winners.includes(seat.name) && texts.say("touch.winner_mark"),
    view.mover === seat.name && texts.say("touch.seat.waiting"),
    seat.out && texts.say("swoggle.out"),
    seat.skips > 0 && texts.count("swoggle.skips", seat.skips),
  ].filter(Boolean);
  const of = view.target === null ? "" : ` / ${texts.number(view.target)}`;
  return make(
    "tr",
    { "data-mover": view.mover === seat.name },
    make("th", { scope: "row" }, seat.name, notes.length ? make("span", { class: "soft note" }, ` ${notes.join(", ")}`) : null),
    make("td", {}, make("b", {}, texts.number(seat.points)), of),
  );
}

/** @param {SwoggleView} view @param {Texts} texts */
export function showSheet(view, texts) {
  const lines = view.sheet.map((entry) => sheetLine(entry, texts));
  if (isDrawn(slot("sheet"), lines)) return;
  slot("sheet").replaceChildren(...(lines.length ? lines : [make("li", { class: "soft" }, texts.say("swoggle.nothing_yet"))]));
}

/** @param {Entry} entry @param {Texts} texts */
function sheetLine(entry, texts) {
  const die = entry.die === null ? "" : ` (${texts.number(entry.die)})`;
  const told = entry.outcome === "scored" ? texts.count("common.points", entry.points) : texts.say(`swoggle.outcome.${entry.outcome}`);
  return make(
    "li",
    { "data-outcome": entry.outcome },
    make("b", {}, `${entry.player}${die}`),
    ` ${told}`,
    ...entry.words.map((word) => make("span", { class: "sum" }, `${word.word} ${word.squares.map(({ points }) => texts.number(points)).join("+")} = ${texts.number(word.points)}`)),
  );
}

/** Whether lines stand there already. @param {HTMLElement} place @param {HTMLElement[]} lines */
function isDrawn(place, lines) {
  const wanted = lines.map((line) => line.textContent).join("|");
  if (place.dataset.drawn === wanted) return true;
  place.dataset.drawn = wanted;
  return false;
}
