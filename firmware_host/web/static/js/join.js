// @ts-check
// Joining the table by name and code.

import { ask, complaint } from "./api.js";
import { mark, slot, write } from "./dom.js";
import { keptOwn } from "./own_list.js";
import { keep, kept, makeLine, wireChoices, wireDialogs } from "./page.js";
import { pageTexts } from "./texts.js";

const RETRY_MS = 3000;

const texts = pageTexts();
const line = makeLine(texts);
const form = /** @type {HTMLFormElement} */ (slot("form"));
const button = /** @type {HTMLButtonElement} */ (slot("join"));

/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/**
 * The first thing that is missing.
 *
 * @param {string} name
 * @param {string} code
 * @returns {"name" | "code" | null}
 */
function missing(name, code) {
  if (!name) return "name";
  return code ? null : "code";
}

/** @param {string | null} wrong name of the field @param {string} text */
function complain(wrong, text) {
  write(slot("problem"), text);
  for (const name of ["name", "code"]) mark(field(name), { "aria-invalid": name === wrong ? "true" : null });
  if (wrong) field(wrong).focus();
}

/** @param {SubmitEvent} event */
async function submit(event) {
  event.preventDefault();
  const [name, code] = [field("name").value.trim(), field("code").value.trim().toUpperCase()];
  const gap = missing(name, code);
  if (gap) return complain(gap, texts.say(`join.${gap}_missing`));
  complain(null, "");
  await join(name, code, field("on_paper").checked);
}

/** @param {string} name @param {string} code @param {boolean} onPaper */
async function join(name, code, onPaper) {
  button.disabled = true;
  write(button, texts.say("join.busy"));
  const answer = await ask("POST", "/api/players", { name, code, on_paper: onPaper });
  if (answer.ok) {
    keep("name", name);
    location.assign("/play");
    return;
  }
  button.disabled = false;
  write(button, texts.say("join.button"));
  complain(wrongField(answer.document?.type), complaint(answer, texts));
}

/** @param {unknown} type of a problem */
function wrongField(type) {
  return type === "code" || type === "name" ? type : null;
}

/** Whoever sits at the table has a seat: a second one would be theirs as well, and awaited for ever. */
async function goToSeat() {
  const { status, document: visitor } = await ask("GET", "/api/session");
  if (visitor?.role === "player" || (status === 0 && keptOwn())) return location.replace("/play");
  tellLine(status !== 0);
}

/** Nobody joins without a connection: that is told, until it is back. @param {boolean} online */
function tellLine(online) {
  line.show(online);
  slot("away").hidden = online;
  if (!online) setTimeout(goToSeat, RETRY_MS);
}

// As on the players' page: loaded again without a connection it says so itself.
navigator.serviceWorker?.register("/worker.js").catch(() => {});
wireDialogs();
wireChoices();
field("code").value = new URLSearchParams(location.search).get("code") ?? "";
field("name").value = kept("name");
form.addEventListener("submit", submit);
addEventListener("pageshow", goToSeat); // also where the browser goes back to it
(field("name").value && !field("code").value ? field("code") : field("name")).focus();
