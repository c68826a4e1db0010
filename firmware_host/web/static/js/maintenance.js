// @ts-check
// The owner's maintenance: the doctor, the settings, backups, the service, and the devices while no
// round has them.

import { ask, complaint } from "./api.js";
import { showView, slot, write } from "./dom.js";
import { makeService } from "./maintenance_service.js";
import { makeSettings } from "./maintenance_settings.js";
import { makeUpkeep } from "./maintenance_upkeep.js";
import { makeLine, mention, wireChoices, wireDialogs } from "./page.js";
import { showFindings, worstFirst } from "./referee_findings.js";
import { makeDoor } from "./referee_pin.js";
import { makeSure } from "./referee_sure.js";
import { pageTexts } from "./texts.js";

const texts = pageTexts();
const line = makeLine(texts);
const sure = makeSure();
const settings = makeSettings(texts, send);
const upkeep = makeUpkeep(texts, send, sure);
const service = makeService(texts, send, sure);
const door = makeDoor(texts, (role) => role === "owner", enter);

/** @param {string} method @param {string} path @param {unknown} [body] */
async function send(method, path, body) {
  const answer = await ask(method, path, body);
  if (answer.status === 401 || answer.status === 403) showDoor();
  else if (!answer.ok) line.complain(complaint(answer, texts));
  return answer;
}

// It looks at the whole log: that may take longer than anything else is waited for.
async function examine() {
  const button = /** @type {HTMLButtonElement} */ (slot("examine"));
  button.disabled = true;
  write(slot("doctor-note"), texts.say("maintenance.doctor.busy"));
  const answer = await fetch("/api/doctor").catch(() => null);
  button.disabled = false;
  write(slot("doctor-note"), "");
  if (answer?.ok) tell(await answer.json());
  else if (answer && [401, 403].includes(answer.status)) showDoor();
  else line.complain(texts.say("common.failed_offline"));
}

/** @param {import("./referee_findings.js").Finding[]} findings */
function tell(findings) {
  showFindings(slot("findings"), worstFirst(findings), texts);
  const bad = findings.filter(({ grade }) => grade === "fail").length;
  const said = bad ? texts.count("maintenance.doctor.bad", bad) : texts.say("maintenance.doctor.good");
  write(slot("doctor-note"), said);
  mention(said);
}

async function leave() {
  await ask("DELETE", "/api/session");
  location.reload();
}

function showDoor() {
  showView("door");
  door.open();
}

function enter() {
  showView("desk");
  settings.load();
  service.load();
  upkeep.load();
}

async function begin() {
  const { document: visitor } = await ask("GET", "/api/session");
  if (visitor?.role === "owner") enter();
  else showDoor();
}

wireDialogs();
wireChoices();
slot("examine").addEventListener("click", examine);
slot("leave").addEventListener("click", leave);
begin();
