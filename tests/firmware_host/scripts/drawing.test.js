import assert from "node:assert/strict";
import { test } from "node:test";

import { complaint, documentOf } from "./js/api.js";
import { faceMarks, hiddenCells, openCells, trailArrows, turnTimes } from "./js/board.js";
import { lowerSand, sandHeight, upperSand } from "./js/hourglass.js";
import { reasonText, signed, winnerText } from "./js/results.js";
import { IDLE_MS, mayRest } from "./js/saver.js";
import { delayBefore, streamUrl } from "./js/stream.js";
import { filled, makeTexts } from "./js/texts.js";
import { answerOf } from "./js/upload.js";

const entries = {
  "common.failed": "No.",
  "common.failed_offline": "Away.",
  "common.words.one": "{count} word",
  "common.words.other": "{count} words",
  "problem.code": "Wrong code.",
  "result.nobody": "Nobody",
  "result.winner": "{names} wins",
  "result.winners": "{names} win",
  "result.verdict.shared": "also {names}",
  "result.verdict.shared_unknown": "also others",
  "result.verdict.too_short": "too short",
};
const texts = makeTexts(entries, "en");

test("hidden cells tell no letter", () => {
  const cells = hiddenCells(2, 2, [[true, false], [false, false]], { row: 1, col: 1 });
  assert.deepEqual(cells.flat().map(({ face }) => face), [null, null, null, null]);
  assert.deepEqual(cells.flat().map(({ settled }) => settled), [true, false, false, false]);
  assert.deepEqual(cells.flat().map(({ asked }) => asked), [false, false, false, true]);
});

test("a board may be wider than it is high", () => {
  assert.deepEqual(hiddenCells(3, 4).map((row) => row.length), [4, 4, 4]);
  assert.deepEqual(openCells([["A", "Qu"]]), [[{ face: "A" }, { face: "Qu" }]]);
});

test("letters that turn into others have a line at their foot", () => {
  const foot = [..."ABMNWZUÑ"].filter((face) => faceMarks(face)["data-foot"]);
  assert.deepEqual(foot, ["M", "N", "W", "Z"]);
});

test("faces are told apart by more than their letters", () => {
  assert.deepEqual([null, "#", "_"].map((face) => faceMarks(face)["data-face"]), ["hidden", "blank", "missing"]);
  assert.equal(faceMarks("Qu")["data-wide"], "2");
});

test("a path has an arrow for each step, from cube to cube", () => {
  assert.equal(trailArrows([[0, 0]]), "");
  const steps = trailArrows([[0, 0], [0, 1], [1, 0]]);
  assert.equal(steps.split("M").length - 1, 4);
  assert.ok(steps.startsWith("M0.86 0.5L1.12 0.5"));
});

test("sand is all above at the start and all below at the end", () => {
  assert.equal(sandHeight(0), 0);
  assert.ok(sandHeight(1) > sandHeight(0.5) && sandHeight(0.5) > sandHeight(0.1));
  assert.equal(sandHeight(7), sandHeight(1));
  assert.match(upperSand(1), /^M20 28Q60 28 /);
  assert.match(lowerSand(0), /^M20 178Q60 178 /);
});

test("tries to connect grow rarer, to a bound, and are spread by chance", () => {
  const delays = [1, 2, 3, 9].map((failures) => delayBefore(failures, 1));
  assert.deepEqual(delays, [500, 1000, 2000, 8000]);
  assert.equal(delayBefore(3, 0), 1000);
});

test("the stream is as safe as its page", () => {
  assert.equal(streamUrl({ protocol: "http:", host: "a:1" }), "ws://a:1/api/stream");
  assert.equal(streamUrl({ protocol: "https:", host: "a" }, "display"), "wss://a/api/stream?as=display");
});

test("the display rests only where nobody plays", () => {
  assert.equal(mayRest("attract", IDLE_MS), true);
  assert.equal(mayRest("attract", IDLE_MS - 1), false);
  assert.equal(mayRest("running", IDLE_MS * 9), false);
});

test("numbers choose their form, and are written as the language has them", () => {
  assert.equal(texts.count("common.words", 1), "1 word");
  assert.equal(texts.count("common.words", 2000), "2,000 words");
  assert.equal(makeTexts(entries, "fr").count("common.words", 0), "0 word");
  assert.equal(makeTexts(entries, "de").number(2000), "2.000");
});

test("what is filled in is not filled in again", () => {
  const numbers = new Intl.NumberFormat("en");
  assert.equal(filled("{a} {b}", { a: "{b}", b: "x" }, numbers), "{b} x");
  assert.equal(filled("{c}", {}, numbers), "{c}");
});

test("a text that is not there is told by its name", () => {
  assert.equal(texts.say("no.such"), "no.such");
  assert.equal(texts.has("no.such"), false);
});

test("reasons are in the language of the page, and others are named", () => {
  const word = { word: "tea", points: 0, verdict: "shared", path: null, reason: "also found by Ben" };
  const result = { players: [{ name: "Ada", words: [word] }, { name: "Ben", words: [word] }] };
  assert.equal(reasonText(result, "Ada", word, texts), "also Ben");
  assert.equal(reasonText({ players: [] }, "Ada", word, texts), "also others");
  assert.equal(reasonText(result, "Ada", { ...word, verdict: "too_short" }, texts), "too short");
  assert.equal(reasonText(result, "Ada", { ...word, verdict: "new one" }, texts), "also found by Ben");
});

test("one wins, several share, or nobody does", () => {
  assert.equal(winnerText({ winners: ["Ada"] }, texts), "Ada wins");
  assert.equal(winnerText({ winners: ["Ada", "Ben"] }, texts), "Ada and Ben win");
  assert.equal(winnerText({ winners: [] }, texts), "Nobody");
});

test("points show their sign where they count", () => {
  assert.deepEqual([3, 0, -2].map((points) => signed(points, texts)), ["+3", "0", "-2"]);
});

test("a problem is told in the language of the page where it is known", () => {
  const answer = (document, status = 403) => ({ ok: false, status, document });
  assert.equal(complaint(answer({ type: "code", detail: "x" }), texts), "Wrong code.");
  assert.equal(complaint(answer({ type: "else", detail: "It broke.", advice: "Mend it." }), texts), "It broke. Mend it.");
  assert.equal(complaint(answer(null), texts), "No.");
  assert.equal(complaint(answer(null, 0), texts), "Away.");
});

test("an upload that was cut off is no answer", () => {
  assert.deepEqual(answerOf({ status: 0, response: null }), { ok: false, status: 0, document: null });
  assert.equal(answerOf({ status: 201, response: [] }).ok, true);
});

test("an answer without a body has no document, whatever it calls itself", async () => {
  const answer = (body, kind) => new Response(body, { headers: { "Content-Type": kind } });
  assert.equal(await documentOf(answer("", "application/json")), null);
  assert.equal(await documentOf(answer("<html>", "text/html")), null);
  assert.deepEqual(await documentOf(answer('{"a":1}', "application/problem+json")), { a: 1 });
});

test("a cube turns over as soon as it is read, and at the start all of them one after the other", () => {
  const [open, shut] = [{ face: "A" }, { face: null, settled: true }];
  const unread = { face: null, settled: false };
  assert.deepEqual(turnTimes(null, [[shut]], false), [[null]]);
  assert.deepEqual(turnTimes([[shut, unread, unread]], [[shut, shut, shut]], false), [[null, 0, 0]]);
  assert.deepEqual(turnTimes([[shut, shut]], [[open, open]], true), [[0, 80]]);
  assert.deepEqual(turnTimes([[shut, shut]], [[open, open]], false), [[null, null]]);
});

test("many cubes take no longer than a few", () => {
  const row = Array.from({ length: 36 }, () => ({ face: "A" }));
  const last = turnTimes([row.map(() => ({ face: null }))], [row], true).flat().at(-1);
  assert.ok(last !== null && last !== undefined && last <= 1100);
});
