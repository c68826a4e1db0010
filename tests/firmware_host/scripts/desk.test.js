import assert from "node:assert/strict";
import { test } from "node:test";

import { limitsOf, sectionsOf } from "./js/maintenance_keys.js";
import { groundOf, lackOf } from "./js/referee_challenges.js";
import { stillMeant } from "./js/referee_correct.js";
import { localeOf, oneAtATime, whoOf } from "./js/referee_desk.js";
import { doubtsOf } from "./js/referee_doubts.js";
import { worstFirst } from "./js/referee_findings.js";
import { mayAllow, mayStrike } from "./js/referee_lists.js";
import { detailOf, filtered, kindOf, together } from "./js/referee_log.js";
import { deviceFindings } from "./js/referee_machine.js";
import { offersOf, openWords } from "./js/referee_service.js";
import { actsOf, faceOf, isFace, moved, partBeside, readingsOf, waitLeft, wishOf, wordsIn } from "./js/referee_state.js";

const texts = { say: (key) => key };
const names = (round) => actsOf({ unhurried: false, offered: "", ...round }).map(({ name }) => name);
const asked = (round) => actsOf({ unhurried: false, offered: "", ...round }).filter(({ asks }) => asks).map(({ name }) => name);

test("a round offers what it can take, what it waits for first", () => {
  assert.deepEqual(names({ phase: "running" }), ["pause", "extra-time", "reroll", "cancel"]);
  assert.deepEqual(names({ phase: "running", offered: "done" })[2], "hold");
  assert.deepEqual(names({ phase: "running", unhurried: true }), ["pause", "last_chance", "agree", "reroll", "cancel"]);
  assert.deepEqual(names({ phase: "collecting" }), ["close_lists", "cancel"]);
  assert.deepEqual(names({ phase: "shaking" }), ["cancel"]);
  assert.deepEqual(names({ phase: "faulted" }), ["press"]);
});

test("whatever loses something asks once, and nothing else does", () => {
  assert.deepEqual(asked({ phase: "running" }), ["reroll", "cancel"]);
  assert.deepEqual(asked({ phase: "collecting" }), ["close_lists", "cancel"]);
  assert.deepEqual(asked({ phase: "idle" }), []);
});

test("a next round ends what can be settled", () => {
  assert.equal(actsOf({ phase: "finished", unhurried: false, offered: "" })[0].ends, true);
});

test("digits choose among the readings before the ways out, nine at most", () => {
  assert.deepEqual(readingsOf({ offers: ["N", "Z", "reroll", "cancel", "A"] }), ["N", "Z"]);
  assert.deepEqual(readingsOf({ offers: ["reroll", "cancel"] }), []);
  assert.equal(readingsOf({ offers: [..."ABCDEFGHIJKL", "reroll"] }).length, 9);
});

test("a face is a capital with small letters behind it", () => {
  assert.deepEqual(["n", "QU", "tH", " ñ ", "#", "_"].map(faceOf), ["N", "Qu", "Th", "Ñ", "#", "_"]);
  assert.deepEqual(["N", "Qu", "Ñ", "#", "_"].map(isFace), [true, true, true, true, true]);
  assert.deepEqual(["", "Abcd", "5", "#a"].map(isFace), [false, false, false, false]);
});

const wish = (key, part = "doubts", more = {}, onButton = false) => wishOf({ key, ...more }, { part, onButton });

test("keys mean something where nothing is typed", () => {
  assert.deepEqual(wish("3"), { does: "choose", value: 2 });
  assert.deepEqual(wish("q"), { does: "type", value: "q" });
  assert.deepEqual(wish("Enter"), { does: "take" });
  assert.deepEqual(wish("-"), { does: "strike" });
  assert.deepEqual(wish("ArrowDown"), { does: "move", value: 1 });
  assert.deepEqual(wish("ArrowLeft"), { does: "part", value: -1 });
  assert.deepEqual(wish("?"), { does: "help" });
  assert.deepEqual(wish("z", "log", { ctrlKey: true }), { does: "undo" });
});

test("keys of the browser stay the browser's", () => {
  assert.equal(wish("r", "doubts", { ctrlKey: true }), null);
  assert.equal(wish("1", "doubts", { altKey: true }), null);
  assert.equal(wish("F5"), null);
  assert.equal(wish("Tab"), null);
  assert.equal(wish("Enter", "doubts", {}, true), null);
  assert.equal(wish(" ", "doubts", {}, true), null);
});

test("letters settle nothing outside of what is doubtful", () => {
  assert.equal(wish("a", "log"), null);
  assert.equal(wish("1", "table"), null);
  assert.deepEqual(wish("-", "lists"), { does: "strike" });
  assert.deepEqual(wish("c", "lists"), { does: "challenge" });
});

test("tabs go round, choices stop at their ends", () => {
  assert.equal(partBeside("table", -1, ["table", "log"]), "log");
  assert.equal(partBeside("log", 1, ["table", "log"]), "table");
  assert.deepEqual([moved(0, -1, 3), moved(2, 1, 3), moved(0, 1, 3), moved(4, 0, 2)], [0, 2, 1, 1]);
});

test("a wait is never told too short", () => {
  assert.deepEqual([waitLeft(5000, 1000), waitLeft(1001, 1000), waitLeft(1000, 2000)], [4, 1, 0]);
});

const read = (id, confidence, more = {}) => ({
  id, player: "ada", text: "quiet", confidence, alternatives: [], struck: false, doubtful: true, said: null,
  crop_url: `/api/review/${id}.png`, ...more,
});

test("only what is doubtful and unsaid is asked, the least sure first, cubes before words", () => {
  const words = openWords([read("0-0", 0.7), read("0-1", 0.2), read("0-2", 0.1, { said: {} }), read("0-3", 1, { doubtful: false })]);
  const question = { row: 1, col: 2, offers: ["N", "Z", "reroll"], shown: 0, number: 1, of: 1 };
  assert.deepEqual(doubtsOf(question, words).map(({ key }) => key), ["cell 1 2", "word 0-1", "word 0-0"]);
  assert.deepEqual(doubtsOf(null, words).map(({ key }) => key), ["word 0-1", "word 0-0"]);
});

test("three readings are offered, each once, crossed out first where it looks so", () => {
  const alternatives = ["quiet", "quilt", "quit", "quite"].map((text, place) => ({ text, probability: 0.5 - place / 10 }));
  const offers = offersOf({ text: "quiet", alternatives, struck: false });
  assert.deepEqual(offers.map(({ text }) => text), ["quiet", "quilt", "quit"]);
  assert.equal(offers[1].share, 0.4);
  assert.deepEqual(offersOf({ text: "", alternatives: [], struck: false }), []);
  assert.deepEqual(offersOf({ text: "quiet", alternatives: [], struck: true }).map(({ struck }) => struck), [true, false]);
});

test("the words of a challenge are each there once", () => {
  assert.deepEqual(wordsIn(" Quiet, qi\nquiet;  "), ["quiet", "qi"]);
  assert.deepEqual(wordsIn(" "), []);
});

test("a set is judged when the other side has confirmed its words", () => {
  assert.equal(lackOf([], "set", true), "words");
  assert.equal(lackOf(["qi"], "set", false), "agreed");
  assert.equal(lackOf(["qi"], "set", true), null);
  assert.equal(lackOf(["qi"], "each", false), null);
});

test("a word is told why it is no good", () => {
  const told = { word: "qi", good: false, in_lexicon: true, on_board: true };
  assert.equal(groundOf({ ...told, good: true }), "holds");
  assert.equal(groundOf({ ...told, in_lexicon: false, on_board: false }), "unknown");
  assert.equal(groundOf({ ...told, on_board: false }), "not_on_board");
  assert.equal(groundOf({ ...told, on_board: null }), "too_short");
});

test("nothing makes up for the board", () => {
  const may = (verdict) => [mayStrike({ verdict }), mayAllow({ verdict })];
  assert.deepEqual(may("scored"), [true, false]);
  assert.deepEqual(may("struck"), [false, true]);
  assert.deepEqual(may("not_in_lexicon"), [false, true]);
  assert.deepEqual(may("not_on_board"), [false, false]);
});

const entry = (seq, kind, who, data) => ({ seq, at: seq, round: 1, kind, who, data });

test("an entry tells what it holds in the words of the page, and no key of a session", () => {
  const own = { say: (key, { value } = {}) => `${key.split(".").at(-1)}:${value ?? ""}`, number: String, has: (key) => !key.endsWith("text") };
  const told = (kind, data) => detailOf(entry(1, kind, "", data), own);
  assert.equal(told("player_joined", { player: "ada", key: "5f3a", on_paper: true }), "on_paper:true");
  assert.equal(told("word_ruled", { ruling: "struck", word: "qi", by: "referee", at: 3 }), "word:qi, ruling:struck:");
  assert.equal(told("extra_time", { seconds: 30, at: 3 }), "seconds:30");
  assert.equal(told("scan_settled", { scan: 0, word: 1, text: "hey", struck: false }), "hey");
  assert.equal(told("cell_corrected", { cell: [0, 2], was: "N", face: "Z", why: "worn" }), "cell:place:, was:N, face:Z, why:worn");
  assert.equal(told("challenge_judged", { words: ["qi", "xu"], each: true, good: false, bad: ["xu"] }), "words:qi xu, each:true, bad:xu");
  assert.equal(told("tray_read", null), "");
  const undone = { kind: "crossed_out", word: "hey", player: "ada" };
  const telling = { ...own, say: (key, values) => `${key.split(".").at(-1)} ${Object.values(values).join(" ")}` };
  assert.equal(detailOf({ ...entry(2, "decision_undone", "referee", { at: 3 }), undone }, telling), "on_list crossed_out hey ada");
  const fault = { message: "camera: dark", advice: "Look.", said: null, advised: null };
  assert.equal(detailOf({ ...entry(1, "device_failed", "", {}), fault }, { ...own, language: "de" }), "camera: dark");
});

test("the log is found by who, what and its words", () => {
  const entries = [entry(3, "word_written", "ada", { text: "quiet" }), entry(2, "tray_read", "", {}), entry(1, "player_joined", "ben", {})];
  const said = ({ who, kind, data }) => `${who} ${kind} ${data.text ?? ""}`;
  const found = (wanted, people = false) => filtered(entries, wanted, people, said).map(({ seq }) => seq);
  assert.deepEqual(found(""), [3, 2, 1]);
  assert.deepEqual(found("", true), [3, 1]);
  assert.deepEqual(found("ADA"), [3]);
  assert.deepEqual(found("quiet"), [3]);
  assert.deepEqual(found("joined"), [1]);
});

test("pages of the log are put together, each entry once, the newest first", () => {
  const page = (...numbers) => numbers.map((seq) => entry(seq, "tick", "", {}));
  assert.deepEqual(together(page(4, 3), page(2, 3, 5)).map(({ seq }) => seq), [5, 4, 3, 2]);
});

test("the device that a fault names is at fault", () => {
  const devices = [{ name: "shaker", simulated: true }, { name: "lid", simulated: false }];
  const own = { ...texts, has: (key) => key === "fault.device.sand_timer" };
  assert.equal(deviceFindings({ devices: [{ name: "sand_timer", simulated: false }], doing: "", fault: null }, own)[0].subject, "fault.device.sand_timer");
  const grades = (fault) => deviceFindings({ devices, doing: "", fault }, { ...texts, has: () => false }).map(({ subject, grade }) => `${subject} ${grade}`);
  assert.deepEqual(grades(null), ["shaker simulated", "lid ok"]);
  assert.deepEqual(grades({ message: "shaker: it is stuck", advice: "Look." }), ["shaker fail", "lid ok"]);
  assert.deepEqual(grades({ message: "the photo shows no tray", advice: "Look." })[0], "referee.devices.tray fail");
});

test("what needs somebody comes first", () => {
  const findings = ["ok", "none", "fail", "warn"].map((grade) => ({ subject: "", grade, text: "", advice: "" }));
  assert.deepEqual(worstFirst(findings).map(({ grade }) => grade), ["fail", "warn", "none", "ok"]);
});

test("times are written as where the browser is, in the language of the page", () => {
  assert.equal(localeOf("de", "de-AT"), "de-AT");
  assert.equal(localeOf("de", "en-GB"), "de");
});

test("a job that is asked for while it is done is done once more, and no more than that", async () => {
  let [done, running] = [0, 0];
  const job = oneAtATime(async () => {
    assert.equal(++running, 1);
    await Promise.resolve();
    running -= 1;
    done += 1;
  });
  await Promise.all([job(), job(), job()]);
  assert.equal(done, 2);
  await job();
  assert.equal(done, 3);
});

test("a role is told by its word, a player by name", () => {
  const told = { has: (key) => key === "referee.who.referee", say: () => "arbitre" };
  assert.deepEqual(["referee", "ada", ""].map((who) => whoOf(who, told)), ["arbitre", "ada", "–"]);
});

test("settings are told section by section with their bounds", () => {
  const schema = {
    properties: { web: { $ref: "#/$defs/Web" }, buttons: { $ref: "#/$defs/Buttons" } },
    $defs: {
      Web: { properties: { port: { type: "integer", minimum: 0, maximum: 65535, default: 8080, description: "its port" } } },
      Buttons: { properties: { second: { anyOf: [{ $ref: "#/$defs/Button" }, { type: "null" }] }, long_s: { exclusiveMinimum: 0 } } },
      Button: { properties: { pin: { type: "integer" } } },
    },
  };
  assert.deepEqual(sectionsOf(schema).map(({ name }) => name), ["web", "buttons", "buttons.second"]);
  assert.deepEqual(sectionsOf(schema)[0].keys, [{ name: "port", about: "its port", limits: "≥ 0, ≤ 65535", standard: "8080" }]);
  assert.deepEqual(sectionsOf(schema)[1].keys.map(({ name }) => name), ["long_s"]);
  assert.equal(limitsOf({ enum: ["loud", "quiet"] }), "loud | quiet");
  assert.equal(limitsOf({ anyOf: [{ minimum: 9 }, { type: "null" }] }), "≥ 9");
});

test("a correction is let go of where its own cube is another, or no board is seen", () => {
  const board = [["A", "B"], ["C", "D"]];
  assert.equal(stillMeant(board, [["A", "B"], ["C", "X"]], [0, 1]), true);
  assert.equal(stillMeant(board, [["A", "X"], ["C", "D"]], [0, 1]), false);
  assert.equal(stillMeant(board, null, [0, 1]), false);
  assert.equal(stillMeant(null, board, [0, 1]), false);
});

test("a player who closes their own list alone has handed it in", () => {
  const kind = (who, players) => kindOf({ kind: "lists_closed", who, data: { players } });
  assert.equal(kind("ada", ["ada"]), "list_handed_in");
  assert.equal(kind("referee", []), "lists_closed");
  assert.equal(kind("ada", ["ada", "ben"]), "lists_closed");
  assert.equal(kindOf({ kind: "lists_closed", who: "ada", data: null }), "lists_closed");
});
