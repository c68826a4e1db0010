// @ts-check
// Where a match is begun, or gone on with.

import { ask } from "./api.js";
import { make, mark, slot, write } from "./dom.js";
import { keep, kept } from "./page.js";

/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {{ match: string, over: boolean, players: string[] }} Listed */
/** @typedef {Record<string, string>} Picked what was chosen in each group */

const MOST_PLAYERS = 8;
const AGAIN_MS = 1000;
const NAMES = "touch-names";

/**
 * @param {Texts} texts
 * @param {{ begin: (players: string[], picked: Picked) => Promise<string>, go: (match: string) => void,
 *   where: (match: any) => string }} acts ``begin`` gives what went wrong, or nothing; ``where`` tells
 *   how a match of the list stands
 */
export function makeLobby(texts, { begin, go, where }) {
  /** @type {Map<string, boolean>} names that are offered, and whether they play */
  const names = new Map();
  let own = "";

  function showNames() {
    slot("names").replaceChildren(...[...names].map(([name, plays]) => nameButton(name, plays)));
  }

  /** @param {string} name @param {boolean} plays */
  function nameButton(name, plays) {
    const button = make("button", { class: "button", type: "button", "aria-pressed": String(plays) }, name);
    button.addEventListener("click", () => {
      if (name === own) return;
      names.set(name, !plays);
      showNames();
      slot("names").querySelectorAll("button")[[...names.keys()].indexOf(name)]?.focus();
    });
    return button;
  }

  function addName() {
    const field = /** @type {HTMLInputElement} */ (slot("name"));
    const name = field.value.trim();
    if (!name) return;
    names.set(name, true);
    field.value = "";
    showNames();
  }

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    addName();
    const playing = [...names].filter(([, plays]) => plays).map(([name]) => name);
    if (!playing.length || playing.length > MOST_PLAYERS) {
      write(slot("new-problem"), texts.say(playing.length ? "touch.too_many" : "touch.nobody", { count: MOST_PLAYERS }));
      return;
    }
    if (!own) keep(NAMES, JSON.stringify(playing));
    write(slot("new-problem"), await begin(playing, picked()));
  }

  slot("new").addEventListener("submit", submit);
  slot("add").addEventListener("click", addName);
  for (const group of groups()) group.addEventListener("click", pick);

  return {
    /** @param {string} player who plays on this phone; nothing at the display @param {string[]} joined @param {Listed[]} matches */
    show(player, joined, matches) {
      own = player;
      slot("adding").hidden = Boolean(player);
      const before = player ? [player] : remembered();
      for (const name of [...before, ...joined]) if (!names.has(name)) names.set(name, before.includes(name) || !player);
      showNames();
      const open = matches.filter((match) => !match.over);
      slot("kept").hidden = !open.length;
      slot("matches").replaceChildren(...open.map((match) => matchButton(match, where(match), texts, go)));
    },
  };
}

/**
 * How a page of matches begins: with its match, with the lobby, or for somebody whom nobody knows.
 *
 * @param {object} wants
 * @param {string} wants.route of the matches
 * @param {string} wants.match that is played here; empty for the lobby
 * @param {{ role: string, player: string }} wants.known is told who is here
 * @param {ReturnType<typeof makeLobby>} wants.lobby
 * @param {(online: boolean) => void} wants.onLine
 * @param {(view: string) => void} wants.view shows one of the views
 * @param {() => Promise<unknown>} wants.refresh looks at the match
 */
export function makeEntrance({ route, match, known, lobby, onLine, view, refresh }) {
  /** Whether somebody is here whom the service knows. */
  async function whoIsHere() {
    const session = await ask("GET", "/api/session");
    if (session.status === 0) {
      onLine(false);
      setTimeout(enter, AGAIN_MS);
      return false;
    }
    known.role = session.document?.role ?? "";
    known.player = session.document?.name ?? "";
    if (!known.role) view("stranger");
    return Boolean(known.role);
  }

  async function showLobby() {
    const [table, listed] = await Promise.all([ask("GET", "/api/state"), ask("GET", route)]);
    const joined = table.ok ? table.document.round.players.map((/** @type {{ name: string }} */ player) => player.name) : [];
    view("lobby");
    lobby.show(known.role === "player" ? known.player : "", joined, listed.ok ? listed.document.matches : []);
  }

  async function enter() {
    if (!(await whoIsHere())) return;
    onLine(true);
    await (match ? refresh() : showLobby());
  }

  return { enter, whoIsHere };
}

/**
 * Tell by which word list a match goes, in the settings.
 *
 * @param {string} name
 * @param {Texts} texts
 */
export function showLexicon(name, texts) {
  write(slot("lexicon"), texts.say("touch.lexicon", { name }));
}

/** Groups of buttons of which one is chosen. */
function groups() {
  return document.querySelectorAll("[data-pick]");
}

/** @param {Event} event */
function pick(event) {
  const button = /** @type {Element} */ (event.target).closest("button");
  if (!button) return;
  for (const each of button.parentElement?.children ?? []) mark(each, { "aria-pressed": String(each === button) });
}

/** @returns {Picked} */
function picked() {
  const chosen = [...groups()].map((group) => [group.getAttribute("data-pick") ?? "", group.querySelector("[aria-pressed=true]")?.getAttribute("value") ?? ""]);
  return Object.fromEntries(chosen);
}

/** @returns {string[]} */
function remembered() {
  try {
    const names = JSON.parse(kept(NAMES) || "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** @param {Listed} match @param {string} where it stands @param {Texts} texts @param {(name: string) => void} go */
function matchButton(match, where, texts, go) {
  const button = make(
    "button",
    { class: "button", type: "button", "data-testid": `match-${match.match}` },
    make("b", {}, texts.names(match.players)),
    make("span", { class: "soft" }, `${match.match} · ${where}`),
  );
  button.addEventListener("click", () => go(match.match));
  return make("li", {}, button);
}
