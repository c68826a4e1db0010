// @ts-check
// What a finger may do on the tiles, and what a word would pay: pure functions. The service decides;
// this is for the tray, while the finger moves.

/**
 * @typedef {[number, number]} Place row and column, from 0
 * @typedef {{ face: string, value: number, bonus: string | null, lettered: boolean }} Tile
 * @typedef {{ word: string, points: number, score: number, before: number, all_letters: number,
 *   path: Place[], explanation?: string[] }} Paid
 * @typedef {{ all_letters: number, long_word: number, letter_bonus: number, minimum: number }} Numbers
 * @typedef {{ tiles: Tile[][], words: Paid[], used: Place[] }} Turn
 * @typedef {{ kind: "add" | "back" | "submit" | "no_letter" | "no_neighbour", path: Place[] }} Tapped
 */

/** @type {Readonly<Record<string, number>>} */
const TIMES_LETTER = { DL: 2, TL: 3 };
/** @type {Readonly<Record<string, number>>} */
const TIMES_WORD = { DW: 2, TW: 3 };

/** @param {Place | undefined} one @param {Place | undefined} other */
export function isSame(one, other) {
  return one !== undefined && other !== undefined && one[0] === other[0] && one[1] === other[1];
}

/** @param {Place} one @param {Place} other */
export function touches(one, other) {
  return Math.max(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1])) === 1;
}

/** @param {Place[]} path @param {Place} place where it lies in the path, or -1 */
export function indexIn(path, place) {
  return path.findIndex((each) => isSame(each, place));
}

/** @param {Tile[][]} tiles @param {Place} place */
export function tileAt(tiles, [row, col]) {
  return tiles[row]?.[col];
}

/**
 * What a tap on a tile does: the next letter, back to an earlier one, or the last one again.
 *
 * @param {Place[]} path
 * @param {Place} place
 * @param {Tile[][]} tiles
 * @returns {Tapped}
 */
export function tapped(path, place, tiles) {
  const at = indexIn(path, place);
  const last = path.at(-1);
  if (!tileAt(tiles, place)?.lettered) return { kind: "no_letter", path };
  if (at >= 0 && at === path.length - 1) return { kind: "submit", path };
  if (at >= 0) return { kind: "back", path: path.slice(0, at + 1) };
  if (last && !touches(last, place)) return { kind: "no_neighbour", path };
  return { kind: "add", path: [...path, place] };
}

/**
 * The path after a finger came over a tile: on, or back to the last but one; else as it was.
 *
 * @param {Place[]} path
 * @param {Place} place
 * @param {Tile[][]} tiles
 */
export function dragged(path, place, tiles) {
  const last = path.at(-1);
  if (isSame(path.at(-2), place)) return path.slice(0, -1);
  if (indexIn(path, place) >= 0 || !tileAt(tiles, place)?.lettered) return path;
  return !last || touches(last, place) ? [...path, place] : path;
}

/** @param {Place[]} path @param {Tile[][]} tiles */
export function spelled(path, tiles) {
  return path.map((place) => (tileAt(tiles, place)?.face ?? "").toLowerCase()).join("");
}

/**
 * What the letters along a path score, if they are a word.
 *
 * @param {Place[]} path
 * @param {Tile[][]} tiles
 * @param {Numbers} numbers
 */
export function scoreOf(path, tiles, numbers) {
  const run = path.map((place) => tileAt(tiles, place));
  const sum = run.reduce((total, tile) => total + (tile?.value ?? 0) * (TIMES_LETTER[tile?.bonus ?? ""] ?? 1), 0);
  const times = run.reduce((product, tile) => product * (TIMES_WORD[tile?.bonus ?? ""] ?? 1), 1);
  const long = [...spelled(path, tiles)].length - numbers.long_word + 1;
  return sum * times + Math.max(0, long) * numbers.letter_bonus;
}

/**
 * What a word along a path would pay.
 *
 * @param {Place[]} path
 * @param {Turn} turn
 * @param {Numbers} numbers
 * @param {(word: string) => boolean} isWord
 * @returns {Paid | null} null where the letters are no word
 */
export function payment(path, turn, numbers, isWord) {
  const word = spelled(path, turn.tiles);
  if (path.length < 2 || [...word].length < numbers.minimum || !isWord(word)) return null;
  const score = scoreOf(path, turn.tiles, numbers);
  const before = Math.max(0, ...turn.words.filter((paid) => paid.word === word).map((paid) => paid.score));
  const points = Math.max(0, score - before);
  const all = points > 0 && usesAll(path, turn) && !turn.words.some((paid) => paid.all_letters);
  return { word, points, score, before, all_letters: all ? numbers.all_letters : 0, path };
}

/** Whether a word was made again along a way that is no better. @param {Pick<Paid, "points" | "before">} paid */
export function isRepeat({ points, before }) {
  return points === 0 && before > 0;
}

/** @param {Place[]} path @param {Turn} turn */
function usesAll(path, turn) {
  return unused({ ...turn, used: [...turn.used, ...path] }).length === 0;
}

/**
 * The tiles without a dot.
 *
 * @param {Pick<Turn, "tiles" | "used">} turn
 * @returns {Place[]}
 */
export function unused({ tiles, used }) {
  const places = tiles.flatMap((line, row) => line.map((_, col) => /** @type {Place} */ ([row, col])));
  return places.filter((place) => tileAt(tiles, place)?.lettered && indexIn(used, place) < 0);
}

/**
 * A turn as it will be when moves that are on their way are paid.
 *
 * @param {Turn} turn
 * @param {Place[][]} paths of the moves
 * @param {Numbers} numbers
 * @param {(word: string) => boolean} isWord
 * @returns {Turn}
 */
export function expected(turn, paths, numbers, isWord) {
  return paths.reduce((before, path) => {
    const paid = payment(path, before, numbers, isWord);
    if (!paid) return before;
    return { ...before, words: [...before.words, paid], used: paid.points ? [...before.used, ...path] : before.used };
  }, turn);
}

/**
 * The mark by which a word is known: FNV-1a of 32 bits, as the service makes it.
 *
 * @param {string} text
 */
export function markOf(text) {
  return new TextEncoder().encode(text).reduce((mark, byte) => Math.imul(mark ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
}

/**
 * Cells of a grid that a finger touches on its way from one point to another, in units of cells.
 * On its way it must come near the middle of a tile, so that it passes between two others.
 *
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} to
 * @param {number} near how near, at most
 * @returns {Place[]}
 */
export function passed(from, to, near = 0.43) {
  const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 0.1));
  /** @type {Place[]} */
  const places = [];
  for (let step = 0; step <= steps; step += 1) {
    const x = from.x + ((to.x - from.x) * step) / steps;
    const y = from.y + ((to.y - from.y) * step) / steps;
    /** @type {Place} */
    const place = [Math.floor(y), Math.floor(x)];
    const isNear = Math.hypot(x - place[1] - 0.5, y - place[0] - 0.5) <= near;
    if (isNear && !isSame(places.at(-1), place)) places.push(place);
  }
  return places;
}
