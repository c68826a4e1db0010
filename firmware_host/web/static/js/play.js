// @ts-check
// A player's page: their words, whatever the connection does, and their result.

import { ask, complaint } from "./api.js";
import { makeBoard, openCells } from "./board.js";
import { icon, make, mark, showView, slot, write } from "./dom.js";
import { makeId } from "./ids.js";
import { makeNotice, noticeOf } from "./notice.js";
import { keepOwn, keptOwn, ownOf } from "./own_list.js";
import { announce, makeLine, mention, wireChoices, wireDialogs } from "./page.js";
import { wirePaper } from "./paper.js";
import { makeQueue, requestOf } from "./queue.js";
import { makeOwnResult } from "./own_result.js";
import { makeSlow } from "./slow.js";
import { clockText, formProblem, isBetween, playViewOf, secondsLeft, warningBetween } from "./state.js";
import { listen } from "./stream.js";
import { pageTexts } from "./texts.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Round} Round */
/** @typedef {import("./queue.js").Line} Line */

const TICK_MS = 200;

const texts = pageTexts();
const line = makeLine(texts);
const board = makeBoard(slot("board"), texts);
const notice = makeNotice(texts, announce);
const result = makeOwnResult(texts);
const showSlow = makeSlow(texts);
const field = /** @type {HTMLInputElement} */ (slot("word"));

/** What the page knows: the last state, and when it came. */
const known = {
  /** @type {State | null} */
  state: null,
  toldAt: 0,
  /** @type {number | null} */
  left: null,
  round: 0,
};

const queue = makeQueue({
  store: localStorage,
  send: (entry) => {
    const { method, path, body } = requestOf(entry);
    return ask(method, path, body);
  },
  onChange: () => known.state && show(known.state),
  onRefusal: line.complain,
  onStranger: showGone,
  why: (answer) => complaint(answer, texts),
});

/** @param {State} state */
function take(state) {
  known.state = state;
  known.toldAt = performance.now();
  beginRound(state);
  show(state);
  tick();
}

/** @param {State} state */
function beginRound({ round, you }) {
  if (!you) return;
  if (known.round !== round.number) {
    queue.clear();
    field.value = ""; // else what is half written outlives a pause
  }
  known.round = round.number;
  const late = queue.belong(round.number, you.name);
  if (late.some(({ kind }) => kind === "word")) line.complain(texts.say("play.late"));
}

/** @param {State} state */
function show({ round, you, simulated }) {
  const view = playViewOf(round, you, queue.handingIn);
  const before = document.getElementById("main")?.dataset.view;
  showView(view);
  slot("simulated").hidden = !simulated;
  notice.set(noticeOf(round.announced, Date.now() / 1000), 0);
  write(slot("about"), you?.name ?? "");
  write(slot("hello"), texts.say("play.hello", { name: you?.name ?? "" }));
  write(slot("wait"), texts.say(waitKey(round, you?.name ?? "")));
  slot("other").hidden = !isBetween(round);
  if (round.board) board.show(openCells(round.board.faces));
  slot("board").hidden = !round.board;
  slot("left").hidden = !["running", "paused"].includes(round.phase);
  if (view === "result" && round.result) result.show(round, round.result, you?.name ?? "");
  if (view === "write" && before !== "write") startWriting(round);
  keepOwn(ownOf({ round, you }, queue.lines(you?.words ?? [])));
  showList();
}

/** @param {Round} round @param {string} name */
function waitKey(round, name) {
  if (round.phase === "running" && isOnPaper(round, name)) return "play.wait_paper";
  const kind = { cancelled: "cancelled", faulted: "faulted", ready: "ready", paused: "paused", scoring: "scoring", idle: "idle", finished: "idle" };
  return `play.wait_${kind[/** @type {keyof typeof kind} */ (round.phase)] ?? "shaking"}`;
}

/** @param {Round} round @param {string} name */
function isOnPaper(round, name) {
  return round.players.some((player) => player.name === name && player.on_paper);
}

/** @param {Round} round */
function startWriting(round) {
  hint(texts.say("play.minimum", { count: round.game.minimum }), false);
  field.focus();
}

function showList() {
  const you = known.state ? known.state.you : keptOwn();
  if (!you) return;
  const all = queue.lines(you.words);
  const counted = all.filter(({ state }) => state !== "refused").length;
  slot("mine").replaceChildren(...all.map(lineOf));
  slot("empty").hidden = all.length > 0;
  write(slot("count"), texts.number(counted));
  mention(texts.count("common.words", counted));
  const held = known.state ? queue.held : queue.waiting;
  slot("unsent").hidden = held === 0;
  write(slot("unsent"), `${texts.count("play.unsent", held)}. ${texts.say("play.queued_note")}`);
}

// Loaded without a connection: the player's own words, as far as this phone knows them.
function showAway() {
  const own = keptOwn();
  const any = own && queue.lines(own.words).length > 0;
  showView(any ? "away" : "wait");
  slot("board").hidden = true;
  write(slot("about"), own?.name ?? "");
  write(slot(any ? "away" : "wait"), texts.say("play.away"));
  showList();
}

/** @param {Line} word */
function lineOf(word) {
  const told = { sent: "", waiting: texts.say("play.waiting"), refused: word.why || texts.say("play.refused"), late: texts.say("play.arrived_late") };
  const sign = word.state === "refused" ? "help" : "wait";
  const note = told[word.state] && make("span", { class: "state" }, icon(sign), told[word.state]);
  const onBoard = known.state?.you?.words.find(({ id }) => id === word.id)?.on_board ?? null;
  return make(
    "li",
    { "data-state": word.state, "data-testid": "mine-word", "data-word": word.text },
    make("span", { class: "text" }, word.text),
    note || null,
    onBoard !== null && boardMark(onBoard),
    mayErase() && eraser(word),
  );
}

/** What the table tells of a word while it is written. @param {boolean} onBoard */
function boardMark(onBoard) {
  const said = texts.say(onBoard ? "play.on_board" : "play.off_board");
  return make("span", { class: "state", "data-testid": onBoard ? "on-board" : "off-board" }, icon(onBoard ? "check" : "close"), said);
}

function mayErase() {
  const view = document.getElementById("main")?.dataset.view;
  return view === "write" || view === "collect";
}

/** @param {Line} word */
function eraser(word) {
  const button = make("button", { class: "button", type: "button", "aria-label": texts.say("play.erase", { word: word.text }), "data-testid": "erase" }, icon("close"));
  button.addEventListener("click", () => erase(word));
  return button;
}

/** @param {Line} word */
function erase(word) {
  if (word.state === "refused") queue.forget(word.id);
  else queue.add(entry("erase", word.id));
  if (document.getElementById("main")?.dataset.view === "write") field.focus();
}

/** @param {"word" | "erase" | "list"} kind @param {string} id @param {string} [text] @returns {import("./queue.js").Entry} */
function entry(kind, id, text = "") {
  return { kind, id, text, round: known.round, player: known.state?.you?.name ?? "", written_at: tableTime() };
}

// The service's own clock, so that a word that is sent late still counts as of when it was written.
function tableTime() {
  return (known.state?.at ?? 0) + (performance.now() - known.toldAt) / 1000;
}

/** @param {SubmitEvent} event */
function enter(event) {
  event.preventDefault();
  const { state } = known;
  if (!state?.you) return;
  const own = queue.lines(state.you.words).filter((word) => word.state !== "refused").map((word) => word.text);
  const minimum = state.round.game.minimum;
  const problem = formProblem(field.value, minimum, own);
  if (problem) return refuse(problem, minimum);
  queue.add(entry("word", makeId(), field.value.trim()));
  field.value = "";
  startWriting(state.round);
  slot("mine").scrollTop = 0;
}

/** @param {string} problem @param {number} minimum */
function refuse(problem, minimum) {
  hint(texts.say(`play.form.${problem}`, { count: minimum, word: field.value.trim() }), true);
  if (problem === "again") field.select();
  field.focus();
}

/** @param {string} text @param {boolean} wrong */
function hint(text, wrong) {
  const place = slot("form-problem");
  write(place, text);
  mark(place, { "data-problem": wrong });
  mark(field, { "aria-invalid": wrong ? "true" : null });
}

function handIn() {
  queue.add(entry("list", makeId()));
}

/** The time between two states is counted here. */
function tick() {
  const round = known.state?.round;
  if (round) showSlow(round, performance.now());
  if (!round || slot("left").hidden) return;
  const left = secondsLeft(round.timer, known.toldAt, performance.now());
  write(slot("left"), left === null ? "" : clockText(left));
  slot("left").classList.toggle("ending", left !== null && left <= 10);
  const warning = warningBetween(known.left, left);
  known.left = left;
  if (warning) announce(texts.say(`display.time.${warning}`));
}

function showGone() {
  keepOwn(null);
  showView("gone");
  slot("left").hidden = true;
  mention("");
  announce("");
}

async function leave() {
  const name = known.state?.you?.name;
  if (!name) return;
  const answer = await ask("DELETE", `/api/players/${encodeURIComponent(name)}`);
  if (answer.ok || answer.status === 401) {
    keepOwn(null);
    location.assign("/join");
    return;
  }
  line.complain(complaint(answer, texts));
}

/** @param {boolean} online */
function showLine(online) {
  line.show(online);
  if (!known.state && !online) showAway();
  if (online) queue.flush();
}

// Without it, as over plain http, a reload needs the connection; all else is as with it.
navigator.serviceWorker?.register("/worker.js").catch(() => {});
wireDialogs();
wireChoices();
wirePaper(texts);
slot("enter").addEventListener("submit", enter);
slot("hand-in-yes").addEventListener("click", handIn);
slot("leave").addEventListener("click", leave);
setInterval(tick, TICK_MS);
listen({ onState: take, onLine: showLine, onStranger: showGone });
