// @ts-check
// The referee's desk: behind its PIN one strip that tells the round, and the parts below it.

import { ask, complaint } from "./api.js";
import { makeChallengeClock } from "./challenge.js";
import { make, showView, slot, write } from "./dom.js";
import { makeNotice, noticeOf } from "./notice.js";
import { announce, kept, makeLine, mention, wireChoices, wireDialogs } from "./page.js";
import { makeChallenges } from "./referee_challenges.js";
import { decidedText, oneAtATime, timeOf, whoOf } from "./referee_desk.js";
import { makeDoubts } from "./referee_doubts.js";
import { makeLexicon } from "./referee_lexicon.js";
import { makeLists } from "./referee_lists.js";
import { makeLog } from "./referee_log.js";
import { makeCamera, makeDevices } from "./referee_machine.js";
import { makePaper } from "./referee_paper.js";
import { makeDoor } from "./referee_pin.js";
import { makeService, PHOTO } from "./referee_service.js";
import { actsOf, partBeside, PARTS, wishOf } from "./referee_state.js";
import { makeSure } from "./referee_sure.js";
import { makeTable, perform } from "./referee_table.js";
import { makeSlow } from "./slow.js";
import { clockText, roundTitle, secondsLeft } from "./state.js";
import { listen } from "./stream.js";
import { pageTexts } from "./texts.js";

/** @typedef {import("./types.js").State} State */

const TICK_MS = 200;

/** Phases in which words may be settled and ruled on. */
const WITH_LISTS = new Set(["collecting", "finished"]);

const texts = pageTexts();
const line = makeLine(texts);
const sure = makeSure();

const known = {
  /** @type {State | null} */
  state: null,
  toldAt: 0,
  part: "",
  /** @type {import("./referee_service.js").Decision | null} what can be taken back, as it is shown, and its number */
  last: null,
  number: -1,
  /** @type {{ text: string, left: number } | null} what was taken back, and how many decisions it left */
  undone: null,
};

/** @type {import("./referee_desk.js").Desk} */
const desk = { texts, send, sure, tell: mention, challenge, undone, unsettled: () => doubts.count() };
const service = makeService(desk);
const doubts = makeDoubts(desk, service, (count) => showCount("doubts", count));
const challenges = makeChallenges(desk, service);

/** @type {Record<string, import("./referee_desk.js").Part>} */
const parts = {
  table: makeTable(desk, service),
  doubts,
  lists: makeLists(desk, service),
  challenges,
  log: makeLog(desk, service),
  camera: makeCamera(desk, PHOTO),
  devices: makeDevices(desk, service),
};

const lexicon = makeLexicon(desk);
const challengeClock = makeChallengeClock(texts, announce);
const notice = makeNotice(texts, announce);
const showSlow = makeSlow(texts);
const paper = makePaper(desk, () => doubts.refresh());

/** @param {string} method @param {string} path @param {unknown} [body] */
async function send(method, path, body) {
  const answer = await ask(method, path, body);
  if (answer.status === 401) showDoor();
  else if (!answer.ok) complain(complaint(answer, texts));
  return answer;
}

/** @param {string} text */
function complain(text) {
  line.complain(text);
  announce(text);
}

/** @param {string} word */
function challenge(word) {
  openPart("challenges");
  challenges.add(word);
}

// The service knows what can be taken back, whoever did it.
async function undone() {
  const decisions = await service.decisions();
  [known.last, known.number] = [decisions[0] ?? null, decisions.length - 1];
  const told = decisions.map(decisionText);
  if (known.undone?.left !== decisions.length) known.undone = null;
  showUndo(Boolean(decisions[0]?.undoable), told[0] ?? "");
  slot("no-decisions").hidden = told.length > 0;
  slot("decisions").replaceChildren(...told.map((text) => make("li", {}, text)));
}

/** What was taken back stays in sight until something else is decided. @param {boolean} undoable @param {string} last decision */
function showUndo(undoable, last) {
  slot("undo").hidden = !undoable && !known.undone;
  slot("undo-button").hidden = !undoable;
  write(slot("undone"), known.undone?.text ?? "");
  write(slot("undo-what"), undoable ? last : "");
}

/** @param {import("./referee_service.js").Decision} decision @param {number} place 0 is the last one */
function decisionText({ by, at, undoable, ...decided }, place) {
  const what = decidedText(decided, texts);
  const who = whoOf(by, texts);
  const told = at === null ? texts.say("referee.decision.told_by", { what, who }) : texts.say("referee.decision.told", { what, who, when: timeOf(at, texts.language) });
  return place === 0 && !undoable ? `${told}. ${texts.say("referee.decision.stays")}` : told;
}

async function undo() {
  const { last, number } = known;
  if (!last?.undoable) return;
  if (await service.undo(number)) known.undone = { text: texts.say("referee.undone", { what: decidedText(last, texts) }), left: number };
  await Promise.all([undone(), doubts.refresh()]);
}

const lookAgain = oneAtATime(async () => {
  await doubts.refresh();
  await undone();
});

/** @param {State} state */
function take(state) {
  if (state.role !== "referee" && state.role !== "owner") return showDoor();
  const first = known.state === null;
  const before = known.state?.round;
  known.state = state;
  known.toldAt = performance.now();
  showStrip(state);
  for (const part of [...Object.values(parts), paper, lexicon]) part.show?.(state);
  tick();
  if (WITH_LISTS.has(state.round.phase) || before?.phase !== state.round.phase || before?.decided !== state.round.decided) lookAgain();
  challengeClock.show(state.round);
  notice.set(noticeOf(state.round.announced, Date.now() / 1000), 0);
  if (first) openPart(state.round.question ? "doubts" : "table");
  else if (state.round.question && !before?.question && !isTyping(document.activeElement)) openPart("doubts");
}

/** @param {Element | null} element arrows, digits and letters belong to a field while somebody is in it */
function isTyping(element) {
  return Boolean(element?.closest("input, textarea, select"));
}

/** @param {State} state */
function showStrip({ round, simulated }) {
  const key = `display.phase.${round.phase}`;
  write(slot("phase"), texts.has(key) ? texts.say(key) : texts.say("referee.idle"));
  slot("simulated").hidden = !simulated;
  write(slot("about"), roundTitle(round, texts));
}

/** The time between two states is counted here. */
function tick() {
  if (!known.state) return;
  showSlow(known.state.round, performance.now());
  const { timer, phase } = known.state.round;
  const left = secondsLeft(timer, known.toldAt, performance.now());
  const none = phase === "running" ? texts.say("display.time.none") : "";
  write(slot("left"), left === null ? none : clockText(left));
}

/** @param {string} part @param {number} count */
function showCount(part, count) {
  const badge = /** @type {HTMLElement} */ (document.querySelector(`[data-count="${part}"]`));
  badge.hidden = count === 0;
  write(badge, texts.number(count));
}

/** @param {string} name @param {boolean} [focus] */
function openPart(name, focus = false) {
  const wanted = PARTS.find((part) => part === name) ?? "table";
  known.part = wanted;
  for (const part of PARTS) {
    const tab = /** @type {HTMLElement} */ (document.getElementById(`tab-${part}`));
    tab.setAttribute("aria-selected", String(part === wanted));
    tab.tabIndex = part === wanted ? 0 : -1;
    if (part === wanted) tab.scrollIntoView({ block: "nearest", inline: "center" });
    if (part === wanted && focus) tab.focus();
    /** @type {HTMLElement} */ (document.getElementById(`part-${part}`)).hidden = part !== wanted;
  }
  parts[wanted]?.open?.();
}

function wireTabs() {
  const tabs = /** @type {HTMLElement} */ (document.querySelector("[role=tablist]"));
  tabs.addEventListener("click", (event) => {
    const tab = /** @type {Element} */ (event.target).closest("button");
    if (tab) openPart(tab.value);
  });
  tabs.addEventListener("keydown", (event) => {
    const ends = { Home: PARTS[0], End: PARTS.at(-1) };
    const end = ends[/** @type {"Home" | "End"} */ (event.key)];
    if (end) openPart(end, true);
  });
}

/** @param {{ does: string, value?: string | number }} wish @returns {boolean} whether it meant anything */
function obey(wish) {
  const round = known.state?.round;
  if (wish.does === "help") return showHelp();
  if (wish.does === "undo") return Boolean(undo());
  if (wish.does === "part") return step(Number(wish.value));
  if (wish.does === "stop-or-go") return actIf("pause") || actIf("resume");
  if (wish.does === "extra") return actIf("extra-time");
  return Boolean(round && parts[known.part]?.obey?.(wish));
}

function showHelp() {
  /** @type {HTMLDialogElement} */ (document.getElementById("help")).showModal();
  return true;
}

/** @param {number} steps */
function step(steps) {
  openPart(partBeside(known.part, steps), true);
  return true;
}

/** @param {string} name of an act, done where the round allows it now */
function actIf(name) {
  const act = known.state && actsOf(known.state.round).find((one) => one.name === name);
  if (act) perform(desk, act);
  return Boolean(act);
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
  if (known.part === "" || kept("keys") === "off") return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (isTyping(target)) return;
  const onButton = target.closest("button:not([role=tab]), a, [role=region]") !== null;
  const wish = wishOf(event, { part: known.part, onButton });
  if (wish && obey(wish)) event.preventDefault();
}

async function leave() {
  await ask("DELETE", "/api/session");
  location.reload();
}

const door = makeDoor(texts, mayEnter, enter);

/** @param {string} role */
function mayEnter(role) {
  return role === "referee" || role === "owner";
}

function showDoor() {
  known.part = "";
  showView("door");
  door.open();
}

// A page that came back through the door has an old stream: it begins anew.
function enter() {
  if (known.state) return location.reload();
  showView("desk");
  listen({ onState: take, onLine: line.show, onStranger: showDoor });
}

async function begin() {
  const { document: visitor } = await ask("GET", "/api/session");
  if (mayEnter(visitor?.role)) enter();
  else showDoor();
}

wireDialogs();
wireChoices();
wireTabs();
document.addEventListener("keydown", press);
document.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest("[data-does=undo]")) undo();
});
slot("leave").addEventListener("click", leave);
setInterval(tick, TICK_MS);
begin();
