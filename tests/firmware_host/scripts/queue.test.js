import assert from "node:assert/strict";
import { test } from "node:test";

import { makeId } from "./js/ids.js";
import { added, lines, makeQueue, outcomeOf, requestOf, sorted } from "./js/queue.js";

const word = (id, text, more = {}) => ({ kind: "word", id, text, round: 1, player: "Ada", written_at: 5, ...more });
const erase = (id) => word(id, "", { kind: "erase" });
const list = (id) => word(id, "", { kind: "list" });
const OK = { ok: true, status: 200, document: null };
const AWAY = { ok: false, status: 0, document: null };
const NO = { ok: false, status: 409, document: null };

/** A store that outlives its queue. */
function memory(kept = {}) {
  return { kept, getItem: (key) => kept[key] ?? null, setItem: (key, value) => (kept[key] = value) };
}

/** A queue whose service answers as it is told, and what went to it. */
function bench(store = memory()) {
  const sent = [];
  const delays = [];
  const told = { answer: OK, strangers: 0, refusals: [] };
  const again = [];
  const queue = makeQueue({
    store,
    send: async (entry) => {
      sent.push(`${entry.kind} ${entry.text || entry.id}`);
      return typeof told.answer === "function" ? told.answer(entry) : told.answer;
    },
    onChange: () => {},
    onRefusal: (text) => told.refusals.push(text),
    onStranger: () => (told.strangers += 1),
    why: () => "because",
    later: (action, delay) => {
      delays.push(delay);
      again.push(action);
    },
  });
  const rest = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { queue, sent, delays, told, again, store, rest };
}

test("answers mean done, later, refused or a stranger", () => {
  const outcome = (status, entry = word("a", "tea")) => outcomeOf(entry, { ok: status >= 200 && status < 300, status });
  assert.deepEqual([200, 201, 204].map((status) => outcome(status)), ["done", "done", "done"]);
  assert.deepEqual([0, 429, 500, 503].map((status) => outcome(status)), ["later", "later", "later", "later"]);
  assert.deepEqual([403, 409, 422].map((status) => outcome(status)), ["refused", "refused", "refused"]);
  assert.equal(outcome(401), "stranger");
  assert.equal(outcome(404, erase("a")), "done");
  assert.equal(outcome(404), "refused");
});

test("what a pause refuses is kept and sent when the sand runs again", async () => {
  const { queue, told, sent, again, rest } = bench();
  told.answer = { ok: false, status: 409, document: { type: "paused" } };
  queue.belong(1, "Ada");
  queue.add(word("a", "tea"));
  await rest();
  assert.equal(queue.lines([])[0].state, "waiting");
  told.answer = OK;
  again.forEach((action) => action());
  await rest();
  assert.deepEqual(sent, ["word tea", "word tea"]);
  assert.equal(queue.lines([])[0].state, "sent");
});

test("each kind of entry has its request", () => {
  assert.deepEqual(requestOf(word("a b", "tea")), { method: "POST", path: "/api/words", body: { id: "a b", text: "tea", written_at: 5 } });
  assert.deepEqual(requestOf(erase("a b")), { method: "DELETE", path: "/api/words/a%20b" });
  assert.deepEqual(requestOf(list("c")), { method: "POST", path: "/api/list", body: { id: "c" } });
});

test("a word that never went is erased by not sending it", () => {
  assert.deepEqual(added([word("a", "tea")], erase("a"), null), []);
  assert.deepEqual(added([word("a", "tea")], erase("a"), "a").length, 2);
  assert.deepEqual(added([], erase("a"), null), [erase("a")]);
});

test("entries of another round or player are late", () => {
  const entries = [word("a", "tea"), word("b", "eat", { round: 2 }), word("c", "ate", { player: "Ben" })];
  const { fitting, late } = sorted(entries, 1, "Ada");
  assert.deepEqual([fitting.map(({ id }) => id), late.map(({ id }) => id)], [["a"], ["b", "c"]]);
});

test("a list shows what is known, taken, waiting and refused, and nothing twice", () => {
  const shown = lines(
    [{ id: "a", text: "tea" }, { id: "z", text: "zoo", late: true }],
    [word("a", "tea"), word("b", "eat"), erase("z")],
    [{ id: "a", text: "tea" }, { id: "c", text: "ate" }],
    [{ id: "d", text: "a1", why: "because" }],
  );
  assert.deepEqual(shown.map(({ text, state }) => `${text} ${state}`), ["a1 refused", "eat waiting", "ate sent", "tea sent"]);
});

test("nothing is sent before the round is known", async () => {
  const { queue, sent, rest } = bench();
  queue.add(word("a", "tea"));
  await rest();
  assert.deepEqual(sent, []);
  queue.belong(1, "Ada");
  await rest();
  assert.deepEqual(sent, ["word tea"]);
});

test("entries go one by one, in order, each once", async () => {
  const { queue, sent, rest } = bench();
  queue.belong(1, "Ada");
  for (const text of ["tea", "eat", "ate"]) queue.add(word(text, text));
  queue.flush();
  queue.flush();
  await rest();
  await rest();
  assert.deepEqual(sent, ["word tea", "word eat", "word ate"]);
  assert.equal(queue.held, 0);
});

test("without a connection entries wait, longer each time, and go when it is back", async () => {
  const { queue, sent, told, delays, again, rest } = bench();
  told.answer = AWAY;
  queue.belong(1, "Ada");
  queue.add(word("a", "tea"));
  await rest();
  assert.equal(queue.held, 1);
  again.pop()();
  await rest();
  assert.ok(delays[1] > delays[0]);
  told.answer = OK;
  queue.flush();
  await rest();
  assert.equal(queue.held, 0);
  assert.deepEqual(sent, ["word tea", "word tea", "word tea"]);
});

test("what was not sent outlives the page", async () => {
  const store = memory();
  const before = bench(store);
  before.told.answer = AWAY;
  before.queue.belong(1, "Ada");
  before.queue.add(word("a", "tea"));
  await before.rest();
  const after = bench(store);
  after.queue.belong(1, "Ada");
  await after.rest();
  assert.deepEqual(after.sent, ["word tea"]);
  assert.equal(store.kept["wordtray.queue"], "[]");
});

test("what belongs to a round before is told and not sent", async () => {
  const store = memory();
  const before = bench(store);
  before.queue.add(word("a", "tea"));
  const after = bench(store);
  assert.deepEqual(after.queue.belong(2, "Ada").map(({ text }) => text), ["tea"]);
  await after.rest();
  assert.deepEqual(after.sent, []);
});

test("a refused word stays to be seen, until it is wiped away", async () => {
  const { queue, told, rest } = bench();
  told.answer = NO;
  queue.belong(1, "Ada");
  queue.add(word("a", "tea"));
  await rest();
  assert.deepEqual(queue.lines([]), [{ id: "a", text: "tea", state: "refused", why: "because" }]);
  queue.forget("a");
  assert.deepEqual(queue.lines([]), []);
});

test("a list that is refused is not on its way any more, and that is told", async () => {
  const { queue, told, rest } = bench();
  told.answer = NO;
  queue.belong(1, "Ada");
  queue.add(list("l"));
  assert.equal(queue.handingIn, true);
  await rest();
  assert.equal(queue.handingIn, false);
  assert.deepEqual(told.refusals, ["because"]);
});

test("a word that is on its way when it is erased is erased behind it", async () => {
  const { queue, sent, told, rest } = bench();
  let answer = () => {};
  told.answer = () => new Promise((resolve) => (answer = resolve));
  queue.belong(1, "Ada");
  queue.add(word("a", "tea"));
  await rest();
  queue.add(erase("a"));
  assert.deepEqual(queue.lines([]), []);
  told.answer = OK;
  answer(OK);
  await rest();
  assert.deepEqual(sent, ["word tea", "erase a"]);
  assert.deepEqual(queue.lines([]), []);
});

test("a stranger sends nothing more, and loses nothing", async () => {
  const { queue, sent, told, store, rest } = bench();
  told.answer = { ok: false, status: 401, document: null };
  queue.belong(1, "Ada");
  queue.add(word("a", "tea"));
  queue.add(word("b", "eat"));
  await rest();
  queue.flush();
  await rest();
  assert.deepEqual(sent, ["word tea"]);
  assert.equal(told.strangers, 1);
  assert.equal(JSON.parse(store.kept["wordtray.queue"]).length, 2);
});

test("a store that is damaged or forbidden costs nothing but what it would keep", async () => {
  const broken = bench({ getItem: () => "{no json", setItem: () => assert.fail("forbidden") });
  broken.queue.belong(1, "Ada");
  broken.queue.add(word("a", "tea"));
  await broken.rest();
  assert.deepEqual(broken.sent, ["word tea"]);
});

test("ids are made without TLS, too, and are such as the service takes", () => {
  const plain = { getRandomValues: (bytes) => crypto.getRandomValues(bytes) };
  const ids = new Set(Array.from({ length: 100 }, () => makeId(plain)));
  assert.equal(ids.size, 100);
  for (const id of [...ids, makeId()]) assert.match(id, /^[A-Za-z0-9_-]{1,64}$/);
});
