// What is said of the words of a result.

import assert from "node:assert/strict";
import { test } from "node:test";

import { makeTexts } from "./js/texts.js";
import { dots, meaningText } from "./js/words.js";

const texts = makeTexts({ "words.pos.noun": "noun", "words.form_of": "form of {base}" }, "en");

test("a scale has five dots, whatever the level", () => {
  assert.equal(dots(1), "●○○○○");
  assert.equal(dots(5), "●●●●●");
});

test("a form names what it is a form of", () => {
  assert.equal(meaningText({ part: "noun", base: "tea", gloss: "" }, "teas", texts), "noun, form of tea");
  assert.equal(meaningText({ part: "noun", base: "tea", gloss: "" }, "tea", texts), "noun");
});
