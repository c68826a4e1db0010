// What the display shows between rounds.

import assert from "node:assert/strict";
import { test } from "node:test";

import { creditText, verdictOf } from "./js/screens.js";
import { nextScreen, screenOf } from "./js/state.js";
import { makeTexts } from "./js/texts.js";

test("a screen is shown between rounds and ends with the next one", () => {
  assert.equal(screenOf("attract", "stats"), "stats");
  assert.equal(screenOf("result", "fairness"), "fairness");
  assert.equal(screenOf("running", "stats"), "");
});

test("arrows go round the screens, Escape to the table, other keys nowhere", () => {
  assert.equal(nextScreen("", "ArrowRight"), "stats");
  assert.equal(nextScreen("", "ArrowLeft"), "fairness");
  assert.equal(nextScreen("fairness", "ArrowRight"), "");
  assert.equal(nextScreen("stats", "Escape"), "");
  assert.equal(nextScreen("stats", "s"), null);
});

test("a test without shakes enough is open, whatever it shows", () => {
  assert.equal(verdictOf({ unfair: true, enough: false }), "bad");
  assert.equal(verdictOf({ unfair: false, enough: true }), "ok");
  assert.equal(verdictOf({ unfair: false, enough: false }), "open");
});

test("a word that nobody found is none", () => {
  const texts = makeTexts({ "stats.by": "{word} by {name} in {number}", "stats.nothing": "none" }, "en");
  assert.equal(creditText(null, texts), "none");
  assert.equal(creditText({ word: "tea", points: 1, name: "Ada", number: 3 }, texts), "tea by Ada in 3");
});
