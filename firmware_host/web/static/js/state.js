// @ts-check
// What pages make of the state that the service sends: pure functions.

/** @typedef {import("./types.js").Round} Round */
/** @typedef {import("./types.js").Result} Result */
/** @typedef {import("./types.js").Timer} Timer */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Judged} Judged */
/** @typedef {import("./texts.js").Texts} Texts */

/** @type {Readonly<Record<string, string>>} */
const VIEWS = {
  idle: "attract",
  cancelled: "attract",
  shaking: "busy",
  settling: "busy",
  reading: "busy",
  scoring: "busy",
  lid_open: "hand",
  by_hand: "hand",
  confirming: "question",
  ready: "ready",
  running: "running",
  paused: "paused",
  collecting: "collecting",
  finished: "result",
  faulted: "fault",
};

/** Seconds left at which a warning is spoken, and its text. */
export const WARNINGS = /** @type {const} */ ([
  [60, "minute"],
  [30, "half"],
  [10, "ten"],
  [0, "over"],
]);

/**
 * The view of the display that a round is in.
 *
 * @param {Pick<Round, "phase" | "result">} round
 */
export function viewOf(round) {
  if (round.phase === "finished" && !round.result) return "attract";
  return VIEWS[round.phase] ?? "busy";
}

/** Views of the display in which nobody plays: others may be looked at. */
const BETWEEN = new Set(["attract", "result"]);

/**
 * Whether a player waits for a round: none is on, or a fault is in its way.
 *
 * @param {Pick<Round, "phase" | "result">} round
 */
export function isBetween(round) {
  return round.phase === "faulted" || BETWEEN.has(viewOf(round));
}

const SCREENS = ["", "stats", "fairness"];

/**
 * The screen that the display shows in place of a view.
 *
 * @param {string} view
 * @param {string} wanted
 * @returns {string} empty for the view itself
 */
export function screenOf(view, wanted) {
  return BETWEEN.has(view) ? wanted : "";
}

/**
 * The screen that a key leads to.
 *
 * @param {string} screen
 * @param {string} key
 * @returns {string | null} null where the key means nothing
 */
export function nextScreen(screen, key) {
  if (key === "Escape") return "";
  const step = { ArrowLeft: SCREENS.length - 1, ArrowRight: 1 }[key];
  return step === undefined ? null : (SCREENS[(SCREENS.indexOf(screen) + step) % SCREENS.length] ?? null);
}

/**
 * The view of a player's page.
 *
 * @param {Pick<Round, "phase" | "result" | "players">} round
 * @param {{ name: string, handed_in: boolean } | null} you
 * @param {boolean} handingIn the list is on its way
 */
export function playViewOf(round, you, handingIn) {
  if (!you) return "gone";
  if (round.phase === "finished" && round.result) return "result";
  if (round.phase !== "running" && round.phase !== "collecting") return "wait";
  if (you.handed_in || handingIn) return "done";
  if (round.phase === "collecting") return "collect";
  const me = round.players.find((player) => player.name === you.name);
  return me?.on_paper ? "wait" : "write";
}

/**
 * Whether a role may press the buttons of the round.
 *
 * @param {string} role
 */
export function mayPress(role) {
  return role === "display" || role === "referee" || role === "owner";
}

/**
 * Whether there is no tray to be mended here: the service was begun without its devices.
 *
 * @param {Pick<Round, "fault">} round
 */
export function isSafeMode({ fault }) {
  return fault?.said?.key.startsWith("fault.say.safe_mode") ?? false;
}

/**
 * Seconds left on a timer.
 *
 * @param {Timer} timer as it was told
 * @param {number} toldAt when, in milliseconds
 * @param {number} now milliseconds of the same clock
 * @returns {number | null} null where no sand runs or stands
 */
export function secondsLeft(timer, toldAt, now) {
  if (timer.left_s === null) return null;
  const gone = timer.running ? Math.max(0, now - toldAt) / 1000 : 0;
  return Math.max(0, timer.left_s - gone);
}

/**
 * A time as clocks that count down show it: the last second is 0:01.
 *
 * @param {number | null} seconds
 */
export function clockText(seconds) {
  if (seconds === null) return "–:––";
  const whole = Math.ceil(seconds - 1e-6);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * A clock's time for the ear and for devices, as ISO 8601 writes durations.
 *
 * @param {number | null} seconds
 */
export function duration(seconds) {
  return seconds === null ? "" : `PT${Math.ceil(seconds - 1e-6)}S`;
}

/**
 * The last warning that fell between two looks at a timer.
 *
 * @param {number | null} before seconds left
 * @param {number | null} after seconds left
 * @returns {string | null} its text
 */
export function warningBetween(before, after) {
  if (before === null || after === null) return null;
  const passed = WARNINGS.filter(([at]) => before > at && after <= at);
  return passed.at(-1)?.[1] ?? null;
}

/** Milliseconds after which cubes that settle, or are read, take longer than they should. */
export const SLOW_MS = 5000;

/**
 * What somebody is told who waits for the cubes for long.
 *
 * @param {Pick<Round, "phase" | "waits_for">} round
 * @param {number} since milliseconds in this phase
 * @param {boolean} [failed] whether a device failed in it
 * @returns {string} key of its text; empty for nothing
 */
export function slowKey({ phase, waits_for }, since, failed = false) {
  if (phase !== "settling" && phase !== "reading") return "";
  if (failed && !waits_for) return "display.slow.back";
  return waits_for || since > SLOW_MS ? `display.slow.${phase}` : "";
}

/**
 * How many cells are read.
 *
 * @param {boolean[][] | null} cells
 */
export function readSoFar(cells) {
  const flat = (cells ?? []).flat();
  return { count: flat.filter(Boolean).length, total: flat.length };
}

/**
 * Players whose lists the table waits for.
 *
 * @param {Pick<Round, "players">} round
 */
export function awaited(round) {
  return round.players.filter((player) => !player.handed_in && !player.on_paper).map((player) => player.name);
}

/**
 * Who else wrote a word that nobody is paid for.
 *
 * @param {Pick<Result, "players">} result
 * @param {string} name whose list it stands on
 * @param {string} word
 */
export function alsoFoundBy(result, name, word) {
  return result.players
    .filter((player) => player.name !== name && player.words.some((other) => other.word === word && other.verdict === "shared"))
    .map((player) => player.name);
}

/**
 * Distinct words that were found on the board and are in the word list, and how many there were.
 *
 * @param {Result} result
 */
export function foundOf(result) {
  const found = result.players.flatMap((player) => player.words.filter(isFound).map((judged) => judged.word));
  return { found: new Set(found).size, possible: result.possible.count };
}

/**
 * Whether a word was there to be found, whatever it is worth.
 *
 * @param {Judged} judged
 */
export function isFound(judged) {
  return judged.verdict === "scored" || judged.verdict === "shared";
}

/**
 * Words whose paths go through a cell.
 *
 * @template {{ path: Place[] | null }} T
 * @param {T[]} words
 * @param {Place | null} cell null for all of them
 * @returns {T[]}
 */
export function through(words, cell) {
  if (!cell) return words;
  return words.filter(({ path }) => (path ?? []).some(([row, col]) => row === cell[0] && col === cell[1]));
}

/**
 * Players from the most points to the fewest.
 *
 * @param {Pick<Result, "players">} result
 */
export function standings(result) {
  return [...result.players].sort((one, other) => other.points - one.points);
}

/**
 * Where a player came in; equal points are an equal place.
 *
 * @param {Pick<Result, "players">} result
 * @param {string} name
 */
export function placeOf(result, name) {
  const own = result.players.find((player) => player.name === name)?.points ?? 0;
  return 1 + result.players.filter((player) => player.points > own).length;
}

/**
 * The words to be shown one by one: what scored, each once, the best last.
 *
 * @param {Result} result
 * @returns {{ name: string, judged: Judged }[]}
 */
export function tour(result) {
  const scored = result.players.flatMap(({ name, words }) =>
    words.filter((judged) => judged.verdict === "scored" && judged.path).map((judged) => ({ name, judged })),
  );
  return scored.sort((one, other) => one.judged.points - other.judged.points);
}

/**
 * A word as it is compared: small letters, one way to write each accent.
 *
 * @param {string} text
 */
export function plain(text) {
  return text.trim().normalize("NFKC").replace(/[’‘ʼ`´]/g, "'").replace(/[‐‑–]/g, "-").toLowerCase();
}

/**
 * What is wrong with the form of a word.
 *
 * @param {string} text as it was typed
 * @param {number} minimum letters
 * @param {string[]} own words that are on the list already
 * @returns {"empty" | "letters" | "short" | "long" | "again" | null} null where nothing is
 */
export function formProblem(text, minimum, own) {
  const word = plain(text);
  if (!word) return "empty";
  if (!/^\p{L}+(['-]\p{L}+)*$/u.test(word)) return "letters";
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  if (letters < minimum) return "short";
  if (letters > 64) return "long";
  return own.some((other) => plain(other) === word) ? "again" : null;
}

/**
 * What is played, and in which round; before the first there is none to be named.
 *
 * @param {Pick<Round, "game" | "number"> & { lexicon?: string }} round
 * @param {Pick<Texts, "say">} texts
 */
export function roundTitle({ game, number, lexicon }, texts) {
  const parts = [
    game.title,
    number && texts.say("common.round", { number }),
    lexicon && texts.say("common.lexicon", { name: lexicon }),
  ];
  return parts.filter(Boolean).join(" · ");
}
