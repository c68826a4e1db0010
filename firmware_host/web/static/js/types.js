// @ts-check
// The documents that the service sends, as types. Nothing here runs.

/**
 * @typedef {[number, number]} Place row and column, from 0
 *
 * @typedef {{ rows: number, cols: number, faces: string[][] }} Board
 * @typedef {{ row: number, col: number, offers: string[], shown: number, number: number, of: number,
 *   crop_url?: string | null }} Question
 * @typedef {{ left_s: number | null, running: boolean, total_s: number }} Timer
 * @typedef {{ name: string, found: number, handed_in: boolean, points: number | null,
 *   online: boolean, on_paper: boolean }} Player
 * @typedef {{ name: string, title: string, timer_s: number, minimum: number, rows: number,
 *   cols: number }} Game
 * @typedef {import("./faults.js").Fault} Fault
 * @typedef {import("./challenge.js").ChallengeClock} ChallengeClock
 * @typedef {{ word: string, points: number, verdict: string, path: Place[] | null,
 *   reason: string }} Judged
 * @typedef {{ name: string, points: number, words: Judged[] }} Score
 * @typedef {{ word: string, points: number, path: Place[] }} Missed
 * @typedef {{ players: Score[], winners: string[], possible: { points: number, count: number },
 *   best_missed: Missed[] }} Result
 * @typedef {{ meanings: boolean, levels: Record<string, number>, likely: Missed[] | null }} Commonness
 * @typedef {{ part: string, base: string, gloss: string }} Meaning
 * @typedef {{ word: string, points: number, name: string, number: number }} Credit
 * @typedef {{ rounds: number, found: number, possible: number, best: Credit | null,
 *   longest: Credit | null, players: { name: string, points: number, rounds: number, won: number,
 *   words: number }[] }} Rounds
 * @typedef {{ test: string, cube: string | null, what: string | null, seen: number, fair: number,
 *   unfair: boolean, enough: boolean, shakes_needed: number }} ShakerTest
 * @typedef {{ verdict: string, edition: string | null, shakes: number, fewest: number,
 *   simulated: boolean, tests: ShakerTest[] }} Fairness
 * @typedef {{ id: string, text: string, late?: boolean, on_board?: boolean | null }} Written
 * @typedef {{ number: number, game: Game, phase: string, offered: string, to_play: string | null,
 *   unhurried: boolean, board: Board | null, prescribed: boolean, cells_read: boolean[][] | null,
 *   question: Question | null, timer: Timer, players: Player[],
 *   lexicon: string, challenge: ChallengeClock | null,
 *   announced: import("./notice.js").Announced | null, decided: number,
 *   fault: Fault | null, waits_for: Fault | null, result: Result | null }} Round
 * @typedef {{ seq: number, at: number, simulated: boolean, role: string, languages: string[],
 *   table: { name: string, lexicon: string, join_url: string | null, code: string | null }, round: Round,
 *   you: { name: string, words: Written[], handed_in: boolean } | null }} State
 */

export {};
