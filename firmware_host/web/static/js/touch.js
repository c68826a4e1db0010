// @ts-check
// WorldWinner by touch. The service is the referee: this page sends moves and shows what comes back.

import { ask, complaint } from "./api.js";
import { icon, make, showView, slot, write } from "./dom.js";
import { announce, keep, kept, makeLine, mention, storedLetters, storeLetters, wireChoices, wireDialogs } from "./page.js";
import { clockText } from "./state.js";
import { pageTexts } from "./texts.js";
import { makeReview, showBetween, trayOf, viewOf } from "./touch_between.js";
import { makeTiles } from "./touch_board.js";
import { makeEntrance, makeLobby, showLexicon } from "./touch_lobby.js";
import { makeMoves } from "./touch_moves.js";
import { dragged, expected, isRepeat, markOf, payment, spelled, tapped, tileAt, unused } from "./touch_rules.js";

/** @typedef {import("./touch_rules.js").Place} Place */
/** @typedef {import("./touch_rules.js").Paid} Paid */
/** @typedef {import("./touch_types.js").MatchView} MatchView */
/** @typedef {import("./touch_types.js").TurnView} TurnView */
/** @typedef {import("./touch_moves.js").Move} Move */

const ROUTE = "/api/worldwinner";
const POLL_MS = 1000;
const PLAY_POLL_MS = 5000;
const TICK_MS = 100;
const TOLD_MS = 2200;
const WARN_S = 10;

const texts = pageTexts();
const line = makeLine(texts);
const review = makeReview(texts);
const lobby = makeLobby(texts, {
  begin,
  go: (match) => location.assign(`?match=${encodeURIComponent(match)}`),
  where: ({ round, rounds }) => texts.say("touch.round_of", { round, of: rounds }),
});
const matchName = new URLSearchParams(location.search).get("match") ?? "";
const here = `${ROUTE}/${encodeURIComponent(matchName)}`;

/** What the page knows: the last view, and what the finger is at. */
const known = {
  /** @type {MatchView | null} */
  view: null,
  shown: "loading",
  endsAt: 0,
  role: "",
  player: "",
  /** @type {Place[]} */
  path: [],
  /** @type {{ round: number, words: Set<number>, salt: string }} */
  marks: { round: 0, words: new Set(), salt: "" },
  asksMarks: false,
  drags: false,
  deals: false,
  warned: false,
  asked: false,
  reviewed: 0,
};

const entrance = makeEntrance({ route: ROUTE, match: matchName, known, lobby, onLine: line.show, view: only, refresh });

/** @type {ReturnType<typeof setTimeout> | undefined} */
let later;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let told;

const tiles = makeTiles(slot("board"), texts, { tap, drag, drop, leave: clear, back, clear });
const moves = makeMoves({
  send: ({ tapped: _, spelt: __, ...move }) => ask("POST", `${here}/moves`, move),
  store: { load: () => kept(`touch-moves.${matchName}`), save: (text) => keep(`touch-moves.${matchName}`, text) },
  onAnswer: answered,
  onLine: (online) => {
    line.show(online);
    showTurn();
  },
});

/** @returns {(TurnView & { tiles: import("./touch_rules.js").Tile[][] }) | null} the turn, while it is played */
function playing() {
  const turn = known.view?.turn;
  return turn?.tiles && turn.clock === "running" ? { ...turn, tiles: turn.tiles } : null;
}

/** @param {string} word */
const isWord = (word) => known.marks.words.has(markOf(known.marks.salt + word));

/** The paths that are on their way, of this turn. */
function underWay() {
  const turn = playing();
  const mine = moves.waiting().filter((move) => move.type === "play_path" && move.player === turn?.player && move.round === known.view?.round);
  return mine.map((move) => /** @type {Place[]} */ (move.path));
}

/** The turn with all that is on its way. */
function soon() {
  const turn = playing();
  return turn && known.view ? expected(turn, underWay(), known.view.numbers, isWord) : null;
}

// ---- what fingers and keys do ----------------------------------------------------------------

/** @param {Place} place */
function tap(place) {
  const turn = playing();
  if (!turn) return;
  const done = tapped(known.path, place, turn.tiles);
  if (done.kind === "submit") return submit();
  if (done.kind === "no_neighbour" || done.kind === "no_letter") return tell(texts.say(`touch.refused.${done.kind}`), "bad");
  select(done.path);
}

/** @param {Place[]} places */
function drag(places) {
  const turn = playing();
  if (!turn) return;
  const from = known.drags ? known.path : []; // one that begins begins a word
  known.drags = true;
  select(places.reduce((path, place) => dragged(path, place, turn.tiles), from));
}

function drop() {
  known.drags = false;
  if (known.path.length) submit(true);
}

function back() {
  select(known.path.slice(0, -1));
}

function clear() {
  known.drags = false;
  select([]);
}

/** @param {boolean} [byDrag] */
function submit(byDrag = false) {
  const turn = playing();
  if (!turn || !known.view || !known.path.length) return;
  const { path } = known;
  known.path = [];
  const own = { spelt: spelled(path, turn.tiles), tapped: !byDrag }; // for this page alone
  moves.add({ type: "play_path", player: turn.player, round: known.view.round, path, ...own });
  showTurn();
}

/** @param {Place[]} path */
function select(path) {
  const before = known.path.length;
  known.path = path;
  showTurn();
  if (path.length !== before) mention(traySaid());
}

// ---- what comes back --------------------------------------------------------------------------

/** @param {Move} move @param {import("./api.js").Answer} answer */
function answered(move, answer) {
  if (answer.ok) take(answer.document);
  else refuse(move, answer);
  if (!answer.ok) return;
  if (move.type === "play_path") tellPaid(answer.document.turn?.words.at(-1));
  if (answer.document.turn?.clock === "over") refresh(); // somebody else may be to play here
}

/** @param {Move} move @param {import("./api.js").Answer} answer */
function refuse(move, answer) {
  const kind = `touch.refused.${answer.document?.type}`;
  const turn = playing();
  const isOfNow = turn?.player === move.player && move.round === known.view?.round;
  if (move.tapped && isOfNow && !known.path.length) known.path = /** @type {Place[]} */ (move.path);
  const said = texts.has(kind) ? texts.say(kind, { word: String(move.spelt ?? "") }) : complaint(answer, texts);
  showTurn();
  tell(said, "bad");
  announce(said);
  refresh();
}

/** @param {Paid | undefined} paid */
function tellPaid(paid) {
  if (!paid) return;
  const points = paid.points + paid.all_letters;
  const key = paid.all_letters ? "touch.paid_all" : paidKey(paid);
  const said = texts.say(key, { word: paid.word, points });
  tell(said, points ? "good" : "none");
  announce(said);
}

/** @param {Paid} paid */
function paidKey({ points, before }) {
  if (!points) return "touch.paid_before";
  return before ? "touch.paid_upgrade" : "touch.paid";
}

/** A message in the letter tray, until the next letter. @param {string} text @param {string} kind */
function tell(text, kind) {
  clearTimeout(told);
  const tray = slot("tray");
  tray.dataset.told = kind;
  if (!known.path.length) write(slot("spelt"), text);
  else write(slot("potential"), text);
  told = setTimeout(() => {
    delete tray.dataset.told;
    showTray();
  }, TOLD_MS);
}

/** @param {MatchView} view */
function take(view) {
  if (known.view && view.at < known.view.at) return;
  const before = known.view;
  known.view = view;
  known.endsAt = performance.now() + (view.turn?.left_s ?? 0) * 1000;
  if (before?.turn?.player !== view.turn?.player || before?.round !== view.round) known.path = storedLetters(pathKey());
  needMarks();
  show();
  plan();
}

/** The next look at the match. */
function plan() {
  clearTimeout(later);
  if (known.view?.over) return;
  later = setTimeout(refresh, known.shown === "play" ? PLAY_POLL_MS : POLL_MS);
}

async function refresh() {
  clearTimeout(later);
  const answer = await ask("GET", here);
  line.show(answer.status !== 0);
  if (answer.ok) take(answer.document);
  else if (answer.status === 401) await entrance.whoIsHere();
  else if (answer.status === 404) location.assign("/touch");
  else plan();
  moves.pump();
}

async function needMarks() {
  const round = known.view?.round ?? 0;
  if (!playing() || known.marks.round === round || known.asksMarks) return;
  known.asksMarks = true;
  const answer = await ask("GET", `${here}/marks`);
  known.asksMarks = false;
  if (!answer.ok) return;
  known.marks = { round: answer.document.round, words: new Set(answer.document.marks), salt: answer.document.salt };
  showTurn();
}

// ---- what is shown ----------------------------------------------------------------------------

function show() {
  const { view } = known;
  if (!view) return;
  const wanted = viewOf(view);
  const changed = wanted !== known.shown;
  known.shown = wanted;
  if (changed) showView(wanted);
  write(slot("about"), about(view, wanted));
  showLexicon(view.lexicon, texts);
  if (wanted === "play") return showPlay(changed);
  closeEnd();
  if (wanted === "ready") return showReady(view, changed);
  showBetween(view, texts, known.role !== "player");
  showRounds(view, changed);
  if (known.deals && view.to_deal && trayOf(view.tray) === "ready") deal();
}

/** @param {MatchView} view @param {string} shown */
function about(view, shown) {
  const round = texts.say("touch.round_of", { round: view.round, of: view.rounds });
  const who = shown === "play" ? texts.say("touch.playing", { name: view.turn?.player ?? "" }) : "";
  return [who, round, view.lexicon].filter(Boolean).join(" · ");
}

function closeEnd() {
  /** @type {HTMLDialogElement} */ (document.getElementById("end")).close();
}

/** @param {MatchView} view @param {boolean} changed */
function showReady(view, changed) {
  const hotSeat = known.role !== "player" && view.players.length > 1;
  write(slot("ready-round"), texts.say("touch.round_of", { round: view.round, of: view.rounds }));
  write(slot("ready-name"), texts.say("touch.your_turn", { name: view.turn?.player ?? "" }));
  write(slot("ready-note"), hotSeat ? texts.say("touch.look_away") : texts.count("touch.ready_note", view.seconds));
  const done = view.players.filter((seat) => seat.clock === "over");
  const last = done.map((seat) => `${seat.name}: ${texts.count("common.points", seat.rounds.at(-1) ?? 0)}`);
  write(slot("ready-last"), last.join(" · "));
  if (changed) slot("start").focus({ preventScroll: true });
}

/** @param {boolean} begins */
function showPlay(begins) {
  const { view } = known;
  write(slot("play-title"), texts.say("touch.playing", { name: view?.turn?.player ?? "" }));
  known.asked = false;
  if (begins) known.warned = false;
  showTurn();
  tick();
  if (begins) tiles.focus();
}

function showTurn() {
  const turn = soon();
  if (!turn || known.shown !== "play") return;
  const rest = unused(turn).length;
  tiles.show(turn.tiles, known.path, turn.used);
  const points = turn.words.reduce((sum, paid) => sum + paid.points + paid.all_letters, 0);
  write(slot("points"), texts.count("common.points", points));
  const round = texts.say("touch.round_of", { round: known.view?.round ?? 1, of: known.view?.rounds ?? 1 });
  write(slot("unused"), `${round} · ${rest ? texts.count("touch.unused", rest) : texts.say("touch.all_used")}`);
  showWords(turn.words, playing()?.words.length ?? 0);
  showTray();
  storeLetters(pathKey(), known.path);
}

/** @param {Paid[]} words @param {number} paid how many of them the service has paid */
function showWords(words, paid) {
  const lines = words.map((word, index) => (isRepeat(word) ? null : wordLine(word, index >= paid && moves.isStuck()))).filter((each) => each !== null).reverse();
  const list = slot("words");
  const wanted = lines.map((each) => each.textContent).join("|");
  if (list.dataset.shown === wanted) return;
  list.dataset.shown = wanted;
  list.replaceChildren(...(lines.length ? lines : [make("li", { class: "soft none" }, texts.say("touch.no_words_yet"))]));
  list.scrollTop = 0;
}

/** @param {Paid} paid @param {boolean} isUnderWay and stays so for a while */
function wordLine(paid, isUnderWay) {
  const points = `+${texts.number(paid.points + paid.all_letters)}`;
  const notes = [
    paid.before > 0 && paid.points > 0 && texts.say("touch.upgraded"),
    paid.all_letters > 0 && texts.say("touch.all_letters"),
    isUnderWay && texts.say("touch.under_way"),
  ].filter(Boolean);
  return make("li", {}, make("span", { class: "word" }, paid.word), make("b", { class: "figures" }, points), notes.length ? make("i", {}, notes.join(", ")) : null);
}

function showTray() {
  const turn = soon();
  if (!turn || !known.view) return;
  const tray = slot("tray");
  if (known.path.length) {
    delete tray.dataset.told;
    clearTimeout(told);
  } else if (tray.dataset.told) return;
  const paid = payment(known.path, turn, known.view.numbers, isWord);
  const letters = known.path.map((place) => make("span", { class: "chip" }, tileAt(turn.tiles, place)?.face ?? ""));
  const spelt = slot("spelt");
  spelt.style.setProperty("--letters", String(Math.max(4, known.path.length)));
  spelt.replaceChildren(...(letters.length ? letters : [texts.say("touch.tray_empty")]));
  spelt.classList.toggle("soft", !letters.length);
  slot("potential").replaceChildren(...(paid ? potential(paid) : []));
  slot("potential").dataset.kind = paid ? paidKey(paid) : "";
  for (const name of ["delete", "submit"]) /** @type {HTMLButtonElement} */ (slot(name)).setAttribute("aria-disabled", String(!letters.length));
}

/** @param {Paid} paid @returns {Node[]} */
function potential(paid) {
  const points = paid.points + paid.all_letters;
  const sign = paid.points ? (paid.before ? "upgrade" : "") : "check";
  const text = make("b", {}, `+${texts.number(points)}`);
  return sign ? [icon(sign === "upgrade" ? "plus" : "check"), text] : [text];
}

/** What the letter tray says aloud. */
function traySaid() {
  const turn = soon();
  if (!turn || !known.view || !known.path.length) return texts.say("touch.tray_empty");
  const letters = known.path.map((place) => tileAt(turn.tiles, place)?.face ?? "").join(" ");
  const paid = payment(known.path, turn, known.view.numbers, isWord);
  return paid ? `${letters}: ${texts.count("common.points", paid.points + paid.all_letters)}` : letters;
}

/** @param {MatchView} view @param {boolean} changed */
async function showRounds(view, changed) {
  const finished = view.over ? view.rounds : view.round - 1;
  if (view.to_deal && finished === 0) return review.show([]);
  if (!view.over && !view.to_deal) return review.show([]);
  if (known.reviewed === finished && !changed) return undefined;
  const answer = await ask("GET", `${here}/rounds`);
  if (!answer.ok) return undefined;
  known.reviewed = finished;
  return review.show(answer.document.rounds);
}

/** The time between two looks is counted here; the service ends the turn. */
function tick() {
  if (known.shown !== "play" || !known.view) return;
  const left = Math.max(0, (known.endsAt - performance.now()) / 1000);
  write(slot("left"), clockText(left));
  slot("sand").style.width = `${(100 * left) / known.view.seconds}%`;
  slot("clock").classList.toggle("ending", left <= WARN_S);
  if (left <= WARN_S && left > 0 && !known.warned) {
    known.warned = true;
    announce(texts.count("touch.seconds_left", Math.ceil(left)));
  }
  if (left === 0 && !known.asked) {
    known.asked = true;
    known.path = [];
    refresh();
  }
}

// ---- what buttons do --------------------------------------------------------------------------

/** @param {string} type */
function moveOf(type) {
  const { view } = known;
  if (view?.turn) moves.add({ type, player: view.turn.player, round: view.round });
}

async function deal() {
  known.deals = false;
  const answer = await ask("POST", `${here}/deal`, { round: known.view?.round ?? 1 });
  if (answer.ok) take(answer.document);
  else line.complain(complaint(answer, texts));
}

async function shake() {
  known.deals = true;
  const answer = await ask("POST", "/api/round/press");
  if (!answer.ok) {
    known.deals = false;
    line.complain(complaint(answer, texts));
  }
  refresh();
}

/** @param {string[]} players @param {import("./touch_lobby.js").Picked} picked */
async function begin(players, picked) {
  const answer = await ask("POST", ROUTE, { players, seconds: Number(picked.seconds) });
  if (!answer.ok) return complaint(answer, texts);
  location.assign(`?match=${encodeURIComponent(answer.document.match)}`);
  return "";
}

// ---- a reload goes on -------------------------------------------------------------------------

/** Under which name the letters of this turn are kept. */
function pathKey() {
  return `touch-path.${matchName}.${known.view?.turn?.player}.${known.view?.round}`;
}

// ---- the start --------------------------------------------------------------------------------

/** @param {string} view */
function only(view) {
  known.shown = view;
  showView(view);
}

/** @param {string} name @param {() => void} act */
function wire(name, act) {
  slot(name).addEventListener("click", act);
}

wireDialogs();
wireChoices();
wire("delete", clear);
wire("submit", () => submit());
wire("start", () => moveOf("start"));
wire("end-yes", () => moveOf("end_turn"));
wire("deal", deal);
wire("shake", shake);
addEventListener("online", () => moves.pump());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && matchName) refresh();
});
setInterval(tick, TICK_MS);
entrance.enter();
