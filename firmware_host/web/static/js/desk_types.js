// @ts-check
// What the sections of a tournament's desk are given. Types alone.

/** @typedef {import("./api.js").Answer} Answer */

/**
 * Where the event stands, as `/api/desk` tells it.
 *
 * @typedef {object} EventState
 * @property {string} event its name
 * @property {string} title
 * @property {number} players
 * @property {number} rounds how many are planned
 * @property {number} boards of a round
 * @property {number} seats of a table; 0 where all sit at one
 * @property {string} method
 * @property {Round | null} round the last that was drawn
 * @property {number} entries
 * @property {string} head hash of the last entry: another one where anything was entered
 */

/**
 * @typedef {object} Round
 * @property {number} number
 * @property {boolean} started
 * @property {boolean} complete
 * @property {string[][]} tables
 * @property {string[]} byes
 * @property {{ board: number, table: number, shown: string }[]} boards
 * @property {{ board: number, table: number, hash: string }[]} promised
 * @property {{ board: number, table: number }[]} missing
 * @property {string[]} unsettled
 */

/**
 * The state of the desk: the event, who works here, and what each section adds.
 *
 * @typedef {{ event: EventState, me: string, now: number } & Record<string, any>} DeskState
 */

/**
 * What a section is given.
 *
 * @typedef {object} Context
 * @property {(method: string, path: string, body?: unknown, patience?: number) => Promise<Answer>} api
 *   asks the desk; a refusal is told, and what has changed is asked for at once
 * @property {DeskState} state
 * @property {import("./texts.js").Texts} texts
 * @property {(text: string, entry?: number) => void} tell says what was done, aloud too; with the
 *   number of an entry it is offered to be taken back
 * @property {import("./referee_sure.js").Sure} sure asks before what cannot be taken back
 * @property {() => number} now seconds since 1970, by the desk's clock
 * @property {(section: string, count: number) => void} count shows a number at a section's tab
 */

/**
 * A section: draws itself into its root, when it is opened and whenever the state is another one.
 * What somebody types must outlast that: build the form once.
 *
 * @typedef {object} Section
 * @property {(root: HTMLElement, context: Context) => void} show
 * @property {(state: DeskState) => number} [badge] the number at its tab, whether it is open or not
 */

export {};
