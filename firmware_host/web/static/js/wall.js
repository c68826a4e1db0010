// @ts-check
// The wall of a hall: seats and standings by turns, page after page, until somebody stops it.

import { make, mark, slot, write } from "./dom.js";
import { follow, ranks, seats } from "./hall.js";
import { makeNotice } from "./notice.js";
import { makeLine, wireChoices, wireDialogs } from "./page.js";
import { pageTexts } from "./texts.js";

/** @typedef {import("./hall.js").Feed} Feed */

/** Milliseconds that a page stands. */
const STANDS = 12_000;

/** Of a letter's height: a line of a table, and the width of a column of seats with its gap. */
const LINE = 1.75;
const COLUMN = 16;

/** Lines at least, where the window is very low. */
const FEWEST = 3;

const texts = pageTexts();
const notice = makeNotice(texts);
const line = makeLine(texts);
/** @type {HTMLElement[]} */
let sheets = [];
let shown = 0;
let stopped = false;

/** How many lines a page has room for, and how many columns of seats. */
function room() {
  const view = slot("view");
  const letter = Number.parseFloat(getComputedStyle(view).fontSize);
  const lines = Math.floor(view.clientHeight / (letter * LINE)) - 2;
  return { lines: Math.max(lines, FEWEST), columns: Math.max(Math.floor(view.clientWidth / (letter * COLUMN)), 1) };
}

/** @template T @param {T[]} list @param {number} size @returns {T[][]} */
function paged(list, size) {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, page) => list.slice(page * size, (page + 1) * size));
}

/** @param {Feed} feed */
function seatSheets(feed) {
  const { round } = feed;
  if (!round || (round.tables.length > 0 && round.tables.every((table) => table.complete))) return [];
  const { lines, columns } = room();
  return paged(seats(round, texts), lines * columns).map((page) =>
    make(
      "div",
      {},
      make("h2", {}, texts.say("hall.seats", { number: round.number })),
      make("ul", { class: "seats" }, ...page.map(([name, where]) => make("li", {}, make("b", {}, name), make("span", {}, where)))),
    ),
  );
}

/** @param {Feed} feed */
function rankSheets(feed) {
  if (!feed.rounds.counted) return [];
  const several = Object.keys(feed.standings).length > 1;
  const after = texts.say("hall.after", { number: feed.rounds.counted });
  return Object.entries(feed.standings).flatMap(([division, standings]) =>
    paged(standings, room().lines).map((page) => ranks(feed, page, several ? `${after}, ${division}` : after, texts)),
  );
}

/** @param {Feed} feed */
function stand(feed) {
  if (!feed.round) return texts.say("hall.before");
  const { number, tables } = feed.round;
  const done = tables.filter((table) => table.complete).length;
  return texts.say("hall.stand", { number, planned: feed.rounds.planned, done, tables: tables.length });
}

function draw() {
  const sheet = sheets[shown % Math.max(sheets.length, 1)];
  slot("view").replaceChildren(sheet ?? make("p", {}, texts.say("hall.before")));
}

slot("turn").addEventListener("click", () => {
  stopped = !stopped;
  mark(slot("turn"), { "aria-pressed": String(stopped) });
  write(slot("turn"), texts.say(stopped ? "hall.go_on" : "hall.stop"));
});

setInterval(() => {
  if (stopped || sheets.length < 2) return;
  shown = (shown + 1) % sheets.length;
  draw();
}, STANDS);

wireDialogs();
wireChoices();
follow(
  (feed, ahead) => {
    write(slot("title"), feed.title);
    write(slot("stand"), stand(feed));
    notice.set(feed.notice, ahead);
    sheets = [...seatSheets(feed), ...rankSheets(feed)];
    draw();
  },
  (online) => line.show(online),
);
