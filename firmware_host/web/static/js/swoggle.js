// @ts-check
// Swoggle by touch. The service is the referee: this page sends what is done and shows what comes back.

import { ask, complaint } from "./api.js";
import { make, mark, showView, slot, write } from "./dom.js";
import { announce, kept, makeLine, mention, storedLetters, storeLetters, wireChoices, wireDialogs } from "./page.js";
import { clockText } from "./state.js";
import { makeSwoggleBoard } from "./swoggle_board.js";
import { dieFace, makeDice } from "./swoggle_dice.js";
import { bonusSquares, isFree, isSame, nextFree, other, signOf, stillWritten, throwing, wordsMade } from "./swoggle_rules.js";
import { showScores, showSheet } from "./swoggle_sheet.js";
import { pageTexts } from "./texts.js";
import { makeEntrance, makeLobby, showLexicon } from "./touch_lobby.js";

/** @typedef {import("./swoggle_types.js").Place} Place */
/** @typedef {import("./swoggle_types.js").SwoggleView} SwoggleView */
/** @typedef {import("./swoggle_rules.js").Letter} Letter */

const ROUTE = "/api/swoggle";
const POLL_MS = 1000;
const TICK_MS = 200;
const TARGETED = new Set(["ordinary", "fours"]);

const texts = pageTexts();
const line = makeLine(texts);
const board = makeSwoggleBoard(slot("board"), texts, { tap, walk, type, back, submit, clear, drop });
const dice = makeDice(slot("ask"), texts);
const matchName = new URLSearchParams(location.search).get("match") ?? "";
const here = `${ROUTE}/${encodeURIComponent(matchName)}`;
const lobby = makeLobby(texts, {
  begin,
  go: (match) => location.assign(`?match=${encodeURIComponent(match)}`),
  where: ({ variant }) => texts.say(`swoggle.way.${variant}`),
});

/** What the page knows: the last view, and what is being written. */
const known = {
  /** @type {SwoggleView | null} */
  view: null,
  toldAt: 0,
  role: "",
  player: "",
  /** @type {Letter[]} */
  written: [],
  /** @type {Place | null} */
  cursor: null,
  /** @type {import("./swoggle_rules.js").Direction} */
  direction: "across",
  throwsBonus: false,
  firstBegins: false,
  /** @type {number[][]} */
  starting: [],
  sending: false,
  asked: false,
  challengeWord: "",
  challenger: "",
};

const entrance = makeEntrance({ route: ROUTE, match: matchName, known, lobby, onLine: line.show, view: showView, refresh });

/** @type {ReturnType<typeof setTimeout> | undefined} */
let later;

// ---- who may do what --------------------------------------------------------------------------

/** @param {string | null} name whether this page plays for them */
function playsFor(name) {
  const seat = known.view?.players.find((each) => each.name === name);
  return Boolean(seat) && (known.role === "player" ? known.player === name : !seat?.on_phone);
}

/** Throwing for who begins is nobody's own turn: the display does it, and whoever plays. @param {SwoggleView} view */
function maySayWhoBegins(view) {
  return known.role !== "player" || view.players.some(({ name }) => name === known.player);
}

/** What is to be done here now. @param {SwoggleView} view */
function stepOf(view) {
  if (view.over) return "over";
  if (view.may_start && !known.firstBegins && maySayWhoBegins(view)) return "start";
  if (!playsFor(view.mover)) return "wait";
  if (view.count === null) return "roll";
  return known.throwsBonus ? "bonus" : "write";
}

/** Who could challenge here. @param {SwoggleView} view */
function challengers(view) {
  return view.players.filter(({ name }) => name !== view.challenged && playsFor(name)).map(({ name }) => name);
}

// ---- what fingers and keys write --------------------------------------------------------------

function isWriting() {
  return known.view !== null && stepOf(known.view) === "write";
}

/** @param {Place} place */
function tap(place) {
  if (!isWriting()) return;
  if (isSame(known.cursor, place)) known.direction = other(known.direction);
  known.cursor = place;
  wrote();
}

/** @param {Place} place */
function walk(place) {
  if (!isWriting()) return;
  known.cursor = place;
  showWriting();
}

/** @param {string} letter */
function type(letter) {
  const { view } = known;
  if (!view || !isWriting()) return;
  const small = letter.toLowerCase();
  if (!view.alphabet.includes(small)) return tell(texts.say("swoggle.no_such_letter", { letter }));
  const place = placeToWrite(view);
  if (!place) return tell(texts.say(known.cursor ? "swoggle.refused.off_board" : "swoggle.choose_square"));
  if (put(letter, place)) known.cursor = nextFree(view.squares, view.letters, place, known.direction) ?? place;
  wrote();
}

/** Where the next letter goes: letters that stand are stepped over. @param {SwoggleView} view @returns {Place | null} */
function placeToWrite(view) {
  const { cursor } = known;
  if (!cursor || isFree(view.squares, view.letters, cursor)) return cursor;
  if (view.squares[cursor[0]]?.[cursor[1]] === "#") return null;
  return nextFree(view.squares, view.letters, cursor, known.direction);
}

/** @param {string} letter @param {Place} place */
function put(letter, place) {
  const rest = known.written.filter((each) => !isSame(each.place, place));
  const count = known.view?.count ?? 0;
  if (rest.length >= count) {
    tell(texts.count("swoggle.enough", count));
    return false;
  }
  known.written = [...rest, { place, letter: capital(letter) }];
  return true;
}

/** @param {string} letter */
function capital(letter) {
  const upper = letter.toUpperCase();
  return upper.length === 1 ? upper : letter;
}

function back() {
  const last = known.written.at(-1);
  if (!last) return;
  known.written = known.written.slice(0, -1);
  known.cursor = last.place;
  wrote();
}

function clear() {
  known.cursor = known.written[0]?.place ?? known.cursor;
  known.written = [];
  wrote();
}

/** @param {string} letter @param {Place | null} to @param {Place | null} from */
function drop(letter, to, from) {
  const { view } = known;
  if (!view || !isWriting()) return;
  const before = known.written;
  if (from) known.written = before.filter((each) => !isSame(each.place, from));
  const fits = to !== null && isFree(view.squares, view.letters, to) && !known.written.some((each) => isSame(each.place, to));
  if (to && !fits) known.written = before;
  else if (to && put(letter, to)) known.cursor = nextFree(view.squares, view.letters, to, known.direction) ?? to;
  wrote();
}

/** Something was written, or the place for it chosen: it is shown, and its square is in sight. */
function wrote() {
  showWriting();
  if (known.cursor) board.goTo(known.cursor);
}

/** The words that would be made, and what they take. */
function making() {
  const { view } = known;
  const words = view ? wordsMade(view.squares, view.letters, known.written, view.worth) : [];
  return { words, bonus: view ? bonusSquares(view.squares, words) : [] };
}

function submit() {
  const { view } = known;
  if (!view || !isWriting() || !known.written.length) return;
  if (known.written.length !== view.count) return tell(texts.count("swoggle.wrong_count", view.count ?? 0));
  sendTurn(kept("swoggle-dice") ? null : []);
}

/** @param {number[] | null} bonus what was thrown; null has the service throw */
async function sendTurn(bonus) {
  const letters = known.written.map(({ place, letter }) => [...place, letter]);
  const answer = await send({ type: "turn", letters, bonus });
  if (answer?.document?.type !== "bonus") return;
  known.throwsBonus = true; // the words are good, and dice are to be thrown
  show();
}

// ---- what is sent, and what comes back --------------------------------------------------------

/** Have something done; gives the answer, or nothing where another is on its way. @param {Record<string, unknown>} what */
async function send(what) {
  const { view } = known;
  if (!view || known.sending) return null;
  known.sending = true;
  const answer = await ask("POST", `${here}/events`, { seq: view.seq, player: view.mover ?? view.players[0]?.name, ...what });
  known.sending = false;
  line.show(answer.status !== 0);
  if (answer.ok) {
    take(answer.document);
    tellVerdict();
  } else if (answer.document?.type === "moved_on") {
    await refresh();
    tell(complaint(answer, texts));
  } else if (answer.document?.type !== "bonus") refuse(answer);
  return answer;
}

/** @param {import("./api.js").Answer} answer */
function refuse(answer) {
  known.throwsBonus = false;
  show();
  const key = `swoggle.refused.${answer.document?.type}`;
  const { words } = making();
  tell(texts.has(key) ? texts.say(key, { words: texts.names(words.map(({ word }) => word)) }) : complaint(answer, texts));
}

/** What does not work, until something else is written. @param {string} text */
function tell(text) {
  announce(text);
  if (!isWriting()) return line.complain(text);
  const made = slot("made");
  write(made, text);
  made.dataset.told = JSON.stringify(known.written);
}

function tellVerdict() {
  const verdict = known.view?.verdict;
  if (verdict) announce(verdictText(verdict));
}

/** @param {{ word: string, by: string, holds: boolean }} verdict */
function verdictText({ word, by, holds }) {
  return texts.say(holds ? "swoggle.holds" : "swoggle.falls", { word: word.toUpperCase(), by });
}

/** @param {SwoggleView} view */
function take(view) {
  if (known.view && view.seq < known.view.seq) return; // it was on its way for longer
  const before = known.view;
  known.view = view;
  known.toldAt = performance.now();
  if (before?.seq !== view.seq) moveOn(before, view);
  show();
  plan();
}

/** Something happened: what is being written stays while its turn goes on. @param {SwoggleView | null} before @param {SwoggleView} view */
function moveOn(before, view) {
  known.throwsBonus = false;
  known.starting = [];
  known.asked = false;
  if (!before) known.written = storedLetters(storageKey(view));
  else if (turnOf(before) !== turnOf(view)) known.written = [];
  known.written = stillWritten(view.squares, view.letters, known.written, view.count);
  if (!before || !known.cursor) known.cursor = middle();
  delete slot("made").dataset.told;
}

/** What tells one turn from all others of the match. @param {SwoggleView} view */
function turnOf(view) {
  return `${view.turns}/${view.mover}`;
}

/** @returns {Place} */
function middle() {
  const squares = known.view?.squares ?? [];
  return [Math.floor(squares.length / 2), Math.floor((squares[0]?.length ?? 0) / 2)];
}

function plan() {
  clearTimeout(later);
  later = setTimeout(refresh, POLL_MS);
}

async function refresh() {
  clearTimeout(later);
  const answer = await ask("GET", here);
  line.show(answer.status !== 0);
  if (answer.ok) take(answer.document);
  else if (answer.status === 401) await entrance.whoIsHere();
  else if (answer.status === 404) location.assign("/swoggle");
  else plan();
}

// ---- what is shown ----------------------------------------------------------------------------

function show() {
  const { view } = known;
  if (!view) return;
  const step = stepOf(view);
  showView("table");
  document.getElementById("main")?.setAttribute("data-step", step);
  write(slot("about"), `${texts.say(`swoggle.way.${view.variant}`)} · ${view.lexicon}`);
  showLexicon(view.lexicon, texts);
  write(slot("headline"), headline(view, step));
  write(slot("advice"), advice(view, step));
  slot("die").replaceChildren(...(view.die ? [dieFace(view.die), make("span", { class: "unseen" }, texts.say("swoggle.die_shows", { number: view.die }))] : []));
  slot("writing").hidden = step !== "write";
  slot("pass").hidden = !["roll", "write"].includes(step);
  slot("challenge").hidden = view.challengeable.length === 0 || challengers(view).length === 0;
  slot("undo").hidden = view.undoes === null;
  slot("again").hidden = !view.over;
  slot("first").hidden = step !== "start";
  write(slot("first"), texts.say("swoggle.first_begins", { name: view.mover ?? "" }));
  showAsked(view, step);
  showScores(view, texts);
  showSheet(view, texts);
  showWriting();
  tick();
}

/** @param {SwoggleView} view @param {string} step */
function headline(view, step) {
  if (view.over) return view.over.winners.length ? texts.count("touch.winner", view.over.winners.length, { names: texts.names(view.over.winners) }) : texts.say("touch.no_winner");
  return step === "start" ? texts.say("swoggle.who_begins") : texts.say("swoggle.turn_of", { name: view.mover ?? "" });
}

/** @param {SwoggleView} view @param {string} step */
function advice(view, step) {
  const told = [
    view.verdict && verdictText(view.verdict),
    view.thrown.length > 0 && thrownText(view),
    view.last_chance && step === "roll" && texts.say("swoggle.last_chance"),
    wanted(view, step),
    view.best_before !== null && step !== "write" && texts.count("swoggle.best_before", view.best_before),
  ];
  return told.filter(Boolean).join(" ");
}

/** What is to be done. @param {SwoggleView} view @param {string} step */
function wanted(view, step) {
  if (view.over) return texts.say(`swoggle.ending.${view.over.ending}`);
  if (step === "write") return texts.count("swoggle.write", view.count ?? 0);
  const isGone = step === "wait" && known.role !== "player";
  return texts.say(`swoggle.advice.${step}`) + (isGone ? ` ${texts.say("touch.phone_gone")}` : "");
}

/** What everybody threw for the start, those who tied twice. @param {SwoggleView} view */
function thrownText({ thrown, players }) {
  const names = players.map(({ name }) => name);
  const throwers = thrown.map((_, round) => (round ? throwing(names, thrown.slice(0, round)) : names));
  const throws = thrown.flatMap((pips, round) => pips.map((each, index) => `${throwers[round]?.[index]} ${texts.number(each)}`));
  return `${throws.join(", ")}.`;
}

/** @param {SwoggleView} view @param {string} step */
function showAsked(view, step) {
  const wanted = wantedDice(view, step);
  slot("ask").hidden = wanted === null;
  if (wanted) dice.ask(wanted);
  else dice.forget();
}

/** @param {SwoggleView} view @param {string} step @returns {import("./swoggle_dice.js").Wanted | null} */
function wantedDice(view, step) {
  const key = `${view.seq}/${step}/${known.starting.length}`;
  if (step === "roll") {
    const steps = [texts.say("swoggle.throw_for", { name: view.mover ?? "" })];
    return { key, steps, onThrown: ([die]) => send({ type: "roll", die }), onProgram: () => send({ type: "roll" }) };
  }
  if (step === "bonus") return { key, steps: bonusSteps(), onThrown: (pips) => sendTurn(pips), onProgram: () => sendTurn(null) };
  if (step !== "start") return null;
  const steps = throwing(view.players.map(({ name }) => name), known.starting).map((name) => texts.say("swoggle.throw_for", { name }));
  return { key, steps, onThrown: thrownForStart, onProgram: () => send({ type: "start" }) };
}

function bonusSteps() {
  const colours = /** @type {Record<string, string>} */ ({ o: "orange", y: "yellow", r: "red" });
  return making().bonus.flatMap(({ place: [row, col], sign, dice: count }) =>
    Array(count).fill(texts.say("swoggle.throw_bonus", { colour: texts.say(`swoggle.square.${colours[signOf(sign)]}`), place: texts.say("swoggle.place", { row: row + 1, col: col + 1 }) })),
  );
}

/** @param {number[]} pips */
function thrownForStart(pips) {
  known.starting = [...known.starting, pips];
  const names = known.view?.players.map(({ name }) => name) ?? [];
  if (throwing(names, known.starting).length) show();
  else send({ type: "start", throws: known.starting });
}

function showWriting() {
  const { view } = known;
  if (!view) return;
  const writes = isWriting();
  board.show(view, known.written, writes ? known.cursor : null, known.direction);
  if (!writes) return;
  showKeys(view.alphabet);
  write(slot("direction"), texts.say(`swoggle.${known.direction}`));
  slot("direction").dataset.direction = known.direction;
  showMade(view);
  storeLetters(storageKey(view), known.written);
}

/** @param {SwoggleView} view */
function showMade(view) {
  const made = slot("made");
  const { words } = making();
  if (made.dataset.told === JSON.stringify(known.written)) return;
  delete made.dataset.told;
  const sums = words.map(({ word, points, throws }) => `${word} ${texts.number(points)}${throws ? ` + ${texts.count("swoggle.throws", throws)}` : ""}`);
  write(made, sums.length ? sums.join(" · ") : progress(view));
  mention(made.textContent ?? "");
  const isWhole = known.written.length === view.count;
  slot("submit").setAttribute("aria-disabled", String(!isWhole));
  for (const name of ["back", "clear"]) slot(name).setAttribute("aria-disabled", String(!known.written.length));
}

/** @param {SwoggleView} view */
function progress({ count }) {
  const written = known.written.length;
  return written ? texts.say("swoggle.written", { written, of: count ?? 0 }) : texts.say("swoggle.tip");
}

/** @param {string} alphabet */
function showKeys(alphabet) {
  const keys = slot("keys");
  if (keys.dataset.alphabet === alphabet) return;
  keys.dataset.alphabet = alphabet;
  keys.replaceChildren(...[...alphabet].map((letter) => key(capital(letter))));
}

/** @param {string} letter */
function key(letter) {
  const button = make("button", { class: "key", type: "button", "data-letter": letter, "data-testid": `key-${letter}` }, letter);
  button.addEventListener("click", () => type(letter));
  return button;
}

/** The time between two looks is counted here; the service ends turns and matches. */
function tick() {
  const { view } = known;
  const left = view?.turn_left_s ?? view?.match_left_s ?? null;
  slot("left").hidden = left === null || Boolean(view?.over);
  if (left === null) return;
  const now = Math.max(0, left - (performance.now() - known.toldAt) / 1000);
  write(slot("left"), clockText(now));
  slot("left").classList.toggle("ending", now <= 10);
  if (now > 0 || known.asked) return;
  known.asked = true;
  refresh();
}

// ---- challenges and undoing -------------------------------------------------------------------

function openChallenge() {
  const { view } = known;
  if (!view) return;
  const who = challengers(view);
  known.challengeWord = view.challengeable[0] ?? "";
  known.challenger = who[0] ?? "";
  slot("challenge-who").hidden = known.role === "player";
  write(slot("challenge-note"), texts.say("swoggle.challenge_note", { name: view.challenged ?? "" }));
  choices("challenge-words", view.challengeable, (word) => (known.challengeWord = word), (word) => word.toUpperCase());
  choices("challengers", who, (name) => (known.challenger = name), (name) => name);
}

/** @param {string} name of the slot @param {string[]} values @param {(value: string) => void} pick @param {(value: string) => string} shown */
function choices(name, values, pick, shown) {
  const buttons = values.map((value, index) => {
    const button = make("button", { class: "button", type: "button", "aria-pressed": String(index === 0) }, shown(value));
    button.addEventListener("click", () => {
      pick(value);
      for (const each of buttons) mark(each, { "aria-pressed": String(each === button) });
    });
    return button;
  });
  slot(name).replaceChildren(...buttons);
}

function openUndo() {
  const kind = known.view?.undoes;
  if (kind) write(slot("undo-what"), texts.say(`swoggle.undoes.${kind}`));
}

// ---- a reload goes on -------------------------------------------------------------------------

/** @param {SwoggleView} view */
function storageKey(view) {
  return `swoggle.${matchName}.${turnOf(view)}`;
}

// ---- the start --------------------------------------------------------------------------------

/** @param {string[]} players @param {import("./touch_lobby.js").Picked} picked */
async function begin(players, { variant, challenges, target, minutes, turn_seconds }) {
  const limits = { minutes: Number(minutes) || null, turn_seconds: Number(turn_seconds) || null };
  const points = TARGETED.has(variant ?? "") ? Number(target) || null : null;
  const answer = await ask("POST", ROUTE, { players, variant, challenges: Boolean(challenges), target: points, ...limits });
  if (!answer.ok) return texts.has(`swoggle.refused.${answer.document?.type}`) ? texts.say(`swoggle.refused.${answer.document.type}`) : complaint(answer, texts);
  location.assign(`?match=${encodeURIComponent(answer.document.match)}`);
  return "";
}

/** @param {string} name @param {() => void} act */
function wire(name, act) {
  slot(name).addEventListener("click", act);
}

function zoom() {
  const large = slot("zoom").getAttribute("aria-pressed") !== "true";
  slot("zoom").setAttribute("aria-pressed", String(large));
  slot("board").classList.toggle("large", large);
  if (known.cursor) board.goTo(known.cursor);
}

wireDialogs();
wireChoices();
wire("back", back);
wire("clear", clear);
wire("submit", submit);
wire("zoom", zoom);
wire("pass", () => send({ type: "pass" }));
wire("challenge", openChallenge);
wire("challenge-yes", () => send({ type: "challenge", player: known.challenger, word: known.challengeWord }));
wire("undo", openUndo);
wire("undo-yes", () => send({ type: "undo" }));
wire("first", () => {
  known.firstBegins = true;
  show();
});
wire("direction", () => {
  known.direction = other(known.direction);
  showWriting();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && matchName) refresh();
});
setInterval(tick, TICK_MS);
entrance.enter();
