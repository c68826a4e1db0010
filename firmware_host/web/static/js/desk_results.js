// @ts-check
// Results: of each table word by word with corrections, adjustments, standings, and files of it all.

import { showChanges } from "./desk_changes.js";
import { built, button, card, field, form, input, numberOf, offer, onChange, select, submit } from "./desk_parts.js";
import { makeStandings } from "./desk_standings.js";
import { makeTableResult } from "./desk_table_result.js";
import { icon, make } from "./dom.js";

/** @typedef {import("./desk_types.js").Context} Context */

export const show = built((root, context) => {
  const table = makeTableResult(context);
  const standings = makeStandings(context);
  const adjusting = makeAdjustment(context);
  const files = makeFiles(context);
  const lookAgain = onChange(async () => {
    const answers = await Promise.all([table.look(), standings.load()]);
    return answers.every(Boolean);
  });
  root.append(standings.element, table.element, adjusting.element, files.element);

  return (now) => {
    table.offerPlaces(now);
    standings.offerRounds(now);
    adjusting.offerPlayers(now);
    files.offer(now);
    lookAgain(now.state.event.head);
  };
});

/** Points that the referee gives, or takes. @param {() => Context} context */
function makeAdjustment(context) {
  const { texts } = context();
  const { say } = texts;
  const round = select("adjust-round", []);
  const player = input("adjust-player", { maxlength: "40", list: "adjust-players" });
  const names = make("datalist", { id: "adjust-players" });
  const points = input("adjust-points", { type: "number", step: "1", inputmode: "numeric" });
  const why = input("adjust-why", { maxlength: "200" });
  const changes = make("div", { class: "stack", "data-testid": "adjust-changes", tabindex: "-1" });

  /** @param {boolean} preview */
  async function send(preview) {
    const body = { round: Number(round.value), player: player.value.trim(), points: numberOf(points) ?? 0, why: why.value.trim(), preview };
    const answer = await context().api("POST", "/api/corrections/adjustments", body);
    if (!answer.ok) return;
    showChanges(changes, answer.document, texts);
    changes.focus();
    if (!preview) done(answer.document.entries[0]);
  }

  /** @param {number} entry */
  function done(entry) {
    context().tell(say("desk.results.adjusted"), entry);
    player.value = points.value = why.value = "";
  }

  const element = card(
    say("desk.results.adjust"),
    form(
      "adjust",
      () => send(false),
      field(say("desk.results.round"), round, "short"),
      field(say("hall.player"), player),
      names,
      field(say("hall.points"), points, "short"),
      field(say("desk.results.why"), why, "wide"),
      button(say("desk.results.preview"), () => send(true), { testid: "adjust-preview" }),
      submit(say("desk.results.enter"), { main: true, testid: "adjust-enter" }),
    ),
    changes,
  );

  /** @param {Context} now */
  function offerPlayers({ state }) {
    const last = state.event.round;
    const rounds = Array.from({ length: last?.number ?? 0 }, (_, place) => String((last?.number ?? 0) - place));
    offer(round, rounds.map((number) => [number, number]));
    const known = (last?.tables.flat() ?? []).sort((one, other) => one.localeCompare(other, texts.language));
    if (names.childElementCount !== known.length) names.replaceChildren(...known.map((name) => make("option", { value: name })));
  }

  return { element, offerPlayers };
}

/** @param {() => Context} context */
function makeFiles(context) {
  const { say } = context().texts;
  const list = make("ul", { class: "files", "data-testid": "files" });
  const element = card(say("desk.results.files"), make("p", { class: "soft" }, say("desk.results.files_note")), list);
  return {
    element,
    /** @param {Context} now */
    offer({ state }) {
      const files = /** @type {string[]} */ (state.exports?.files ?? []);
      if (list.childElementCount === files.length) return;
      list.replaceChildren(...files.map((file) => make("li", {}, link(file))));
    },
  };

  /** @param {string} file */
  function link(file) {
    const [what, ending] = file.split(".");
    return make("a", { class: "button", href: `/api/exports/${file}`, download: true, "data-testid": `file-${file}` }, icon("paper"), say(`desk.results.file.${what}`), " ", make("span", { class: "soft" }, ending.toUpperCase()));
  }
}
