// @ts-check
// Where a match is begun, or gone on with.

import { make, mark, slot, write } from "./dom.js";
import { keep, kept } from "./page.js";

/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./touch_types.js").Listed} Listed */

const MOST_PLAYERS = 8;
const NAMES = "touch-names";

/**
 * @param {Texts} texts
 * @param {{ begin: (players: string[], seconds: number) => Promise<string>, go: (match: string) => void }} acts
 *   ``begin`` gives what went wrong, or nothing
 */
export function makeLobby(texts, { begin, go }) {
  /** @type {Map<string, boolean>} names that are offered, and whether they play */
  const names = new Map();
  let own = "";
  let seconds = 120;

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
    write(slot("new-problem"), await begin(playing, seconds));
  }

  /** @param {Event} event */
  function chooseLength(event) {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (!button) return;
    seconds = Number(button.value);
    for (const each of slot("lengths").querySelectorAll("button")) mark(each, { "aria-pressed": String(each === button) });
  }

  slot("new").addEventListener("submit", submit);
  slot("add").addEventListener("click", addName);
  slot("lengths").addEventListener("click", chooseLength);

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
      slot("matches").replaceChildren(...open.map((match) => matchButton(match, texts, go)));
    },
  };
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

/** @param {Listed} match @param {Texts} texts @param {(name: string) => void} go */
function matchButton(match, texts, go) {
  const where = texts.say("touch.round_of", { round: match.round, of: match.rounds });
  const button = make(
    "button",
    { class: "button", type: "button", "data-testid": `match-${match.match}` },
    make("b", {}, texts.names(match.players)),
    make("span", { class: "soft" }, `${match.match} · ${where}`),
  );
  button.addEventListener("click", () => go(match.match));
  return make("li", {}, button);
}
