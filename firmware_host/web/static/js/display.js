// @ts-check
// The table's display: one view for each phase of the round.

import { ask, complaint } from "./api.js";
import { cube, hiddenCells, makeBoard, openCells } from "./board.js";
import { makeChallengeClock } from "./challenge.js";
import { icon, make, mark, showView, slot, write } from "./dom.js";
import { makeHourglass } from "./hourglass.js";
import { makeNotice, noticeOf } from "./notice.js";
import { announce, keep, kept, makeLine, mention, wireChoices, wireDialogs } from "./page.js";
import { makeResultView } from "./result_view.js";
import { makeSaver } from "./saver.js";
import { makeSlow, makeTold } from "./slow.js";
import { makeSound } from "./sound.js";
import { awaited, clockText, isSafeMode, mayPress, nextScreen, readSoFar, roundTitle, screenOf, secondsLeft, viewOf, warningBetween } from "./state.js";
import { listen } from "./stream.js";
import { pageTexts } from "./texts.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Round} Round */
/** @typedef {import("./types.js").Player} Player */

const EXTRA_S = 30;
const TICK_MS = 100;

/** Chips at the welcome that stay legible on the smallest display. */
const MOST_GUESTS = 8;

/** Offers that are no faces: they have buttons of their own. */
const ACTS = new Set(["reroll", "cancel"]);

const texts = pageTexts();
const line = makeLine(texts);
const challengeClock = makeChallengeClock(texts, announce);
const notice = makeNotice(texts, announce);
const tellFault = makeTold(texts, slot("fault"), slot("fault-advice"));
const showSlow = makeSlow(texts);
const sound = makeSound(() => kept("sound") === "on");
const hourglass = makeHourglass(slot("hourglass"));
const board = makeBoard(slot("board"), texts);
const result = makeResultView(texts, sound);

/** What the page knows: the last state, and when it came. */
const known = {
  /** @type {State | null} */
  state: null,
  toldAt: 0,
  /** the sand has begun to run with this state */
  opening: false,
  view: "attract",
  /** the screen that somebody chose to see between rounds; empty for the table */
  screen: "",
  /** @type {number | null} */
  left: null,
};

const saver = makeSaver(slot("saver"), () => known.view);

/** @param {State} state */
function take(state) {
  const before = known.state?.round.phase;
  known.state = state;
  known.toldAt = performance.now();
  known.opening = before === "ready" && state.round.phase === "running";
  show(state);
  if (before !== state.round.phase) enter(state, before);
  tick();
}

/** @param {State} state */
function show(state) {
  const { round } = state;
  known.screen = screenOf(viewOf(round), known.screen);
  known.view = known.screen || viewOf(round);
  showView(known.view);
  slot("open-screens").hidden = Boolean(known.screen) || !screenOf(viewOf(round), "stats");
  showTop(state);
  showAttract(state);
  showBoard(round);
  showWords(round);
  showQuestion(round);
  showPlayers(round);
  tellFault(round.fault);
  showActs(state);
  if (known.view === "result" && round.result) result.show(round, round.result);
  else if (known.screen) result.pause();
  else result.leave();
}

/** @param {State} state @param {string | undefined} before */
function enter({ round }, before) {
  saver.wake();
  mention(texts.has(`display.phase.${round.phase}`) ? texts.say(`display.phase.${round.phase}`) : "");
  const turned = round.phase === "running" && before === "ready";
  if (turned) hourglass.flip();
  if (turned) sound.play("turn");
}

/** @param {State} state */
function showTop({ round, simulated }) {
  slot("simulated").hidden = !simulated;
  write(slot("about"), roundTitle(round, texts));
  challengeClock.show(round);
  notice.set(noticeOf(round.announced, Date.now() / 1000), 0);
}

/** @param {State} state */
function showAttract({ round, table }) {
  write(slot("code"), table.code ?? "");
  slot("code-line").hidden = !table.code;
  slot("cancelled").hidden = round.phase !== "cancelled";
  slot("watching").hidden = true;
  slot("joining").hidden = !table.join_url;
  slot("nobody").hidden = round.players.length > 0;
  slot("guests").replaceChildren(...guests(round.players.map(({ name }) => name)));
  followAddress(table.join_url);
}

/** @param {string[]} names as many are shown as the line has room for, the others as their number */
function guests(names) {
  const shown = names.length > MOST_GUESTS ? names.slice(0, MOST_GUESTS - 1) : names;
  const rest = names.slice(shown.length);
  const chips = shown.map((name) => make("li", { class: "guest", title: name }, name));
  return rest.length ? [...chips, furtherGuests(rest)] : chips;
}

/** @param {string[]} names */
function furtherGuests(names) {
  const all = names.join(", ");
  const count = make("span", { class: "figures", "aria-hidden": "true" }, `+${texts.number(names.length)}`);
  return make("li", { class: "guest", title: all }, count, make("span", { class: "unseen" }, all));
}

// Only the table's own display and the referee see the table from here.
function showStranger() {
  slot("watching").hidden = false;
  slot("joining").hidden = true;
  slot("seats").hidden = true;
  slot("other").hidden = true;
  for (const element of document.querySelectorAll("[data-presses]")) {
    /** @type {HTMLElement} */ (element).hidden = true;
  }
}

// The picture of the address is made by the service: a new address needs the page anew.
/** @param {string | null} url */
function followAddress(url) {
  const drawn = document.querySelector("[data-join-url]")?.getAttribute("data-join-url");
  if (!url || drawn === url || kept("address") === url) return;
  keep("address", url);
  location.reload();
}

/** @param {Round} round */
function showBoard(round) {
  const { rows, cols } = round.board ?? round.game;
  const asked = round.question;
  const cells = round.board ? openCells(round.board.faces) : hiddenCells(rows, cols, round.cells_read, asked);
  board.show(cells, known.opening);
  board.tray.classList.toggle("shaking", round.phase === "shaking");
}

/** @param {Round} round */
function showWords(round) {
  const { phase } = round;
  write(slot("phase"), texts.has(`display.phase.${phase}`) ? texts.say(`display.phase.${phase}`) : "");
  const waiting = awaited(round);
  const turn = phase === "ready" && round.to_play ? `${turnOf(round)}. ` : "";
  const advice = turn + (texts.has(`display.advice.${phase}`) ? texts.say(`display.advice.${phase}`) : "");
  const more = phase === "collecting" && waiting.length ? texts.count("display.waiting", waiting.length) : "";
  write(slot("advice"), more ? `${advice} ${more}.` : advice);
  const { count, total } = readSoFar(round.cells_read);
  write(slot("progress"), total ? texts.say("display.read_so_far", { count, total }) : "");
}

/** @param {Round} round */
function turnOf({ to_play }) {
  return to_play ? texts.say("display.time.turn_of", { name: to_play }) : "";
}

/** @param {Round} round */
function showQuestion({ question }) {
  if (!question) return;
  const place = { row: question.row + 1, col: question.col + 1 };
  write(slot("place"), texts.say("display.question.place", place));
  write(slot("number"), texts.say("display.question.number", { number: question.number, of: question.of }));
  const crop = slot("crop");
  crop.hidden = !question.crop_url;
  mark(crop, { src: question.crop_url ?? null, alt: texts.say("display.question.crop", place) });
  showOffers(question);
}

/** @param {import("./types.js").Question} question */
function showOffers({ row, col, offers }) {
  const place = slot("offers");
  const wanted = JSON.stringify([row, col, offers]);
  if (place.dataset.shown === wanted) return;
  place.dataset.shown = wanted;
  place.replaceChildren(...offers.filter((face) => !ACTS.has(face)).map((face) => offer(row, col, face)));
}

/** @param {number} row @param {number} col @param {string} face */
function offer(row, col, face) {
  const name = { "#": texts.say("board.blank"), _: texts.say("board.missing") }[face] ?? face;
  const button = cube(face, "button", { type: "button", "aria-label": name, "data-testid": "offer", "data-offer": face });
  button.addEventListener("click", () => post(`/api/cells/${row}/${col}`, { face }));
  return button;
}

/** @param {Round} round */
function showPlayers(round) {
  slot("players").replaceChildren(...round.players.map((player) => playerLine(player, round.phase)));
}

/** @param {Player} player @param {string} phase */
function playerLine(player, phase) {
  const said = texts.say("display.player.found", { name: player.name, count: player.found });
  return make(
    "li",
    { "data-player": player.name, "data-testid": "player" },
    make("span", { class: "who" }, make("span", { class: "name", "aria-hidden": "true" }, player.name), playerMark(player, phase)),
    !player.on_paper && make("b", { class: "found figures", "aria-hidden": "true" }, texts.number(player.found)),
    make("span", { class: "unseen" }, player.on_paper ? player.name : said),
  );
}

/** @param {Player} player @param {string} phase */
function playerMark(player, phase) {
  const marks = /** @type {[boolean, string, string][]} */ ([
    [player.on_paper, "paper", "on_paper"],
    [player.handed_in, "check", "handed_in"],
    [!player.online, "offline", "offline"],
    [phase === "collecting", "pencil", "awaited"],
  ]);
  const found = marks.find(([holds]) => holds);
  return found ? make("span", { class: "state" }, icon(found[1]), texts.say(`display.player.${found[2]}`)) : null;
}

/** @param {State} state */
function showActs({ round, role }) {
  for (const element of document.querySelectorAll("[data-presses]")) {
    /** @type {HTMLElement} */ (element).hidden = !mayPress(role);
  }
  const running = round.phase === "running";
  slot("last-chance").hidden = !round.unhurried;
  slot("agree").hidden = !round.unhurried;
  slot("done").hidden = round.offered !== "done";
  slot("care").hidden = !isSafeMode(round);
  slot("clear").hidden = round.phase !== "faulted" || isSafeMode(round);
  slot("more").hidden = !running || round.unhurried;
  write(slot("turn-of"), turnOf(round));
}

/** The time between two states is counted here. */
function tick() {
  if (!known.state) return;
  showSlow(known.state.round, performance.now());
  if (known.view !== "running" && known.view !== "paused") return;
  const { timer } = known.state.round;
  const left = secondsLeft(timer, known.toldAt, performance.now());
  write(slot("left"), left === null ? texts.say("display.time.none") : clockText(left));
  slot("clock").classList.toggle("no-sand", left === null);
  slot("clock").classList.toggle("ending", left !== null && left <= 10);
  hourglass.show(left === null ? 1 : left / timer.total_s, timer.running);
  warn(left);
}

/** @param {number | null} left */
function warn(left) {
  const warning = warningBetween(known.left, left);
  known.left = left;
  if (!warning) return;
  announce(texts.say(`display.time.${warning}`));
  sound.play(warning);
}

/** @param {string} path @param {unknown} [body] */
async function post(path, body) {
  const answer = await ask("POST", path, body);
  if (!answer.ok) line.complain(complaint(answer, texts));
}

/** @param {string} name of an act of the round */
function act(name) {
  return post(`/api/round/${name}`, name === "extra-time" ? { seconds: EXTRA_S } : undefined);
}

function wireActs() {
  document.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("[data-post]");
    if (button) act(button.getAttribute("data-post") ?? "");
  });
}

// What is shown between rounds besides the table comes only when somebody asks for it.
/** @param {string} name empty for the table */
async function openScreen(name) {
  if (!known.state || name === known.screen) return;
  known.screen = name;
  show(known.state);
  for (const button of slot("screens").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.value === known.screen));
  }
  // What was pressed may be gone from sight: the focus stays with what it led to.
  const left = known.screen ? slot("screens").querySelector("[aria-pressed=true]") : slot("open-screens");
  /** @type {HTMLElement | null} */ (left)?.focus();
  if (known.screen !== "stats" && known.screen !== "fairness") return;
  const { showScreen } = await import("./screens.js");
  await showScreen(slot("told"), known.screen, texts);
}

function wireScreens() {
  for (const place of ["open-screens", "screens"]) {
    slot(place).addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("button");
      if (button) openScreen(button.value);
    });
  }
  addEventListener("keydown", (event) => {
    const inside = /** @type {Element} */ (event.target).closest?.("dialog");
    const wanted = inside ? null : nextScreen(known.screen, event.key);
    if (wanted === null || !mayPress(known.state?.role ?? "")) return;
    event.preventDefault(); // lists do not scroll by it
    openScreen(wanted);
  });
}

function wireTurner() {
  const group = slot("turner");
  /** @param {string} quarter */
  const turn = (quarter) => {
    board.turn(Number(quarter));
    for (const button of group.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.value === quarter));
    }
  };
  group.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (!button) return;
    keep("turn", button.value);
    turn(button.value);
  });
  turn(kept("turn") || "0");
}

wireDialogs();
wireChoices((name) => name === "sound" && sound.play("turn"));
wireActs();
wireTurner();
wireScreens();
setInterval(tick, TICK_MS);
listen({ onState: take, onLine: line.show, onStranger: showStranger, as: "display" });
