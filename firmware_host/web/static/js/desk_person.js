// @ts-check
// One player: what is known of them, and whether they are drawn.

import { button, field, form, input, note, numberOf, offer, select, submit } from "./desk_parts.js";
import { icon, make, write } from "./dom.js";

/** @typedef {import("./desk_types.js").Context} Context */
/** @typedef {import("./desk_players.js").Everybody} Everybody */
/** @typedef {import("./desk_players.js").Player} Player */

/**
 * The dialog of a player.
 *
 * @param {HTMLElement} root
 * @param {() => Context} context
 * @param {() => Everybody} everybody
 */
export function makePerson(root, context, everybody) {
  const { say } = context().texts;
  let open = "";
  const title = make("h2", { id: "person-title" });
  const status = make("p", { role: "status" });
  const rating = input("person-rating", { type: "number", min: 0, max: 10000, inputmode: "numeric" });
  const team = input("person-team");
  const shown = input("person-shown");
  const division = select("person-division", []);
  const divisions = field(say("desk.players.division"), division);
  const why = input("person-why", { maxlength: 200 });
  const bye = select("person-bye", []);
  const byes = form("person-bye-form", askBye, field(say("desk.players.bye"), bye), submit(say("desk.players.bye_give"), { testid: "person-bye-send" }));
  const leave = button(say("desk.players.withdraw"), () => change("withdraw"), { testid: "person-withdraw" });
  const suspend = button(say("desk.players.suspend"), () => change("suspend"), { testid: "person-suspend" });
  const back = button(say("desk.players.return"), () => change("return"), { testid: "person-return" });
  const reason = field(say("desk.why"), why, "wide");
  const close = make("button", { class: "button plain", type: "button", "data-closes": true, "aria-label": say("common.close") }, icon("close"));
  const dialog = /** @type {HTMLDialogElement} */ (
    make(
      "dialog",
      { class: "sheet", "aria-labelledby": "person-title", "data-testid": "person" },
      make("div", { class: "row apart" }, title, close),
      status,
      form(
        "person-form",
        amend,
        field(say("desk.players.rating"), rating, "short"),
        field(say("desk.players.team"), team),
        field(say("desk.players.shown"), shown),
        divisions,
        submit(say("desk.keep"), { main: true, testid: "person-keep" }),
      ),
      byes,
      make("div", { class: "row at-foot" }, reason, leave, suspend, back),
    )
  );
  root.append(dialog);

  /** @returns {Player | undefined} */
  const player = () => everybody().players.find(({ name }) => name === open);

  /** What was changed alone: another referee may have changed the rest. */
  function changes() {
    const before = player();
    const after = { rating: numberOf(rating), team: team.value.trim(), shown: shown.value.trim(), division: division.value };
    return Object.fromEntries(Object.entries(after).filter(([key, value]) => value !== undefined && value !== before?.[/** @type {keyof Player} */ (key)]));
  }

  async function amend() {
    const changed = changes();
    if (Object.keys(changed).length === 0) return dialog.close();
    await done("PUT", "/api/players", { player: open, ...changed }, "desk.players.amended");
  }

  async function askBye() {
    if (bye.value) await done("POST", "/api/players/bye", { player: open, round: Number(bye.value) }, "desk.players.bye_given");
  }

  /** @param {"withdraw" | "suspend" | "return"} does */
  async function change(does) {
    if (does === "suspend" && !why.value.trim()) return why.focus();
    const given = { player: open, does, why: does === "suspend" ? why.value.trim() : undefined };
    await done("POST", "/api/players/status", given, `desk.players.told.${does}`);
  }

  /** @param {string} method @param {string} path @param {unknown} body @param {string} key of what is told */
  async function done(method, path, body, key) {
    const answer = await context().api(method, path, body);
    if (!answer.ok) return;
    dialog.close();
    context().tell(say(key, { name: open }), answer.document.entry);
  }

  function take() {
    const found = player();
    if (!found) return;
    const active = found.status === "active";
    note(status, active ? "" : say(`desk.players.status.${found.status}`));
    leave.hidden = suspend.hidden = reason.hidden = byes.hidden = !active;
    back.hidden = active;
  }

  return {
    /** @param {string} name */
    open(name) {
      open = name;
      const found = /** @type {Player} */ (player());
      const { divisions: all, rounds } = everybody();
      write(title, name);
      rating.value = found.rating ? String(found.rating) : "";
      [team.value, shown.value, why.value] = [found.team, found.shown, ""];
      offer(division, all.map((each) => [each, each]));
      division.value = found.division;
      divisions.hidden = all.length < 2;
      offer(bye, toCome(rounds).map((number) => [String(number), say("common.round", { number })]));
      take();
      dialog.showModal();
    },
    take,
  };
}

/** @param {{ next: number, last: number }} rounds @returns {number[]} */
function toCome({ next, last }) {
  return Array.from({ length: Math.max(0, last - next + 1) }, (_, place) => next + place);
}
