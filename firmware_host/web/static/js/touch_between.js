// @ts-check
// What is shown between two turns: the points, whose turn it is, and rounds that are over.

import { make, mark, slot, write } from "./dom.js";
import { makeTiles } from "./touch_board.js";
import { isRepeat } from "./touch_rules.js";

/** @typedef {import("./touch_rules.js").Place} Place */
/** @typedef {import("./touch_rules.js").Tile} Tile */
/** @typedef {import("./touch_rules.js").Paid} Paid */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./touch_types.js").MatchView} MatchView */
/** @typedef {import("./touch_types.js").Finished} Finished */

/** What the tray does, in groups that are told apart. @type {Readonly<Record<string, string>>} */
const TRAY = {
  idle: "free",
  cancelled: "free",
  finished: "free",
  shaking: "busy",
  settling: "busy",
  reading: "busy",
  lid_open: "asks",
  by_hand: "asks",
  confirming: "asks",
  faulted: "asks",
  ready: "ready",
};

/** @param {string} phase of the tray's own round */
export function trayOf(phase) {
  return TRAY[phase] ?? "taken";
}

/**
 * The view that a match asks for.
 *
 * @param {MatchView} view
 */
export function viewOf(view) {
  if (view.over) return "over";
  if (view.to_deal) return "deal";
  if (!view.turn || view.turn.clock === "over") return "wait";
  return view.turn.clock === "running" ? "play" : "ready";
}

/** @param {MatchView} view @param {Texts} texts */
export function showScores(view, texts) {
  const rounds = Array.from({ length: view.rounds }, (_, index) => index);
  slot("score-head").replaceChildren(
    make("th", { scope: "col" }, make("span", { class: "unseen" }, texts.say("touch.name"))),
    ...rounds.map((index) => make("th", { scope: "col" }, texts.number(index + 1))),
    make("th", { scope: "col" }, texts.say("touch.sum")),
  );
  slot("scores").replaceChildren(...view.players.map((seat) => scoreLine(seat, rounds, view, texts)));
}

/** @param {import("./touch_types.js").Seat} seat @param {number[]} rounds @param {MatchView} view @param {Texts} texts */
function scoreLine(seat, rounds, view, texts) {
  const won = view.winners.includes(seat.name);
  const note = won ? texts.say("touch.winner_mark") : seatNote(seat, view, texts);
  return make(
    "tr",
    { "data-won": won },
    make("th", { scope: "row" }, seat.name, note && make("span", { class: "soft note" }, ` ${note}`)),
    ...rounds.map((index) => make("td", {}, seat.rounds[index] === undefined ? "–" : texts.number(seat.rounds[index] ?? 0))),
    make("td", {}, make("b", {}, texts.number(seat.points))),
  );
}

/** @param {import("./touch_types.js").Seat} seat @param {MatchView} view @param {Texts} texts */
function seatNote(seat, view, texts) {
  if (view.over || view.to_deal) return "";
  return texts.say(`touch.seat.${seat.clock}`);
}

/** @param {MatchView} view @param {Texts} texts @param {boolean} mayShake */
export function showBetween(view, texts, mayShake) {
  const tray = trayOf(view.tray);
  write(slot("headline"), headline(view, texts));
  const forTable = !mayShake && (tray === "free" || tray === "ready") ? "_phone" : "";
  write(slot("advice"), view.to_deal ? texts.say(`touch.tray_${tray}${forTable}`) : awaited(view, texts, mayShake));
  slot("deal").hidden = !view.to_deal || !mayShake || tray !== "ready";
  slot("shake").hidden = !view.to_deal || !mayShake || tray !== "free";
  slot("to-table").hidden = !view.to_deal || !mayShake || tray !== "asks";
  slot("again").hidden = !view.over;
  showScores(view, texts);
}

/**
 * Who is still to start the clock on a phone, and how.
 *
 * @param {MatchView} view
 * @param {Texts} texts
 * @param {boolean} isTable where whoever has no phone any more can play
 */
function awaited({ over, players }, texts, isTable) {
  const names = players.filter((seat) => seat.on_phone && seat.clock === "waiting").map(({ name }) => name);
  if (over || !names.length) return "";
  return texts.say("touch.on_phones", { names: texts.names(names) }) + (isTable ? ` ${texts.say("touch.phone_gone")}` : "");
}

/** @param {MatchView} view @param {Texts} texts */
function headline(view, texts) {
  if (view.over && view.winners.length) return texts.count("touch.winner", view.winners.length, { names: texts.names(view.winners) });
  if (view.over) return texts.say("touch.no_winner");
  if (view.to_deal) return texts.say("touch.round_of", { round: view.round, of: view.rounds });
  return texts.say("touch.waiting");
}

/**
 * A finished round: its tiles, everybody's words, what was missed. A word that is tapped shows its
 * path.
 *
 * @param {Texts} texts
 */
export function makeReview(texts) {
  const tiles = makeTiles(slot("review-board"), texts, null);
  /** @type {Finished[]} */
  let known = [];
  let drawn = "";

  /** @param {number} index */
  function choose(index) {
    const buttons = known.map((round, at) => {
      const button = make("button", { class: "button", type: "button", "aria-pressed": String(at === index), "data-testid": `review-${round.round}` }, texts.number(round.round));
      button.addEventListener("click", () => {
        choose(at);
        slot("review-rounds").querySelectorAll("button")[at]?.focus();
      });
      return button;
    });
    slot("review-rounds").replaceChildren(...(buttons.length > 1 ? buttons : []));
    const round = known[index];
    if (round) draw(round);
  }

  /** @param {Finished} round */
  function draw(round) {
    write(slot("review-title"), texts.say("touch.review", { round: round.round }));
    const alone = round.players.length === 1 ? (round.players[0]?.used ?? []) : [];
    /** @param {Place[]} path @param {Element} from */
    const trace = (path, from) => {
      for (const each of slot("lists").querySelectorAll("[aria-pressed=true]")) mark(each, { "aria-pressed": "false" });
      mark(from, { "aria-pressed": "true" });
      tiles.show(round.tiles, path, alone);
    };
    tiles.show(round.tiles, [], alone);
    slot("lists").replaceChildren(
      make("p", { class: "soft" }, texts.say("touch.found", { found: round.found, possible: round.possible })),
      ...round.players.map((player) => wordList(player.name, texts.count("common.points", player.points), player.words.filter((paid) => !isRepeat(paid)), texts, trace)),
      wordList(texts.say("touch.missed"), "", round.best_missed, texts, trace),
    );
  }

  return {
    /** @param {Finished[]} rounds that are over; the last one is shown first */
    show(rounds) {
      slot("review").hidden = !rounds.length;
      const wanted = JSON.stringify(rounds);
      if (wanted === drawn || !rounds.length) return;
      drawn = wanted;
      known = rounds;
      choose(rounds.length - 1);
    },
  };
}

/**
 * @param {string} title
 * @param {string} note
 * @param {{ word: string, points: number, all_letters?: number, before?: number, path: Place[] }[]} words
 * @param {Texts} texts
 * @param {(path: Place[], from: Element) => void} trace
 */
function wordList(title, note, words, texts, trace) {
  const items = words.map((paid) => {
    const said = `+${texts.number(paid.points + (paid.all_letters ?? 0))}`;
    const button = make("button", { class: "word", type: "button", "aria-pressed": "false" }, paid.word, make("b", { class: "figures" }, said));
    button.addEventListener("click", () => trace(paid.path, button));
    return make("li", {}, button);
  });
  return make(
    "section",
    {},
    make("h3", {}, title, note && make("span", { class: "soft" }, ` ${note}`)),
    items.length ? make("ul", { class: "found" }, ...items) : make("p", { class: "soft" }, texts.say("touch.no_words")),
  );
}
