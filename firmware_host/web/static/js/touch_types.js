// @ts-check
// The documents of WorldWinner by touch, as types. Nothing here runs.

/**
 * @typedef {import("./touch_rules.js").Place} Place
 * @typedef {import("./touch_rules.js").Tile} Tile
 * @typedef {import("./touch_rules.js").Paid} Paid
 * @typedef {import("./touch_rules.js").Numbers} Numbers
 * @typedef {"waiting" | "running" | "over"} Clock
 * @typedef {{ player: string, clock: Clock, left_s: number | null, points: number,
 *   tiles: Tile[][] | null, used: Place[], selected: Place[], words: Paid[] }} TurnView
 * @typedef {{ name: string, points: number, rounds: number[], clock: Clock, on_phone: boolean }} Seat
 * @typedef {{ match: string, at: number, lexicon: string, seconds: number, over: boolean, winners: string[],
 *   round: number, rounds: number, to_deal: boolean, tray: string, players: Seat[],
 *   turn: TurnView | null, numbers: Numbers }} MatchView
 * @typedef {{ match: string, over: boolean, round: number, rounds: number, players: string[],
 *   points: number[] }} Listed
 * @typedef {{ name: string, points: number, used: Place[], words: Paid[] }} Played
 * @typedef {{ round: number, tiles: Tile[][], players: Played[], found: number, possible: number,
 *   possible_points: number, best_missed: { word: string, points: number, path: Place[] }[] }} Finished
 */

export {};
