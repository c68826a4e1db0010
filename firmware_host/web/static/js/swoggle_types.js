// @ts-check
// The documents of Swoggle by touch, as types. Nothing here runs.

/**
 * @typedef {[number, number]} Place row and column, from 0
 * @typedef {{ place: Place, letter: string, kind: string, throws: number[], points: number }} Scored
 * @typedef {{ word: string, points: number, squares: Scored[] }} Word
 * @typedef {{ player: string, outcome: "scored" | "wiped" | "passed" | "skipped", die: number | null,
 *   points: number, words: Word[] }} Entry
 * @typedef {{ name: string, points: number, skips: number, out: boolean, on_phone: boolean }} Seat
 * @typedef {{ match: string, at: number, seq: number, variant: string, lexicon: string,
 *   alphabet: string, checked: boolean, target: number | null, match_left_s: number | null,
 *   turn_seconds: number | null, turn_left_s: number | null, worth: number, squares: string[][],
 *   letters: string[][], fresh: Place[], players: Seat[], mover: string | null, may_start: boolean,
 *   turns: number, die: number | null, count: number | null, last_chance: boolean, challengeable: string[],
 *   challenged: string | null, verdict: { word: string, by: string, holds: boolean } | null,
 *   thrown: number[][], best_before: number | null, undoes: string | null, sheet: Entry[],
 *   over: { ending: string, winners: string[] } | null }} SwoggleView
 * @typedef {{ match: string, variant: string, over: boolean, players: string[],
 *   points: number[] }} Listed
 */

export {};
