import assert from "node:assert/strict";
import { test } from "node:test";

import { put, remarksOf, sent, swapped } from "./js/desk_hand.js";
import { tablesOf } from "./js/desk_parts.js";
import { found, standingOf } from "./js/desk_players.js";
import { toldOf } from "./js/desk_start.js";
import { badge, fits, notesOf } from "./js/desk_tables.js";
import { makeTexts } from "./js/texts.js";

globalThis.navigator ??= { language: "en-GB" }; // which older ones of node have not

const seating = { tables: [["ann", "bob"], ["cy", "dee"]], byes: ["eve"], absent: [] };

test("two players change places, and the tables of before stay as they were", () => {
  assert.deepEqual(swapped(seating, "ann", "eve"), { tables: [["eve", "bob"], ["cy", "dee"]], byes: ["ann"], absent: [] });
  assert.deepEqual(swapped(seating, "ann", "dee").tables, [["dee", "bob"], ["cy", "ann"]]);
  assert.deepEqual(seating.tables[0], ["ann", "bob"]);
});

test("a player is put elsewhere, and a table without anybody is gone", () => {
  assert.deepEqual(put(seating, "eve", 1).tables, [["ann", "bob"], ["cy", "dee", "eve"]]);
  assert.deepEqual(put(seating, "eve", "new").tables.at(-1), ["eve"]);
  const moved = put(put(seating, "ann", "byes"), "bob", "absent");
  assert.deepEqual(moved, { tables: [["cy", "dee"]], byes: ["eve", "ann"], absent: ["bob"] });
  assert.deepEqual(sent(moved), { tables: [["cy", "dee"], ["eve"], ["ann"]], absent: ["bob"] });
});

test("remarks are told in the language of the page where it knows them", () => {
  const texts = makeTexts({ "desk.rounds.remark.again": "{names}: schon {count}" }, "de");
  const remarks = [
    { kind: "again", text: "they met", players: ["ann", "bob"] },
    { kind: "odd", text: "as it is", players: [] },
  ];
  assert.deepEqual(remarksOf(remarks, texts), ["ann und bob: schon 2", "as it is"]);
});

test("numbers of tables are read as people write them", () => {
  assert.deepEqual(tablesOf(""), []);
  assert.deepEqual(tablesOf("3, 5-7;9"), [3, 5, 6, 7, 9]);
  assert.equal(tablesOf("three"), null);
  assert.equal(tablesOf("3 to 5"), null);
  assert.equal(tablesOf("5-3"), null);
});

test("players are found by what they are and what they are called", () => {
  const player = { name: "Ann", shown: "", team: "Reds", status: "active", here: null };
  const players = [player, { ...player, name: "Bob", here: true }, { ...player, name: "Cy", here: false, team: "" }, { ...player, name: "Dee", status: "withdrawn", here: true }];
  assert.deepEqual(players.map(standingOf), ["unknown", "here", "absent", "left"]);
  const names = (filter, sought) => found(players, filter, sought).map(({ name }) => name);
  assert.deepEqual(names("all", " red"), ["Ann", "Bob", "Dee"]);
  assert.deepEqual(names("here", ""), ["Bob"]);
  assert.deepEqual(names("left", "x"), []);
});

test("what became of orders is told by number, and why some failed", () => {
  const texts = makeTexts(
    {
      "desk.start.order": "{what}:", "desk.start.kind.extra_time": "More time", "desk.start.failed": "table {table}: {why}",
      "desk.start.done.other": "{count} done", "desk.start.refused.one": "{count} refused",
    },
    "en",
  );
  const batch = { kind: "extra_time", given: 0, at: null, count: { done: 3, refused: 1 }, failed: [{ tray: "2", why: "no sand" }] };
  assert.equal(toldOf(batch, texts), "More time: 3 done, 1 refused. table 2: no sand");
  assert.match(toldOf({ ...batch, kind: "word_decided" }, texts), /^word_decided:/);
});

const table = {
  tray: "1", online: true, simulated: false, phase: "running", round: 1, board: 1, players: [], left_s: 5, doubtful: [],
  doubtful_words: 0, fault: "", trouble: "", behind: 0, taken: false, order: "", skew_s: 0.01, skew_error_s: 0.001,
};

test("tables that want somebody are found and counted", () => {
  const all = [table, { ...table, online: false }, { ...table, online: null }, { ...table, doubtful_words: 2 }, { ...table, trouble: "no result" }];
  const fitting = (filter) => all.map((each) => fits(each, filter));
  assert.deepEqual(fitting("attention"), [false, true, false, true, true]);
  assert.deepEqual(fitting("offline"), [false, true, true, false, false]);
  assert.deepEqual(fitting("doubtful"), [false, false, false, true, false]);
  assert.equal(badge({ tables: { tables: all } }), 3);
  assert.equal(badge({ tables: { trouble: "gone" } }), 0);
});

test("only what is out of order is noted of a table", () => {
  const texts = makeTexts({ "desk.tables.skew": "clock {seconds}", "desk.tables.behind.one": "{count} on its way", "desk.tables.doubtful_cubes.other": "{count} cubes" }, "en");
  assert.deepEqual(notesOf(table, texts), []);
  const odd = { ...table, skew_s: -0.2001, behind: 1, doubtful: [[0, 1], [2, 2]] };
  assert.deepEqual(notesOf(odd, texts), ["2 cubes", "1 on its way", "clock -0.2"]);
});
