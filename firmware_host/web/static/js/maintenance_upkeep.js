// @ts-check
// The devices while no round is on: a live picture, calibration, a run of the motor. Whatever is
// done ends by itself when this page goes away.

import { make, slot, write } from "./dom.js";
import { makeFaults } from "./faults.js";
import { wrongIn } from "./fields.js";
import { dateOf } from "./referee_desk.js";

/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {(method: string, path: string, body?: unknown) => Promise<import("./api.js").Answer>} Ask */

/**
 * @typedef {{ work: string | null, running: boolean, simulated: boolean, told: string[],
 *   found: { step: string, text: string }[], stored: boolean, problem: import("./faults.js").Fault | null,
 *   frame: number, most_power: number, longest_s: number }} Upkeep
 */

/** Milliseconds between two questions; the service waits for a few of them. */
const EVERY = 700;

/**
 * What is told of it: key of a text.
 *
 * @param {Pick<Upkeep, "work" | "running" | "stored" | "problem">} upkeep
 */
export function standingOf({ work, running, stored, problem }) {
  if (!work) return "";
  if (running) return `maintenance.upkeep.doing_${work}`;
  if (problem) return work === "calibrate" ? "maintenance.upkeep.nothing_stored" : "maintenance.upkeep.ended";
  return stored ? "maintenance.upkeep.done" : "maintenance.upkeep.ended";
}

/**
 * @param {Texts} texts
 * @param {Ask} ask
 * @param {import("./referee_sure.js").Sure} sure
 */
export function makeUpkeep(texts, ask, sure) {
  const frame = /** @type {HTMLImageElement} */ (slot("frame"));
  const steps = /** @type {HTMLFormElement} */ (slot("calibrate"));
  const motor = /** @type {HTMLFormElement} */ (slot("motor"));
  const seconds = /** @type {HTMLInputElement} */ (document.getElementById("motor-seconds"));
  const power = /** @type {HTMLInputElement} */ (document.getElementById("motor-power"));
  const begins = [slot("look"), ...document.querySelectorAll("[data-slot=calibrate] [type=submit], [data-slot=motor] [type=submit]")];
  const faults = makeFaults(texts);
  let running = false;

  async function load() {
    const { ok, document: upkeep } = await ask("GET", "/api/upkeep");
    if (!ok) return allow(false);
    seconds.max = String(upkeep.longest_s);
    power.max = String(Math.floor(upkeep.most_power * 100));
    show(upkeep);
    await stored();
  }

  /** @param {boolean} may */
  function allow(may) {
    for (const button of begins) /** @type {HTMLButtonElement} */ (button).disabled = !may;
    slot("halt").hidden = may || !running;
  }

  /** @param {Upkeep} upkeep */
  function show(upkeep) {
    const ended = running && !upkeep.running;
    running = upkeep.running;
    allow(!running);
    const key = standingOf(upkeep);
    const said = key ? texts.say(key) : "";
    write(slot("upkeep-note"), said && upkeep.simulated ? `${said} ${texts.say("maintenance.upkeep.simulated")}` : said);
    slot("upkeep-problem").hidden = !upkeep.problem;
    faults.show(upkeep.problem, slot("upkeep-message"), slot("upkeep-advice"));
    const lines = [...upkeep.told, ...upkeep.found.map(({ step, text }) => `${step}: ${text}`)];
    slot("told").replaceChildren(...lines.slice(-12).map((line) => make("li", {}, line)));
    picture(upkeep.frame);
    if (ended) stored();
    if (running) setTimeout(look, EVERY);
  }

  /** @param {number} number */
  function picture(number) {
    const address = `/api/upkeep/frame.jpg?n=${number}`;
    if (number && frame.getAttribute("src") !== address) frame.src = address;
    frame.hidden = !number;
  }

  async function look() {
    const { ok, document: upkeep } = await ask("GET", "/api/upkeep");
    if (ok) show(upkeep);
    else if (running) setTimeout(look, EVERY);
  }

  async function stored() {
    const { ok, document: found } = await ask("GET", "/api/upkeep/calibration");
    if (!ok) return;
    slot("nothing-stored").hidden = found.length > 0;
    slot("stored").replaceChildren(...found.map(/** @param {{ step: string, text: string, at: number }} one */ ({ step, text, at }) =>
      make("li", {}, make("div", {}, make("b", {}, texts.say(`maintenance.step.${step}`)), make("p", { class: "soft" }, dateOf(at, texts.language)), make("p", { lang: "en" }, text)))));
  }

  /** @param {Record<string, unknown>} task */
  async function begin(task) {
    const { ok, document: upkeep } = await ask("POST", "/api/upkeep", task);
    if (ok) show(upkeep);
  }

  /** @param {string} why nothing begins */
  const refuse = (why) => {
    slot("upkeep-problem").hidden = true;
    write(slot("upkeep-note"), why);
  };

  /** @param {string} title */
  const handsOff = (title) => sure({ title, note: texts.say("maintenance.motor.sure"), yes: title });

  async function calibrate() {
    const chosen = new FormData(steps).getAll("step");
    if (!chosen.length) return refuse(texts.say("maintenance.upkeep.none_chosen"));
    const moves = chosen.includes("motor");
    if (moves && !(await handsOff(texts.say("maintenance.upkeep.begin")))) return;
    await begin({ work: "calibrate", steps: chosen, hands_off: moves });
  }

  async function run() {
    for (const field of [seconds, power]) {
      const wrong = wrongIn(field, texts);
      if (wrong) return refuse(wrong);
    }
    if (!(await handsOff(texts.say("maintenance.motor.run")))) return;
    await begin({ work: "motor", seconds: Number(seconds.value), power: Number(power.value) / 100, hands_off: true });
  }

  const halt = () => ask("DELETE", "/api/upkeep");

  slot("look").addEventListener("click", () => begin({ work: "look" }));
  slot("halt").addEventListener("click", halt);
  steps.addEventListener("submit", (event) => {
    event.preventDefault();
    calibrate();
  });
  motor.addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  addEventListener("pagehide", () => {
    if (running) fetch("/api/upkeep", { method: "DELETE", keepalive: true });
  });

  return { load };
}
