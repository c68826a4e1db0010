// @ts-check
// The end of a round: everybody's words with their reasons, and what was missed.

import { icon, isCalm, make, mark } from "./dom.js";
import { alsoFoundBy, placeOf, standings, through } from "./state.js";
import { levelMark, UNKNOWN } from "./words.js";

/** @typedef {import("./types.js").Result} Result */
/** @typedef {import("./types.js").Judged} Judged */
/** @typedef {import("./types.js").Score} Score */
/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./types.js").Commonness} Commonness */
/** @typedef {import("./texts.js").Texts} Texts */

/**
 * Why a word counts or does not, in the language of the page.
 *
 * @param {Result} result
 * @param {string} name whose word it is
 * @param {Judged} judged
 * @param {Texts} texts
 */
export function reasonText(result, name, judged, texts) {
  if (judged.verdict === "shared") {
    const others = alsoFoundBy(result, name, judged.word);
    return others.length
      ? texts.say("result.verdict.shared", { names: texts.names(others) })
      : texts.say("result.verdict.shared_unknown");
  }
  const key = `result.verdict.${judged.verdict}`;
  return texts.has(key) ? texts.say(key) : judged.reason;
}

/**
 * Who won, in one line.
 *
 * @param {Result} result
 * @param {Texts} texts
 */
export function winnerText(result, texts) {
  if (result.winners.length === 0) return texts.say("result.nobody");
  const key = result.winners.length === 1 ? "result.winner" : "result.winners";
  return texts.say(key, { names: texts.names(result.winners) });
}

/**
 * Points as they stand behind a word.
 *
 * @param {number} points
 * @param {Texts} texts
 */
export function signed(points, texts) {
  return points > 0 ? `+${texts.number(points)}` : texts.number(points);
}

/**
 * A line of somebody's list. Words that do not score are crossed out and say why.
 *
 * @param {Result} result
 * @param {string} name
 * @param {Judged} judged
 * @param {Texts} texts
 * @param {(judged: Judged, from: HTMLElement) => void} [onPick]
 * @param {Commonness} [known]
 */
export function wordLine(result, name, judged, texts, onPick, known = UNKNOWN) {
  const scored = judged.verdict === "scored";
  const word = make(scored ? "span" : "s", { class: "word" }, judged.word);
  const why = scored ? null : make("span", { class: "why" }, reasonText(result, name, judged, texts));
  const points = make("span", { class: "worth figures" }, signed(judged.points, texts));
  const inside = [make("span", { class: "what" }, word, why, levelMark(known, judged.word, texts)), points];
  const line = make("li", { "data-verdict": judged.verdict, "data-word": judged.word, "data-testid": "word" });
  line.append(onPick && judged.path ? picker(inside, () => onPick(judged, word)) : make("div", { class: "entry" }, ...inside));
  return line;
}

/** @param {Node[]} inside @param {() => void} onPick */
function picker(inside, onPick) {
  const button = make("button", { class: "entry", type: "button" }, ...inside);
  button.addEventListener("click", onPick);
  return button;
}

/**
 * The list of one player.
 *
 * @param {Result} result
 * @param {Score} score
 * @param {Texts} texts
 * @param {(judged: Judged, from: HTMLElement) => void} [onPick]
 * @param {Commonness} [known]
 */
export function scoreCard(result, score, texts, onPick, known) {
  const won = result.winners.includes(score.name);
  const place = texts.say("result.place", { place: placeOf(result, score.name), of: result.players.length });
  const head = make(
    "header",
    {},
    make("h2", {}, won && icon("crown"), score.name),
    make("p", { class: "total figures" }, texts.count("common.points", score.points)),
    make("p", { class: "soft" }, won ? `${texts.say("result.winner_mark")} · ${place}` : place),
  );
  const lines = score.words.map((judged) => wordLine(result, score.name, judged, texts, onPick, known));
  const list = lines.length ? make("ol", { class: "words" }, ...lines) : make("p", { class: "soft" }, texts.say("result.no_words"));
  return make("section", { class: "score card", "data-player": score.name, "data-winner": won, "data-testid": "score" }, head, list);
}

/**
 * What was missed, all or through a cube: first what somebody could have known, then the best.
 *
 * @param {Result} result
 * @param {Texts} texts
 * @param {{ cell: Place, face: string } | null} chosen
 * @param {(judged: Judged, from: HTMLElement) => void} [onPick]
 * @param {() => void} [onAll] takes the choice of a cube back
 * @param {Commonness} [known]
 */
export function missedCard(result, texts, chosen, onPick, onAll, known = UNKNOWN) {
  /** @param {import("./types.js").Missed[]} words @param {string} none */
  const list = (words, none) => {
    const lines = through(words, chosen?.cell ?? null).map((one) => missedLine(result, one, texts, onPick, known));
    return lines.length ? make("ol", { class: "words" }, ...lines) : make("p", { class: "soft" }, texts.say(none));
  };
  const { likely } = known;
  const usual = texts.say(likely ? "words.likely" : "result.missed");
  const title = chosen ? texts.say("result.through", { face: chosen.face }) : usual;
  const all = chosen && onAll ? allButton(texts, onAll) : null;
  const first = likely && [
    list(likely, chosen ? "result.through_none" : "words.likely_none"),
    make("h3", {}, texts.say("result.missed")),
  ];
  const best = list(result.best_missed, chosen ? "result.through_none" : "result.missed_none");
  const body = make("div", { class: "parts" }, ...(first ?? []), best);
  return make("section", { class: "score card missed", "data-testid": "missed" }, make("header", {}, make("h2", {}, title), all), body);
}

/**
 * @param {Result} result
 * @param {import("./types.js").Missed} missed
 * @param {Texts} texts
 * @param {((judged: Judged, from: HTMLElement) => void) | undefined} onPick
 * @param {Commonness} known
 */
function missedLine(result, missed, texts, onPick, known) {
  return wordLine(result, "", { ...missed, verdict: "scored", reason: "" }, texts, onPick, known);
}

/** @param {Texts} texts @param {() => void} onAll */
function allButton(texts, onAll) {
  const button = make("button", { class: "button", type: "button", "data-testid": "missed-all" }, texts.say("result.through_all"));
  button.addEventListener("click", onAll);
  return button;
}

/**
 * Who came in where; nothing where somebody plays alone.
 *
 * @param {Result} result
 * @param {Texts} texts
 * @returns {HTMLElement[]}
 */
export function ranksCard(result, texts) {
  if (result.players.length < 2) return [];
  const lines = standings(result).map(({ name, points }) =>
    make(
      "li",
      { "data-testid": "rank" },
      make("span", { class: "rank figures" }, `${placeOf(result, name)}.`),
      make("span", { class: "what" }, name),
      result.winners.includes(name) && icon("crown"),
      make("span", { class: "worth figures" }, texts.count("common.points", points)),
    ),
  );
  const head = make("header", {}, make("h2", {}, texts.say("result.ranks")));
  return [make("section", { class: "score card ranks", "data-testid": "ranks" }, head, make("ol", { class: "words" }, ...lines))];
}

/**
 * All lists, the best first.
 *
 * @param {Result} result
 * @param {Texts} texts
 * @param {(judged: Judged, from: HTMLElement) => void} onPick
 * @param {Commonness} known
 */
export function scoreCards(result, texts, onPick, known) {
  return standings(result).map((score) => scoreCard(result, score, texts, onPick, known));
}

/**
 * The meaning of whichever word of some lists the focus goes to.
 *
 * @param {HTMLElement} root
 * @param {() => boolean} isTold whether the service has meanings
 * @param {{ show: (line: Element, word: string) => unknown }} meanings
 */
export function wireMeanings(root, isTold, meanings) {
  /** @param {Event} event */
  const look = ({ target }) => {
    const line = /** @type {Element} */ (target).closest("[data-word]");
    if (line && isTold()) meanings.show(line, line.getAttribute("data-word") ?? "");
  };
  for (const kind of ["focusin", "click"]) root.addEventListener(kind, look);
}

/**
 * A word flies from its list to the first cube of its path.
 *
 * @param {HTMLElement} from
 * @param {Element | null} to
 */
export function fly(from, to) {
  if (isCalm() || !to) return;
  const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const ghost = make("span", { class: "flying", "aria-hidden": "true" }, from.textContent);
  ghost.style.left = `${start.left}px`;
  ghost.style.top = `${start.top}px`;
  document.body.append(ghost);
  const [across, down] = [end.left + end.width / 2 - start.left - start.width / 2, end.top + end.height / 2 - start.top - start.height / 2];
  const flight = ghost.animate(
    [
      { transform: "none", opacity: 1 },
      { transform: `translate(${across / 2}px, ${down / 2 - 40}px) scale(1.25)`, opacity: 1, offset: 0.5 },
      { transform: `translate(${across}px, ${down}px) scale(0.7)`, opacity: 0.2 },
    ],
    { duration: 620, easing: "ease-in-out" },
  );
  flight.finished.finally(() => ghost.remove());
}

/** @param {HTMLElement} root @param {Element | null} line the one whose path is shown */
export function pickLine(root, line) {
  for (const other of root.querySelectorAll("[data-picked]")) other.removeAttribute("data-picked");
  if (line) mark(line, { "data-picked": true });
}
