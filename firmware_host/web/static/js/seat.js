// @ts-check
// A player's own page in a hall: my table, whom I meet, my rank, each round.

import { make, slot, write } from "./dom.js";
import { follow } from "./hall.js";
import { makeNotice } from "./notice.js";
import { keep, kept, makeLine, mention, wireChoices, wireDialogs } from "./page.js";
import { pageTexts } from "./texts.js";

/** @typedef {import("./hall.js").Feed} Feed */
/** @typedef {import("./hall.js").Standing} Standing */

const texts = pageTexts();
const notice = makeNotice(texts);
const line = makeLine(texts);
const form = /** @type {HTMLFormElement} */ (slot("choose"));
const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("name"));
/** @type {Feed | null} */
let feed = null;
let name = kept("hall");

/** @param {Feed} of @returns {Standing[]} */
const everybody = (of) => Object.values(of.standings).flat();

/** @param {Feed} of @param {string} wanted */
function find(of, wanted) {
  const folded = wanted.trim().toLocaleLowerCase(texts.language);
  return everybody(of).find((each) => each.name.toLocaleLowerCase(texts.language) === folded);
}

/** @param {Feed} of @param {Standing} me */
function place(of, me) {
  const { round } = of;
  if (!round) return [make("p", {}, texts.say("hall.before"))];
  const table = round.tables.find(({ players }) => players.includes(me.name));
  if (table) {
    const others = table.players.filter((other) => other !== me.name);
    return [
      make("p", { class: "table-number", "data-testid": "my-table" }, texts.say("hall.table", { number: table.table })),
      make("p", {}, texts.say("hall.against", { names: texts.names(others) })),
    ];
  }
  return [make("p", {}, texts.say(round.byes.includes(me.name) ? "hall.has_bye" : "hall.no_seat"))];
}

/** @param {Standing} me */
function rounds(me) {
  return me.by_round.map((each) =>
    make("li", {}, texts.say("hall.made", { number: each.round, points: each.points, wins: each.wins })),
  );
}

function draw() {
  if (!feed) return;
  slot("names").replaceChildren(...everybody(feed).map((each) => make("option", { value: each.name })));
  const me = name ? find(feed, name) : undefined;
  form.hidden = Boolean(me);
  slot("mine").hidden = !me;
  if (!me) return;
  const number = feed.round ? texts.say("hall.round", { number: feed.round.number, planned: feed.rounds.planned }) : "";
  const again = make("button", { class: "button", type: "button", "data-testid": "other" }, texts.say("hall.other"));
  again.addEventListener("click", () => choose(""));
  slot("mine").replaceChildren(
    make("h1", {}, me.name),
    make("p", {}, number),
    ...place(feed, me),
    make("h2", {}, feed.rounds.counted ? texts.say("hall.my_rank", { rank: me.rank }) : ""),
    make("ul", {}, ...rounds(me)),
    again,
  );
}

/** @param {string} chosen */
function choose(chosen) {
  name = chosen;
  keep("hall", chosen);
  draw();
  if (!chosen) field.focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const found = feed && find(feed, field.value);
  write(slot("problem"), found ? "" : texts.say("hall.nobody"));
  if (!found) return field.focus();
  choose(found.name);
  mention(found.name);
});

wireDialogs();
wireChoices();
follow(
  (told, ahead) => {
    feed = told;
    notice.set(told.notice, ahead);
    draw();
  },
  (online) => line.show(online),
);
