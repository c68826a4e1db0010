// What a phone keeps of its player's own list.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ownOf } from "./js/own_list.js";

const line = (id, state) => ({ id, text: `${id}${id}${id}`, state, why: "" });
const you = { name: "Ada", words: [], handed_in: false };
const lines = [line("d", "waiting"), line("c", "late"), line("b", "refused"), line("a", "sent")];

test("the words that the service has are kept, in their order, and whose they are", () => {
  assert.deepEqual(ownOf({ round: { number: 3, result: null }, you }, lines), {
    round: 3,
    name: "Ada",
    words: [
      { id: "a", text: "aaa", late: false },
      { id: "c", text: "ccc", late: true },
    ],
  });
});

test("of a round that is over the seat alone is kept, and of nobody nothing", () => {
  assert.deepEqual(ownOf({ round: { number: 3, result: {} }, you }, lines)?.words, []);
  assert.equal(ownOf({ round: { number: 3, result: null }, you: null }, lines), null);
});
