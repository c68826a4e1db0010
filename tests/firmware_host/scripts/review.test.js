import assert from "node:assert/strict";
import { test } from "node:test";

import { badge, fateOf, isUndoable } from "./js/desk_review.js";
import { answerOf, spoken, titleOf } from "./js/desk_review_card.js";

const texts = { say: (key, values) => [key, ...Object.values(values ?? {})].join(" ") };
const said = (outcome, why = "") => ({ text: "tee", struck: false, by: "Bo", at: 0, outcome, why });

test("a typed answer is a face for a cube, a word for a word, or nothing", () => {
  assert.deepEqual(["n", "QU", " # ", "_", "Quie", "1", ""].map((typed) => answerOf("cell", typed)), ["N", "Qu", "#", "_", null, null, null]);
  assert.deepEqual(["Quiet", "ÉTÉ", "o'clock", "two words", "<b>", ""].map((typed) => answerOf("word", typed)), ["quiet", "été", "o'clock", null, null, null]);
});

test("a question is named by its table and place, and by its tray where it has no table", () => {
  const where = { kind: "cell", tray: "7", table: 3, player: "", place: [0, 2] };
  assert.equal(titleOf(where, texts), "desk.review.cell 3 1 3");
  assert.equal(titleOf({ ...where, table: null }, texts), "desk.review.cell 7 1 3");
  assert.equal(titleOf({ ...where, kind: "word", player: "ann" }, texts), "desk.review.word_of 3 ann");
  assert.equal(titleOf({ ...where, kind: "word" }, texts), "desk.review.word 3");
});

test("what was said is spoken: a blank has a name, crossed out is told", () => {
  assert.equal(spoken({ text: "#", struck: false }, texts), "board.blank");
  assert.equal(spoken({ text: "tee", struck: true }, texts), "tee, referee.doubts.struck");
  assert.equal(spoken({ text: "", struck: true }, texts), "referee.doubts.struck");
});

test("what became of a decision is told, and what its table has can be taken back once", () => {
  const fates = [
    [said(null), null, "desk.review.on_way", false],
    [said("planned"), null, "desk.review.on_way", false],
    [said("done"), null, "", true],
    [said("refused", "why"), null, "desk.review.refused why", false],
    [said("done"), "", "desk.review.undoing", false],
    [said("done"), "done", "desk.review.undone", false],
    [said("done"), "refused", "desk.review.undo_refused late", true],
  ];
  for (const [one, undo, fate, undoable] of fates) {
    assert.equal(fateOf({ said: one, undo, undo_why: "late" }, texts), fate);
    assert.equal(isUndoable({ said: one, undo }), undoable);
  }
});

test("the tab counts what is open, and nothing without a station", () => {
  assert.equal(badge({ review: { open: 4 } }), 4);
  assert.equal(badge({ review: { trouble: "gone" } }), 0);
});
