// @ts-check
// The desk of a tournament: behind its PIN a strip that tells the event, and one section below it.
// The part of the address behind # says which.

import { ask, complaint } from "./api.js";
import { follow } from "./desk_feed.js";
import * as review from "./desk_review.js";
import * as tables from "./desk_tables.js";
import { showView, slot, write } from "./dom.js";
import { announce, makeLine, wireChoices, wireDialogs } from "./page.js";
import { makeDoor } from "./referee_pin.js";
import { makeSure } from "./referee_sure.js";
import { pageTexts } from "./texts.js";

/** @typedef {import("./desk_types.js").DeskState} DeskState */

/** Milliseconds for which is told what was done, and for which it can be taken back there. */
const TOLD = 4000;
const UNDOABLE = 10_000;

/** @typedef {import("./desk_types.js").Section} Section */

/**
 * Most are loaded when they are first opened, so that the page is small; none whose tab has a number.
 *
 * @type {Record<string, () => Promise<Section>>}
 */
const LATER = {
  players: () => import("./desk_players.js"),
  rounds: () => import("./desk_rounds.js"),
  challenges: () => import("./desk_challenges.js"),
  results: () => import("./desk_results.js"),
  notices: () => import("./desk_notices.js"),
  log: () => import("./desk_log.js"),
};
/** @type {Record<string, Section>} those that are loaded */
const sections = { tables, review };
const NAMES = ["players", "rounds", "tables", "review", "challenges", "results", "notices", "log"];

const texts = pageTexts();
const line = makeLine(texts);
const sure = makeSure();
const known = {
  /** @type {DeskState | null} */
  state: null,
  section: "",
  ahead: 0,
  /** @type {{ hurry: () => void } | null} */
  feed: null,
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  told: undefined,
  entry: 0,
};

/** @param {string} method @param {string} path @param {unknown} [body] @param {number} [patience] */
async function api(method, path, body, patience) {
  const answer = await ask(method, path, body, patience);
  if (answer.status === 401) showDoor();
  else if (!answer.ok) complain(refusalOf(answer));
  if (method !== "GET") known.feed?.hurry();
  return answer;
}

/** @param {import("./api.js").Answer} answer */
function refusalOf(answer) {
  const key = `desk.problem.${answer.document?.type}`;
  return texts.has(key) ? texts.say(key) : complaint(answer, texts);
}

/** @param {string} text */
function complain(text) {
  line.complain(text);
  announce(text);
}

/** @param {string} text @param {number} [entry] that can be taken back */
function tell(text, entry = 0) {
  clearTimeout(known.told);
  known.entry = entry;
  write(slot("told"), text);
  slot("take-back").hidden = !entry;
  slot("told-line").hidden = false;
  known.told = setTimeout(() => (slot("told-line").hidden = true), entry ? UNDOABLE : TOLD);
}

async function takeBack() {
  const answer = await api("POST", `/api/log/${known.entry}/undo`, { why: texts.say("desk.slip") });
  if (answer.ok) tell(texts.say("desk.taken_back"));
}

/** @param {string} section @param {number} number */
function count(section, number) {
  const badge = /** @type {HTMLElement} */ (document.querySelector(`[data-count="${section}"]`));
  badge.hidden = number === 0;
  write(badge, texts.number(number));
}

/** @param {DeskState} state @returns {import("./desk_types.js").Context} */
function contextOf(state) {
  return { api, state, texts, tell, sure, now: () => Date.now() / 1000 + known.ahead, count };
}

/** @param {DeskState} state */
function take(state) {
  known.state = state;
  known.ahead = state.now - Date.now() / 1000;
  write(slot("title"), state.event.title);
  write(slot("stand"), standOf(state));
  write(slot("me"), texts.say("desk.me", { name: state.me }));
  for (const name of NAMES) {
    const number = sections[name]?.badge?.(state);
    if (number !== undefined) count(name, number);
  }
  draw();
}

/** @param {DeskState} state */
function standOf({ event }) {
  const { round } = event;
  if (!round) return texts.say("desk.before", { players: event.players });
  const phase = round.complete ? "complete" : round.started ? "started" : "drawn";
  return texts.say(`desk.stand.${phase}`, { number: round.number, planned: event.rounds });
}

function draw() {
  const { state, section } = known;
  if (!state || !section) return;
  if (section in sections) sections[section].show(rootOf(section), contextOf(state));
  else load(section);
}

/** Load a section, and show it unless another was opened meanwhile. @param {string} name */
async function load(name) {
  try {
    sections[name] ??= await LATER[name]();
  } catch {
    return complain(texts.say("common.failed_offline"));
  }
  if (known.section === name) draw();
}

/** @param {string} name */
function rootOf(name) {
  return /** @type {HTMLElement} */ (document.getElementById(`part-${name}`));
}

/** Open the section of the address; the first where it names none. */
function open() {
  const wanted = location.hash.slice(1);
  known.section = NAMES.includes(wanted) ? wanted : NAMES[0];
  for (const name of NAMES) {
    const tab = tabOf(name);
    const chosen = name === known.section;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen) tab.scrollIntoView({ block: "nearest", inline: "center" });
    rootOf(name).hidden = !chosen;
  }
  draw();
}

/** @param {string} name */
function tabOf(name) {
  return /** @type {HTMLElement} */ (document.getElementById(`tab-${name}`));
}

/** @param {string} key @returns {number | null} which tab a key goes to */
function placeOf(key) {
  const here = NAMES.indexOf(known.section);
  const steps = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: NAMES.length - 1 };
  const place = steps[/** @type {keyof typeof steps} */ (key)];
  return place === undefined ? null : (place + NAMES.length) % NAMES.length;
}

function wireTabs() {
  const tabs = /** @type {HTMLElement} */ (document.querySelector("[role=tablist]"));
  tabs.addEventListener("click", (event) => {
    const tab = /** @type {Element} */ (event.target).closest("button");
    if (tab) location.hash = tab.value;
  });
  tabs.addEventListener("keydown", (event) => {
    const place = placeOf(event.key);
    if (place === null) return;
    event.preventDefault();
    location.hash = NAMES[place];
    tabOf(NAMES[place]).focus();
  });
  addEventListener("hashchange", open);
}

async function leave() {
  await ask("DELETE", "/api/session");
  location.reload();
}

const who = /** @type {HTMLInputElement} */ (slot("who"));
const door = makeDoor(texts, (role) => role === "referee", enter, () => ({ name: who.value.trim() }));

function showDoor() {
  showView("door");
  if (who.value) door.open();
  else who.focus();
}

// A page that came back through the door begins anew: another referee may sit here now.
function enter() {
  if (known.state) return location.reload();
  showView("desk");
  open();
  known.feed = follow({ onState: take, onLine: line.show, onTrouble, onStranger: showDoor });
}

/** @param {string} problem */
function onTrouble(problem) {
  slot("trouble").hidden = !problem;
  write(slot("trouble"), problem);
}

async function begin() {
  const { document: visitor } = await ask("GET", "/api/session");
  if (visitor?.role === "referee") enter();
  else showDoor();
}

wireDialogs();
wireChoices();
wireTabs();
slot("leave").addEventListener("click", leave);
slot("take-back").addEventListener("click", takeBack);
begin();
