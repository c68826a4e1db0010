// @ts-check
// What a table made of a board, word by word; its lists or points corrected, with what that changes.

import { showChanges } from "./desk_changes.js";
import { button, card, field, form, input, note, offer, select, submit } from "./desk_parts.js";
import { make } from "./dom.js";

/** @typedef {import("./desk_types.js").Context} Context */
/** @typedef {{ word: string, points: number, verdict: string, reason: string }} Word */
/** @typedef {{ name: string, points: number | null, lines: string[] | null, words: Word[] }} Player */
/**
 * @typedef {object} TableResult
 * @property {number} round
 * @property {number} board
 * @property {number} table
 * @property {string | null} shown
 * @property {boolean} entered
 * @property {Player[]} players
 * @property {number} mark
 */

/**
 * The lists that somebody has changed, by player.
 *
 * @param {Player[]} players @param {Record<string, string>} typed a word a line, by player
 * @returns {Record<string, string[]>}
 */
export function changedLists(players, typed) {
  const lists = players.map(({ name, lines }) => ({ name, before: lines, after: linesOf(typed[name] ?? "") }));
  const changed = lists.filter(({ before, after }) => before === null || before.join("\n") !== after.join("\n"));
  return Object.fromEntries(changed.map(({ name, after }) => [name, after]));
}

/** @param {string} text @returns {string[]} */
function linesOf(text) {
  return text.split("\n").map((line) => line.trim()).filter(Boolean);
}

/**
 * What is missing before points can be entered: all of a table have some.
 *
 * @param {Player[]} players @param {Record<string, string>} typed
 * @returns {Record<string, number> | null} null where somebody has none, or no whole number
 */
export function pointsOf(players, typed) {
  const points = players.map(({ name }) => /** @type {[string, string]} */ ([name, (typed[name] ?? "").trim()]));
  if (points.some(([, text]) => !/^[-−]?\d{1,7}$/.test(text))) return null;
  return Object.fromEntries(points.map(([name, text]) => [name, Number(text.replace("−", "-"))]));
}

/** @param {number} most @returns {[string, string][]} 1 to the most, as options */
function numbers(most) {
  return Array.from({ length: most }, (_, place) => [String(place + 1), String(place + 1)]);
}

/** @param {() => Context} context */
export function makeTableResult(context) {
  const { texts } = context();
  const { say } = texts;
  const round = select("result-round", []);
  const board = select("result-board", []);
  const table = select("result-table", []);
  const about = make("p", { class: "soft", "data-testid": "result-about" });
  const lists = make("div", { class: "table-lists", "data-testid": "result-lists" });
  const why = input("correct-why", { maxlength: "200" });
  const shown = input("correct-shown", { maxlength: "200", spellcheck: "false" });
  const shownField = field(say("desk.results.shown"), shown, "wide");
  const changes = make("div", { class: "stack", "data-testid": "changes", tabindex: "-1" });
  const points = make("input", { type: "checkbox", id: "by-points", "data-testid": "by-points" });
  const kind = make("label", { class: "radio" }, points, say("desk.results.by_points"));
  const lack = make("p", { class: "problem", role: "alert", "data-testid": "correct-lack", hidden: true });
  /** @type {TableResult | null} */
  let told = null;
  let dirty = false;

  const chooser = form(
    "result-choose",
    () => load(),
    field(say("desk.results.round"), round, "short"),
    field(say("desk.results.board"), board, "short"),
    field(say("desk.results.table"), table, "short"),
    submit(say("desk.results.show"), { testid: "result-show" }),
  );
  const acts = form(
    "correct",
    () => send(false),
    kind,
    shownField,
    field(say("desk.results.why"), why, "wide"),
    button(say("desk.results.preview"), () => send(true), { testid: "correct-preview" }),
    submit(say("desk.results.enter"), { main: true, testid: "correct-enter" }),
  );
  const editor = make("details", { class: "stack", "data-testid": "correct-open" }, make("summary", { class: "button" }, say("desk.results.correct")), make("div", { class: "fields", "data-testid": "correct-fields" }), acts, lack, changes);
  const fields = /** @type {HTMLElement} */ (editor.children[1]);
  editor.hidden = true;
  points.addEventListener("change", drawFields);
  fields.addEventListener("input", () => (dirty = true));
  const element = card(say("desk.results.of_table"), chooser, about, lists, editor);

  async function load() {
    dirty = false;
    showChanges(changes, null, texts);
    return look();
  }

  /** Look at the table that was chosen; what somebody is typing stays, and with it what they saw. */
  async function look() {
    if (!round.value || !table.value) return true;
    const answer = await context().api("GET", `/api/results/${round.value}/${board.value}/${table.value}`);
    if (answer.ok && !dirty) take(answer.document);
    else if (answer.ok) drawLists(answer.document.players);
    return answer.ok;
  }

  /** @param {TableResult} document */
  function take(document) {
    told = document;
    note(about, aboutOf(document));
    drawLists(document.players);
    editor.hidden = false;
    shownField.hidden = document.shown !== null;
    /** @type {HTMLInputElement} */ (points).checked = document.entered;
    drawFields();
  }

  /** @param {TableResult} document */
  function aboutOf({ shown: face, entered, players }) {
    const lacking = players.every(({ points: made }) => made === null);
    return [
      face ? say("desk.results.board_is", { board: face }) : say("desk.results.no_board"),
      lacking ? say("desk.results.no_scores") : entered ? say("desk.results.entered") : "",
    ]
      .filter(Boolean)
      .join(" · ");
  }

  /** @param {Player[]} players */
  function drawLists(players) {
    lists.replaceChildren(...players.map(listOf));
  }

  /** @param {Player} player */
  function listOf({ name, points: made, lines, words }) {
    const head = make("h3", {}, name, " ", make("span", { class: "figures" }, made === null ? "–" : texts.number(made)));
    const rows = words.map((word) =>
      make(
        "li",
        { class: "judged", "data-verdict": word.verdict },
        make("span", { class: "word" }, word.word),
        make("span", { class: "soft" }, say(`referee.verdict.${word.verdict}`)),
        make("b", { class: "figures" }, texts.number(word.points)),
      ),
    );
    const none = make("p", { class: "soft" }, say(lines === null ? "desk.results.no_list" : "desk.results.empty_list"));
    return make("section", { class: "card", "data-player": name }, head, rows.length ? make("ul", { class: "lines" }, ...rows) : none);
  }

  function drawFields() {
    if (!told) return;
    dirty = false;
    note(lack, "");
    const byPoints = /** @type {HTMLInputElement} */ (points).checked;
    fields.replaceChildren(...told.players.map((player, place) => (byPoints ? pointsField(player, place) : listField(player, place))));
    shownField.hidden = byPoints || told.shown !== null;
  }

  /** @param {Player} player @param {number} place */
  function listField({ name, lines }, place) {
    const area = /** @type {HTMLTextAreaElement} */ (
      make("textarea", { id: `list-${place}`, rows: "5", autocapitalize: "off", spellcheck: "false", "data-of": name, "data-testid": "list-of" }, (lines ?? []).join("\n"))
    );
    return field(say("desk.results.list_of", { name }), area);
  }

  /** @param {Player} player @param {number} place */
  function pointsField({ name, points: made }, place) {
    const control = input(`points-${place}`, { inputmode: "numeric", "data-of": name, value: made ?? "", "data-testid": "points-of" });
    return field(say("desk.results.points_of", { name }), control);
  }

  function typed() {
    const controls = /** @type {NodeListOf<HTMLInputElement>} */ (fields.querySelectorAll("[data-of]"));
    return Object.fromEntries([...controls].map((control) => [control.dataset.of ?? "", control.value]));
  }

  /** @returns {{ path: string, body: object } | null} */
  function wanted() {
    if (!told) return null;
    if (/** @type {HTMLInputElement} */ (points).checked) {
      const made = pointsOf(told.players, typed());
      return made && { path: "scores", body: { points: made } };
    }
    const changed = changedLists(told.players, typed());
    const face = shown.value.trim();
    return Object.keys(changed).length ? { path: "lists", body: { lists: changed, ...(face && !told.shown ? { shown: face } : {}) } } : null;
  }

  /** @param {boolean} preview */
  async function send(preview) {
    const want = wanted();
    note(lack, want ? "" : say(/** @type {HTMLInputElement} */ (points).checked ? "desk.results.lack_points" : "desk.results.lack_change"));
    if (!want || !told) return;
    const { round: number, board: of, table: at, mark: seen } = told;
    const place = { round: number, board: of, table: at, mark: seen, why: why.value.trim() || null, preview };
    const answer = await context().api("POST", `/api/corrections/${want.path}`, { ...place, ...want.body });
    if (!answer.ok) return;
    showChanges(changes, answer.document, texts);
    changes.focus();
    if (preview) return;
    context().tell(say("desk.results.done"));
    why.value = "";
    dirty = false;
    await look();
  }

  /** @param {Context} now */
  function offerPlaces({ state }) {
    const { event } = state;
    const drawn = event.round?.number ?? 0;
    const rounds = Array.from({ length: drawn }, (_, place) => String(drawn - place));
    offer(round, rounds.map((n) => [n, n]));
    offer(board, numbers(event.boards));
    offer(table, numbers(event.round?.tables.length ?? 0));
  }

  return { element, look, offerPlaces };
}
