// @ts-check
// What letters on the board make, and what they take: pure functions. The service decides; this is
// for what is shown while somebody writes.

/**
 * @typedef {import("./swoggle_types.js").Place} Place
 * @typedef {{ place: Place, letter: string }} Letter
 * @typedef {"across" | "down"} Direction
 * @typedef {{ word: string, places: Place[], points: number, throws: number }} Made points without
 *   what is thrown for bonus squares
 */

/** Throws that a bonus square takes, by its sign. @type {Readonly<Record<string, number>>} */
const DICE = { o: 1, y: 2, r: 3 };

/** @type {Readonly<Record<Direction, Place>>} */
const STEPS = { across: [0, 1], down: [1, 0] };

/** @param {Place | null | undefined} one @param {Place | null | undefined} other */
export function isSame(one, other) {
  return Boolean(one && other && one[0] === other[0] && one[1] === other[1]);
}

/** @param {string} square its sign without the mark of the cross */
export function signOf(square) {
  return square.replace("+", "");
}

/** Throws that a square takes; 0 for any but a bonus square. @param {string | undefined} square */
export function diceOf(square) {
  return DICE[signOf(square ?? "")] ?? 0;
}

/** @param {string[][]} squares @param {string[][]} letters @param {Place} place */
export function isFree(squares, letters, [row, col]) {
  const square = squares[row]?.[col];
  return square !== undefined && square !== "#" && !letters[row]?.[col];
}

/**
 * What of the letters that are being written can stay when something else happens in the same turn.
 *
 * @param {string[][]} squares
 * @param {string[][]} letters that stand now
 * @param {Letter[]} written
 * @param {number | null} count of the letters to be written; null before the die is thrown
 */
export function stillWritten(squares, letters, written, count) {
  return written.filter(({ place }) => isFree(squares, letters, place)).slice(0, count ?? 0);
}

/** @param {Place} place @param {Direction} direction @param {number} [steps] @returns {Place} */
export function stepped([row, col], direction, steps = 1) {
  const [down, right] = STEPS[direction];
  return [row + down * steps, col + right * steps];
}

/** @param {Direction} direction @returns {Direction} */
export function other(direction) {
  return direction === "across" ? "down" : "across";
}

/**
 * The next square on which something can be written: letters that stand are stepped over.
 *
 * @param {string[][]} squares
 * @param {string[][]} letters that stand
 * @param {Place} place
 * @param {Direction} direction
 * @returns {Place | null} null behind the edge, or before a black square
 */
export function nextFree(squares, letters, place, direction) {
  let next = stepped(place, direction);
  while (letters[next[0]]?.[next[1]]) next = stepped(next, direction);
  return isFree(squares, letters, next) ? next : null;
}

/**
 * The letters on the board with those that are being written.
 *
 * @param {string[][]} letters
 * @param {Letter[]} written
 */
export function withWritten(letters, written) {
  const all = letters.map((line) => [...line]);
  for (const { place, letter } of written) {
    const line = all[place[0]];
    if (line) line[place[1]] = letter;
  }
  return all;
}

/**
 * The unbroken run of letters through a square.
 *
 * @param {string[][]} all
 * @param {Place} place
 * @param {Direction} direction
 * @returns {Place[]}
 */
export function runThrough(all, place, direction) {
  let start = place;
  while (letterAt(all, stepped(start, direction, -1))) start = stepped(start, direction, -1);
  const run = [start];
  for (let next = stepped(start, direction); letterAt(all, next); next = stepped(next, direction)) run.push(next);
  return run;
}

/** @param {string[][]} all @param {Place} place */
function letterAt(all, [row, col]) {
  return all[row]?.[col] ?? "";
}

/**
 * The new words that letters make, wherever they lie: each run of two or more through one of them.
 *
 * @param {string[][]} squares
 * @param {string[][]} letters that stand
 * @param {Letter[]} written
 * @param {number} worth points for each throw of a bonus square; 0 where it is thrown
 * @returns {Made[]}
 */
export function wordsMade(squares, letters, written, worth = 0) {
  const all = withWritten(letters, written);
  /** @type {Map<string, Place[]>} */
  const runs = new Map();
  for (const { place } of written) {
    for (const direction of /** @type {const} */ (["across", "down"])) {
      const run = runThrough(all, place, direction);
      if (run.length > 1) runs.set(`${direction} ${run[0]}`, run);
    }
  }
  return [...runs.values()].map((places) => made(squares, all, places, worth));
}

/** @param {string[][]} squares @param {string[][]} all @param {Place[]} places @param {number} worth @returns {Made} */
function made(squares, all, places, worth) {
  const signs = places.map(([row, col]) => squares[row]?.[col] ?? "");
  const throws = signs.reduce((sum, sign) => sum + diceOf(sign), 0);
  const plain = signs.reduce((sum, sign) => sum + (Number.parseInt(sign, 10) || 0), 0);
  return { word: places.map((place) => letterAt(all, place)).join(""), places, points: plain + throws * worth, throws: worth ? 0 : throws };
}

/**
 * The bonus squares that are thrown for, by row and then by column, each once.
 *
 * @param {string[][]} squares
 * @param {Made[]} words
 * @returns {{ place: Place, dice: number, sign: string }[]}
 */
export function bonusSquares(squares, words) {
  const places = words.filter(({ throws }) => throws).flatMap((word) => word.places);
  const found = places.map((place) => ({ place, sign: signOf(squares[place[0]]?.[place[1]] ?? ""), dice: diceOf(squares[place[0]]?.[place[1]]) }));
  const bonus = found.filter(({ dice }) => dice > 0).sort((one, two) => one.place[0] - two.place[0] || one.place[1] - two.place[1]);
  return bonus.filter(({ place }, index) => !isSame(place, bonus[index - 1]?.place));
}

/**
 * Who throws next for the start, in a round of throws: all of them, then those who tie.
 *
 * @param {string[]} players
 * @param {number[][]} throws whole rounds so far
 * @returns {string[]} nobody where one is the highest
 */
export function throwing(players, throws) {
  const tied = throws.reduce((left, thrown) => left.filter((_, index) => thrown[index] === Math.max(...thrown)), players);
  return tied.length > 1 ? tied : [];
}
