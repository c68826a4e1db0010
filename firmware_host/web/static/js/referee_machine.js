// @ts-check
// The machine behind the round: its camera's last photo, its devices and their faults.

import { complaint } from "./api.js";
import { slot, write } from "./dom.js";
import { faultTexts, textsOfFaults } from "./faults.js";
import { showFindings, worstFirst } from "./referee_findings.js";

/** @typedef {import("./referee_desk.js").Desk} Desk */
/** @typedef {import("./referee_findings.js").Finding} Finding */

/**
 * @typedef {{ devices: { name: string, simulated: boolean }[], doing: string,
 *   fault: import("./faults.js").Fault | null }} Machine
 */

/**
 * A picture that only some may see, fetched so that a refusal is told.
 *
 * @param {Desk} desk
 * @param {string} path
 * @returns {import("./referee_desk.js").Part}
 */
export function makeCamera(desk, path) {
  const { texts } = desk;
  const photo = /** @type {HTMLImageElement} */ (slot("photo"));
  let phase = "";

  async function load() {
    const answer = await fetch(path, { headers: { Accept: "image/jpeg, image/png, application/problem+json" } }).catch(() => null);
    URL.revokeObjectURL(photo.src);
    photo.hidden = !answer?.ok;
    if (answer?.ok) photo.src = URL.createObjectURL(await answer.blob());
    write(slot("camera-note"), answer?.ok ? texts.say("referee.camera.note") : await refusal(answer));
  }

  /** @param {Response | null} answer */
  async function refusal(answer) {
    if (answer && [404, 409].includes(answer.status)) return texts.say("referee.camera.none");
    const document = await answer?.json().catch(() => null);
    return complaint({ ok: false, status: answer?.status ?? 0, retry_s: 0, document }, texts);
  }

  slot("photo-again").addEventListener("click", load);
  return {
    open: load,
    show({ round }) {
      if (round.phase !== phase && !slot("part-camera").hidden) load();
      phase = round.phase;
    },
  };
}

/**
 * Devices as findings: the one that the fault names first is at fault.
 *
 * @param {Machine} machine
 * @param {import("./texts.js").Texts} texts
 * @param {import("./texts.js").Texts} [faults] texts of faults
 * @returns {Finding[]}
 */
export function deviceFindings({ devices, fault }, texts, faults = texts) {
  const guilty = devices.find(({ name }) => fault?.message.startsWith(`${name}:`))?.name;
  const told = fault && faultTexts(fault, faults);
  const found = devices.map(({ name, simulated }) => ({
    subject: texts.has(`fault.device.${name}`) ? texts.say(`fault.device.${name}`) : name,
    grade: name === guilty ? "fail" : simulated ? "simulated" : "ok",
    text: name === guilty ? (told?.message ?? "") : texts.say(simulated ? "referee.devices.simulated" : "referee.devices.real"),
    advice: name === guilty ? (told?.advice ?? "") : "",
  }));
  if (!fault || guilty) return found;
  return [{ subject: texts.say("referee.devices.tray"), grade: "fail", text: told?.message ?? "", advice: told?.advice ?? "" }, ...found];
}

/**
 * @param {Desk} desk
 * @param {{ machine: () => Promise<Machine | null> }} service
 * @returns {import("./referee_desk.js").Part}
 */
export function makeDevices(desk, service) {
  const { texts } = desk;
  let phase = "";

  async function load() {
    const machine = await service.machine();
    if (!machine) return;
    const faults = machine.fault ? await textsOfFaults(texts) : texts;
    showFindings(slot("devices"), worstFirst(deviceFindings(machine, texts, faults)), texts, texts.language);
    const key = `display.phase.${phase}`;
    write(slot("devices-note"), machine.doing && texts.has(key) ? texts.say("referee.devices.doing", { what: texts.say(key) }) : "");
  }

  slot("devices-again").addEventListener("click", load);
  return {
    open: load,
    show({ round }) {
      const changed = round.phase !== phase;
      phase = round.phase;
      if (changed && !slot("part-devices").hidden) load();
    },
  };
}
