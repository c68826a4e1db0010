// Columns of a result, and the leaves that show them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { firstColumn, leafCount, leafOf } from "./js/leaves.js";

test("a leaf shows as many columns as there is room for, and the last one no fewer", () => {
  const known = { columns: 2, total: 5 };
  assert.equal(leafCount(known), 3);
  assert.deepEqual([0, 1, 2].map((leaf) => firstColumn(leaf, known)), [0, 2, 3]);
  assert.deepEqual([0, 1, 2, 3, 4].map((column) => leafOf(column, known)), [0, 0, 1, 1, 2]);
});

test("what fits is one leaf", () => {
  assert.equal(leafCount({ columns: 3, total: 2 }), 1);
  assert.equal(firstColumn(0, { columns: 3, total: 2 }), 0);
  assert.equal(leafCount({ columns: 2, total: 0 }), 1);
});
