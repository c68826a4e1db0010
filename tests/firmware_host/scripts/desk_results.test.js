import assert from "node:assert/strict";
import { test } from "node:test";

import { leftOf, othersAt } from "./js/desk_challenges.js";
import { differences } from "./js/desk_changes.js";
import { aboutOf } from "./js/desk_log.js";
import { tablesText } from "./js/desk_notices.js";
import { criteriaOf } from "./js/desk_standings.js";
import { changedLists, pointsOf } from "./js/desk_table_result.js";
import { noticeOf, noticeText } from "./js/notice.js";
import { makeTexts } from "./js/texts.js";

const texts = makeTexts(
  {
    "hall.now": "{text}: now",
    "hall.in": "{text} in {time}",
    "desk.notices.at_tables": "{done} of {given}.",
    "desk.notices.behind": "Not yet: {tables}.",
    "desk.log.about.round": "round {value}",
    "desk.log.about.player": "{value}",
    "desk.log.about.of": "of {value}",
    "desk.log.about.entry": "entry {value}",
    "desk.log.about.table": "table {value}",
  },
  "en",
);

test("what the station announces counts down by the clock of the page", () => {
  assert.equal(noticeOf(null, 100), null);
  assert.equal(noticeOf(undefined, 100), null);
  assert.deepEqual(noticeOf({ text: "Lunch", left_s: null }, 100), { text: "Lunch", until: null });
  const notice = noticeOf({ text: "Round 2", left_s: 65 }, 100);
  assert.equal(noticeText(notice, 100, texts), "Round 2 in 1:05");
  assert.equal(noticeText(notice, 165, texts), "Round 2: now");
  assert.equal(noticeText(notice, 999, texts), "Round 2: now");
});

test("tables that do not show it yet are named, a dozen at most", () => {
  assert.equal(tablesText(null, texts), "");
  assert.equal(tablesText({ given: 2, done: 2, behind: [] }, texts), "2 of 2.");
  const behind = Array.from({ length: 20 }, (_, place) => String(place + 1));
  assert.match(tablesText({ given: 20, done: 0, behind }, texts), /^0 of 20. Not yet: 1, 2, .*12, …\.$/);
});

test("a challenge has the time of the desk's clock, and stops at nothing", () => {
  const challenge = { begun: 100, seconds: 60 };
  assert.deepEqual([90, 100, 130, 160, 999].map((now) => leftOf(challenge, now)), [60, 60, 30, 0, 0]);
});

test("the others at the table may challenge", () => {
  const tables = [["ann", "bob"], ["cy", "dee", "eve"]];
  assert.deepEqual(othersAt(tables, "dee"), ["cy", "eve"]);
  assert.deepEqual(othersAt(tables, "fay"), []);
});

test("only what differs is told of a change", () => {
  const change = { before: { rank: 2, points: 5, wins: 1, long_words: [4] }, after: { rank: 1, points: 5, wins: 2, long_words: [5] } };
  const found = differences(change, ["wins", "points", "long_words"], texts);
  assert.deepEqual(found, [
    { name: "rank", before: "2", after: "1" },
    { name: "wins", before: "1", after: "2" },
  ]);
  assert.equal(differences({ before: null, after: change.after }, ["points"], texts)[1].before, "–");
});

test("the criteria of standings are in the order in which they decide", () => {
  assert.deepEqual(criteriaOf({ rank: 1, name: "a", wins: 1, spread: 2, long_words: [], by_round: [] }), ["wins", "spread"]);
  assert.deepEqual(criteriaOf(undefined), []);
});

test("lists that nobody has changed are not entered again, an empty one is a list", () => {
  const players = [
    { name: "ann", lines: ["toe", "hey"] },
    { name: "bob", lines: ["yeti"] },
    { name: "cy", lines: null },
  ];
  const typed = { ann: " toe\n\nhey ", bob: "", cy: "" };
  assert.deepEqual(changedLists(players, typed), { bob: [], cy: [] });
});

test("points are whole numbers of everybody", () => {
  const players = [{ name: "ann" }, { name: "bob" }];
  assert.deepEqual(pointsOf(players, { ann: "12", bob: "−3" }), { ann: 12, bob: -3 });
  for (const bob of ["", "x", "1.5", undefined]) assert.equal(pointsOf(players, { ann: "12", bob }), null);
});

test("an entry tells what it is about", () => {
  const entry = { type: "adjust", about: { round: 2, player: "ann", table: 0 }, players: [] };
  assert.equal(aboutOf(entry, texts), "round 2 · ann");
  assert.equal(aboutOf({ type: "undo", about: { of: 7 }, players: [] }, texts), "entry 7");
  assert.equal(aboutOf({ type: "lists", about: { table: 3 }, players: ["ann", "bob"] }, texts), "table 3 · ann, bob");
});
