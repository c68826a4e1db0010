// @ts-check
// The service itself: restarted, updated, brought back from a backup.

import { complaint, documentOf } from "./api.js";
import { slot, write } from "./dom.js";
import { makeFaults } from "./faults.js";

/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./maintenance_upkeep.js").Ask} Ask */

/** Milliseconds between two looks whether the service is back. */
const EVERY = 1500;

/**
 * Send a file as it is.
 *
 * @param {string} method
 * @param {string} path
 * @param {Blob} file
 * @returns {Promise<import("./api.js").Answer>}
 */
async function sendFile(method, path, file) {
  try {
    const headers = { Accept: "application/json", "Content-Type": "application/octet-stream" };
    const answer = await fetch(path, { method, headers, body: file });
    return { ok: answer.ok, status: answer.status, retry_s: 0, document: await documentOf(answer) };
  } catch {
    return { ok: false, status: 0, retry_s: 0, document: null };
  }
}

/**
 * @param {Texts} texts
 * @param {Ask} ask
 * @param {import("./referee_sure.js").Sure} sure
 */
export function makeService(texts, ask, sure) {
  const faults = makeFaults(texts);
  let run = "";
  async function load() {
    const { ok, document: told } = await ask("GET", "/api/service");
    if (!ok) return;
    run = told.run;
    write(slot("version"), texts.say("maintenance.service.version", { version: told.folder || told.version }));
    slot("safe").hidden = !told.safe;
    slot("restart-safe").hidden = told.safe;
    slot("why").hidden = !told.why;
    faults.show(told.why, slot("why-message"), slot("why-advice"));
    slot("restore").hidden = !told.safe;
    slot("restore-how").hidden = told.safe;
    const refused = Object.values(told.refused).reduce((sum, one) => sum + Number(one), 0);
    slot("refused").hidden = refused === 0;
    write(slot("refused"), texts.count("maintenance.refused", refused));
    release((await ask("GET", "/api/update")).document?.release ?? null);
  }

  /** @param {boolean} safe */
  async function restart(safe) {
    const title = texts.say(safe ? "maintenance.service.restart_safe" : "maintenance.service.restart");
    if (!(await sure({ title: `${title}?`, note: texts.say(safe ? "maintenance.service.sure_safe" : "maintenance.service.sure"), yes: title }))) return;
    const { ok } = await ask("POST", "/api/service/restart", { safe });
    if (!ok) return;
    write(slot("service-note"), texts.say("maintenance.service.restarting"));
    setTimeout(awaitBack, EVERY);
  }

  // What answers at once may be the one that is about to end.
  async function awaitBack() {
    const back = await fetch("/api/service").catch(() => null);
    const told = back?.ok ? await back.json() : null;
    if (told && told.run !== run) location.reload();
    else setTimeout(awaitBack, EVERY);
  }

  /** @param {{ version: string, sha256: string, newer: boolean, command: string } | null} found */
  function release(found) {
    slot("waiting").hidden = !found;
    if (!found) return;
    write(slot("waiting-version"), texts.say(found.newer ? "maintenance.update.newer" : "maintenance.update.not_newer", { version: found.version }));
    write(slot("waiting-digest"), found.sha256);
    write(slot("waiting-command"), found.command);
  }

  /** @param {string} id @returns {File | undefined} */
  const chosen = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id)).files?.[0];

  async function update() {
    const file = chosen("release");
    const note = slot("update-note");
    if (!file) return write(note, texts.say("maintenance.update.missing"));
    write(note, texts.say("maintenance.update.busy"));
    const answer = await sendFile("PUT", "/api/update", file);
    write(note, answer.ok ? texts.say("maintenance.update.ready") : complaint(answer, texts));
    if (answer.ok) release(answer.document);
  }

  async function putAway() {
    if ((await ask("DELETE", "/api/update")).ok) release(null);
  }

  async function restore() {
    const file = chosen("restored");
    const note = slot("restore-note");
    if (!file) return write(note, texts.say("maintenance.backup.missing"));
    const yes = texts.say("maintenance.backup.bring_back");
    if (!(await sure({ title: `${yes}?`, note: texts.say("maintenance.backup.sure"), yes }))) return;
    write(note, texts.say("maintenance.update.busy"));
    const answer = await sendFile("POST", "/api/restore", file);
    const { events = 0, rounds = 0 } = answer.document ?? {};
    write(note, answer.ok ? texts.say("maintenance.backup.restored", { events, rounds }) : complaint(answer, texts));
  }

  slot("restart").addEventListener("click", () => restart(false));
  slot("restart-safe").addEventListener("click", () => restart(true));
  slot("put-away").addEventListener("click", putAway);
  for (const [name, does] of /** @type {[string, () => unknown][]} */ ([["update", update], ["restore", restore]])) {
    slot(name).addEventListener("submit", (event) => {
      event.preventDefault();
      does();
    });
  }

  return { load };
}
