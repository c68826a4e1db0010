import assert from "node:assert/strict";
import { test } from "node:test";

import { challengeLeft } from "./js/challenge.js";
import { faultTexts } from "./js/faults.js";
import { standingOf } from "./js/maintenance_upkeep.js";
import { roundTitle } from "./js/state.js";
import { makeTexts } from "./js/texts.js";

const texts = makeTexts(
  {
    "fault.device.camera": "Kamera",
    "fault.say.no_picture": "sie gab in {seconds} s kein Bild",
    "common.round": "Runde {number}",
    "common.lexicon": "Wortliste {name}",
  },
  "de",
);

test("a fault is told in the language of the page where it has the text", () => {
  const said = { key: "fault.say.no_picture", device: "camera", values: { seconds: "5" } };
  const told = faultTexts({ message: "camera: it gave no picture in 5 s", advice: "Wait.", said, advised: null }, texts);
  assert.deepEqual(told, { message: "Kamera: sie gab in 5 s kein Bild", advice: "Wait.", language: "de", adviceLanguage: "en" });
  const other = faultTexts({ message: "no", advice: "Wait.", said: { ...said, key: "fault.say.other" } }, texts);
  assert.equal(other.message, "no");
});

test("the clock of a challenge runs between two states, and stops at nothing", () => {
  const challenge = { left_s: 10, total_s: 60, by: "referee" };
  assert.equal(challengeLeft(challenge, 1000, 3500), 7.5);
  assert.equal(challengeLeft(challenge, 1000, 99_000), 0);
  assert.equal(challengeLeft(null, 0, 0), null);
});

test("what is done with the devices is told with what came of it", () => {
  const told = { work: "calibrate", running: false, stored: true, problem: null };
  assert.equal(standingOf({ ...told, work: null }), "");
  assert.equal(standingOf({ ...told, running: true }), "maintenance.upkeep.doing_calibrate");
  assert.equal(standingOf(told), "maintenance.upkeep.done");
  assert.equal(standingOf({ ...told, stored: false, problem: { message: "", advice: "" } }), "maintenance.upkeep.nothing_stored");
  assert.equal(standingOf({ ...told, work: "motor", stored: false }), "maintenance.upkeep.ended");
});

test("a round is named with its word list", () => {
  assert.equal(roundTitle({ game: { title: "Boggle" }, number: 2, lexicon: "club" }, texts), "Boggle · Runde 2 · Wortliste club");
  assert.equal(roundTitle({ game: { title: "Boggle" }, number: 0 }, texts), "Boggle");
});
