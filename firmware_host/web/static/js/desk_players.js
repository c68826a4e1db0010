// @ts-check
// Registration and check-in: who is enrolled, and who is there.

import { built, button, card, field, form, input, keyed, note, numberOf, offer, onChange, select, submit } from "./desk_parts.js";
import { makePerson } from "./desk_person.js";
import { make, mark, write } from "./dom.js";

/** @typedef {import("./desk_types.js").Context} Context */
/**
 * @typedef {object} Player
 * @property {string} name
 * @property {string} division
 * @property {number} rating
 * @property {string} team
 * @property {string} shown
 * @property {string} status `active`, `withdrawn` or `suspended`
 * @property {number[]} byes
 * @property {number | null} table in the last round that was drawn
 * @property {boolean | null} here null where nobody has said so
 * @property {string} ticked_by
 */
/**
 * @typedef {object} Everybody
 * @property {string[]} divisions
 * @property {{ next: number, last: number }} rounds
 * @property {Player[]} players
 */

const FILTERS = ["all", "unknown", "here", "absent", "left"];

/** @param {Player} player @returns {string} one of `FILTERS` but the first */
export function standingOf(player) {
  if (player.status !== "active") return "left";
  return player.here === null ? "unknown" : player.here ? "here" : "absent";
}

/**
 * Those whom somebody looks for.
 *
 * @param {Player[]} players @param {string} filter @param {string} sought in the name or the team
 */
export function found(players, filter, sought) {
  const wanted = sought.trim().toLocaleLowerCase();
  return players.filter(
    (player) =>
      (filter === "all" || standingOf(player) === filter) &&
      `${player.name} ${player.shown} ${player.team}`.toLocaleLowerCase().includes(wanted),
  );
}

export const show = built((root, context) => {
  const { say } = context().texts;
  /** @type {Everybody} */
  let known = { divisions: [], rounds: { next: 1, last: 1 }, players: [] };

  const counts = make("p", { class: "soft", "data-testid": "checkin-counts" });
  const search = input("player-search", { type: "search" });
  const filter = select("player-filter", FILTERS.map((name) => [name, say(`desk.players.filter.${name}`)]));
  const nobody = make("p", { class: "empty" });
  const list = make("ul", { class: "lines people", "data-testid": "players" });
  const person = makePerson(root, context, () => known);
  const fill = keyed(list, (/** @type {Player} */ player) => player.name, rowOf);

  /** @param {Player} first */
  function rowOf(first) {
    const about = make("span", { class: "soft" });
    const here = button(say("desk.players.here"), () => tickOff([first.name], "here"), { label: `${say("desk.players.here")}: ${first.name}` });
    const away = button(say("desk.players.away"), () => tickOff([first.name], "absent"), { label: `${say("desk.players.away")}: ${first.name}` });
    const change = button(say("desk.players.change"), () => person.open(first.name), { label: `${say("desk.players.change")}: ${first.name}` });
    const acts = make("span", { class: "row" }, here, away, change);
    const element = make("li", { "data-player": first.name }, make("span", {}, make("b", {}, first.name), " ", about), acts);
    return {
      element,
      /** @param {Player} player */
      fill(player) {
        write(about, aboutOf(player));
        mark(element, { "data-standing": standingOf(player) });
        mark(here, { "aria-pressed": String(player.here === true) });
        mark(away, { "aria-pressed": String(player.here === false) });
        here.hidden = away.hidden = player.status !== "active";
      },
    };
  }

  /** @param {Player} player */
  function aboutOf(player) {
    const parts = [
      player.shown,
      known.divisions.length > 1 ? player.division : "",
      player.rating ? say("desk.players.rated", { rating: player.rating }) : "",
      player.team,
      player.table ? say("desk.table", { number: player.table }) : "",
      player.status === "active" ? "" : say(`desk.players.status.${player.status}`),
      ...player.byes.map((number) => say("desk.players.bye_in", { number })),
    ];
    return parts.filter(Boolean).join(" · ");
  }

  /** @param {string[]} names @param {"here" | "absent"} as what they are already is taken back */
  async function tickOff(names, as) {
    const [player] = known.players.filter(({ name }) => name === names[0]);
    const same = names.length === 1 && standingOf(player) === as;
    await context().api("POST", "/api/checkin", { players: names, here: same ? null : as === "here" });
    await load();
  }

  /** Those who are shown and have not been ticked off. */
  function remaining() {
    return found(known.players, filter.value, search.value).filter((player) => standingOf(player) === "unknown");
  }

  async function tickAll() {
    const names = remaining().map(({ name }) => name);
    const title = context().texts.count("desk.players.all_sure", names.length);
    if (names.length && (await context().sure({ title, yes: say("desk.players.all") }))) {
      // Who was ticked off since this page last heard of it stays as they were.
      await context().api("POST", "/api/checkin", { players: names, here: true, again: false });
      await load();
    }
  }

  function draw() {
    const shown = found(known.players, filter.value, search.value);
    fill(shown);
    note(nobody, shown.length ? "" : say(known.players.length ? "desk.players.none_such" : "desk.players.none"));
    all.disabled = remaining().length < 1;
    enrolment.take(known);
  }

  async function load() {
    const answer = await context().api("GET", "/api/players");
    if (!answer.ok) return false;
    known = answer.document;
    person.take();
    draw();
    return true;
  }

  const all = button(say("desk.players.all"), tickAll, { testid: "all-here" });
  const enrolment = makeEnrolment(context);
  const tools = make("div", { class: "row at-foot" }, field(say("desk.players.search"), search, "wide"), field(say("desk.players.filter.label"), filter), all);
  root.append(enrolment.element, card(say("desk.players.title"), counts, tools, nobody, list));
  for (const control of [search, filter]) control.addEventListener("input", draw);

  const look = onChange(load);
  return ({ state }) => {
    const { here, absent, unknown } = state.players;
    if (here !== undefined) write(counts, say("desk.players.counts", { here, absent, unknown }));
    look([state.event.head, state.players]);
  };
});

/**
 * Enrolling one by one, or by a file.
 *
 * @param {() => Context} context
 */
function makeEnrolment(context) {
  const { say } = context().texts;
  const name = input("enrol-name", { maxlength: 40 });
  const rating = input("enrol-rating", { type: "number", min: 0, max: 10000, inputmode: "numeric" });
  const team = input("enrol-team");
  const division = select("enrol-division", []);
  const divisions = field(say("desk.players.division"), division);
  const one = form(
    "enrol",
    enrol,
    field(say("desk.players.name"), name, "wide"),
    field(say("desk.players.rating"), rating, "short"),
    field(say("desk.players.team"), team),
    divisions,
    submit(say("desk.players.enrol"), { main: true, sign: "plus", testid: "enrol-send" }),
  );

  async function enrol() {
    if (!name.value.trim()) return name.focus();
    const given = { player: name.value.trim(), rating: numberOf(rating), team: team.value || undefined, division: division.value || undefined };
    const answer = await context().api("POST", "/api/players", given);
    if (!answer.ok) return name.focus();
    context().tell(say("desk.players.enrolled", { name: given.player }), answer.document.entry);
    one.reset();
    name.focus();
  }

  const title = make("summary", {}, make("h2", {}, say("desk.players.enrol_title")));
  const open = context().state.event.players === 0;
  return {
    element: make("details", { class: "card", open, "data-testid": "enrolment" }, title, make("div", { class: "stack" }, one, makeFile(context))),
    /** @param {Everybody} known */
    take({ divisions: names }) {
      divisions.hidden = names.length < 2;
      offer(division, names.map((each) => [each, each]));
    },
  };
}

/**
 * A CSV file: looked at first, then enrolled as a whole.
 *
 * @param {() => Context} context
 */
function makeFile(context) {
  const { say, count, names } = context().texts;
  const file = input("enrol-file", { type: "file", accept: ".csv,text/csv", "aria-describedby": "enrol-file-note" });
  const told = make("p", { role: "status", "data-testid": "enrol-file-told", hidden: true });
  const keep = button(say("desk.players.file_keep"), () => send(true), { main: true, testid: "enrol-file-keep" });
  keep.hidden = true;

  /** @param {boolean} keeping */
  async function send(keeping) {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    const query = new URLSearchParams({ name: chosen.name, keep: String(keeping) });
    const answer = await context().api("POST", `/api/players/file?${query}`, chosen);
    keep.hidden = keeping || !answer.ok;
    note(told, answer.ok ? toldOf(answer.document.players, keeping) : "");
    if (keeping && answer.ok) file.value = "";
  }

  /** @param {Player[]} players @param {boolean} kept */
  function toldOf(players, kept) {
    const some = players.slice(0, 5).map(({ name }) => name);
    const more = players.length > some.length ? ["…"] : [];
    return count(kept ? "desk.players.file_kept" : "desk.players.file_holds", players.length, { names: names([...some, ...more]) });
  }

  file.addEventListener("change", () => send(false));
  return make(
    "div",
    { class: "stack" },
    field(say("desk.players.file"), file),
    make("p", { class: "soft", id: "enrol-file-note" }, say("desk.players.file_note")),
    make("div", { class: "row" }, told, keep),
  );
}
