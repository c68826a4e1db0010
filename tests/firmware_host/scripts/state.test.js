import assert from "node:assert/strict";
import { test } from "node:test";

import * as state from "./js/state.js";

/** A result of two players. */
const result = {
  players: [
    {
      name: "Ben",
      points: 1,
      words: [
        { word: "the", points: 0, verdict: "shared", path: [[0, 0]] },
        { word: "pet", points: 1, verdict: "scored", path: [[0, 0], [0, 1]] },
        { word: "xx", points: 0, verdict: "too_short", path: null },
      ],
    },
    {
      name: "Ada",
      points: 12,
      words: [
        { word: "the", points: 0, verdict: "shared", path: [[0, 0]] },
        { word: "quietest", points: 11, verdict: "scored", path: [[1, 1], [0, 0]] },
        { word: "hut", points: 1, verdict: "scored", path: null },
      ],
    },
  ],
  winners: ["Ada"],
  possible: { points: 90, count: 40 },
  best_missed: [
    { word: "hie", points: 1, path: [[1, 0], [0, 0], [0, 1]] },
    { word: "quid", points: 2, path: [[1, 1], [0, 0]] },
  ],
};

test("every phase of a round has a view", () => {
  const phases = "idle shaking lid_open settling by_hand reading confirming ready running paused collecting scoring finished cancelled faulted";
  const views = new Set(phases.split(" ").map((phase) => state.viewOf({ phase, result })));
  assert.deepEqual([...views].sort(), ["attract", "busy", "collecting", "fault", "hand", "paused", "question", "ready", "result", "running"]);
});

test("a round that ended without a result shows the welcome", () => {
  assert.equal(state.viewOf({ phase: "finished", result: null }), "attract");
});

test("a player writes while the sand runs, unless they write on paper", () => {
  const you = { name: "Ada", handed_in: false };
  const round = { phase: "running", result: null, players: [{ name: "Ada", on_paper: false }] };
  assert.equal(state.playViewOf(round, you, false), "write");
  const paper = { ...round, players: [{ name: "Ada", on_paper: true }] };
  assert.equal(state.playViewOf(paper, you, false), "wait");
});

test("a list that is on its way counts as handed in on its own page", () => {
  const round = { phase: "collecting", result: null, players: [] };
  assert.equal(state.playViewOf(round, { name: "Ada", handed_in: false }, false), "collect");
  assert.equal(state.playViewOf(round, { name: "Ada", handed_in: false }, true), "done");
  assert.equal(state.playViewOf(round, { name: "Ada", handed_in: true }, false), "done");
});

test("whom nobody knows is gone", () => {
  assert.equal(state.playViewOf({ phase: "idle", result: null, players: [] }, null, false), "gone");
});

test("only the display and the referee press", () => {
  assert.deepEqual(["display", "referee", "owner", "player", ""].map(state.mayPress), [true, true, true, false, false]);
});

test("sand that runs is counted on from when it was told", () => {
  const timer = { left_s: 100, running: true, total_s: 180 };
  assert.equal(state.secondsLeft(timer, 1000, 3500), 97.5);
  assert.equal(state.secondsLeft(timer, 1000, 999_000), 0);
  assert.equal(state.secondsLeft(timer, 1000, 900), 100);
});

test("sand that stands, stands", () => {
  assert.equal(state.secondsLeft({ left_s: 61, running: false, total_s: 180 }, 0, 9000), 61);
  assert.equal(state.secondsLeft({ left_s: null, running: false, total_s: 180 }, 0, 9000), null);
});

test("a clock shows the second that runs", () => {
  assert.deepEqual([180, 179.2, 60, 59.01, 0.4, 0, null].map(state.clockText), ["3:00", "3:00", "1:00", "1:00", "0:01", "0:00", "–:––"]);
});

test("a warning falls once", () => {
  assert.equal(state.warningBetween(60.1, 60), "minute");
  assert.equal(state.warningBetween(60, 59.9), null);
  assert.equal(state.warningBetween(10.05, 9.9), "ten");
  assert.equal(state.warningBetween(0.1, 0), "over");
  assert.equal(state.warningBetween(null, 9), null);
});

test("of several warnings at once the last one counts", () => {
  assert.equal(state.warningBetween(70, 5), "ten");
});

test("more time makes warnings fall again", () => {
  assert.equal(state.warningBetween(5, 35), null);
  assert.equal(state.warningBetween(35, 30), "half");
});

test("cells that are read are counted", () => {
  assert.deepEqual(state.readSoFar([[true, false], [true, true]]), { count: 3, total: 4 });
  assert.deepEqual(state.readSoFar(null), { count: 0, total: 0 });
});

test("lists on paper and those that are in are not awaited", () => {
  const players = [
    { name: "Ada", handed_in: true, on_paper: false },
    { name: "Ben", handed_in: false, on_paper: true },
    { name: "Cleo", handed_in: false, on_paper: false },
  ];
  assert.deepEqual(state.awaited({ players }), ["Cleo"]);
});

test("a shared word names the others who wrote it", () => {
  assert.deepEqual(state.alsoFoundBy(result, "Ada", "the"), ["Ben"]);
  assert.deepEqual(state.alsoFoundBy(result, "Ada", "pet"), []);
});

test("a word that several wrote was found once", () => {
  assert.deepEqual(state.foundOf(result), { found: 4, possible: 40 });
});

test("words through a cell are those whose paths go there", () => {
  assert.deepEqual(state.through(result.best_missed, [1, 1]).map(({ word }) => word), ["quid"]);
  assert.deepEqual(state.through(result.best_missed, null), result.best_missed);
  assert.deepEqual(state.through([{ path: null }], [0, 0]), []);
});

test("standings begin with the most points, and equal points are an equal place", () => {
  assert.deepEqual(state.standings(result).map(({ name }) => name), ["Ada", "Ben"]);
  assert.equal(state.placeOf(result, "Ben"), 2);
  const even = { players: [{ name: "A", points: 3 }, { name: "B", points: 3 }, { name: "C", points: 1 }] };
  assert.deepEqual(["A", "B", "C"].map((name) => state.placeOf(even, name)), [1, 1, 3]);
});

test("the tour shows what scored and has a path, the best last", () => {
  assert.deepEqual(state.tour(result).map(({ judged }) => judged.word), ["pet", "quietest"]);
});

test("the form of a word is checked", () => {
  const problem = (text, own = []) => state.formProblem(text, 3, own);
  assert.equal(problem("  "), "empty");
  assert.equal(problem("two words"), "letters");
  assert.equal(problem("a1b"), "letters");
  assert.equal(problem("to"), "short");
  assert.equal(problem("a".repeat(65)), "long");
  assert.equal(problem("Quiet", ["quiet"]), "again");
  assert.equal(problem("été"), null);
  assert.equal(problem("e\u0301te\u0301", ["été"]), "again");
  assert.equal(problem("d’être"), null);
  assert.equal(problem("-abc"), "letters");
});

test("an accent is one letter however it is typed", () => {
  assert.equal(state.formProblem("e\u0301a", 3, []), "short");
});

test("a round is named by its game, and by its number where it has one", () => {
  const texts = { say: (/** @type {string} */ key, /** @type {object} */ values) => `${key} ${JSON.stringify(values)}` };
  const game = { title: "Boggle" };
  assert.equal(state.roundTitle({ game, number: 0 }, texts), "Boggle");
  assert.equal(state.roundTitle({ game, number: 3 }, texts), 'Boggle · common.round {"number":3}');
});

test("who waits for long is told what for, and at once where something failed", () => {
  assert.equal(state.slowKey({ phase: "settling", waits_for: null }, 4900), "");
  assert.equal(state.slowKey({ phase: "settling", waits_for: null }, 5100), "display.slow.settling");
  assert.equal(state.slowKey({ phase: "reading", waits_for: { message: "camera: dark", advice: "" } }, 100), "display.slow.reading");
  assert.equal(state.slowKey({ phase: "running", waits_for: null }, 9000), "");
  assert.equal(state.slowKey({ phase: "settling", waits_for: null }, 9000, true), "display.slow.back");
  assert.equal(state.slowKey({ phase: "running", waits_for: null }, 9000, true), "");
});
