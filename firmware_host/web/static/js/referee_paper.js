// @ts-check
// A list on paper, photographed by the referee for somebody who has no phone.

import { complaint } from "./api.js";
import { make, slot, write } from "./dom.js";

/** @typedef {import("./referee_desk.js").Desk} Desk */

/** Bytes that the service takes. */
const LARGEST = 25_000_000;

/** Phases in which the service takes lists on paper. */
const OPEN = new Set(["collecting", "finished"]);

/**
 * @param {Desk} desk
 * @param {() => void} onRead
 * @returns {import("./referee_desk.js").Part}
 */
export function makePaper(desk, onRead) {
  const { texts } = desk;
  const form = /** @type {HTMLFormElement} */ (slot("paper"));
  const player = /** @type {HTMLSelectElement} */ (document.getElementById("paper-player"));
  const picture = /** @type {HTMLInputElement} */ (document.getElementById("paper-picture"));
  const enter = /** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]"));
  let names = "";

  /** @param {string} key @param {import("./texts.js").Values} [values] */
  const note = (key, values) => write(slot("paper-note"), texts.say(key, values));

  async function send() {
    const file = picture.files?.[0];
    if (!file) return note("referee.paper.missing");
    if (file.size > LARGEST) return note("play.photo_large", { megabytes: LARGEST / 1e6 });
    enter.disabled = true;
    note("play.photo_reading");
    const body = new FormData();
    body.append("picture", file);
    if (player.value) body.append("player", player.value);
    const answer = await fetch("/api/paper", { method: "POST", body }).catch(() => null);
    enter.disabled = false;
    await tell(answer);
  }

  /** @param {Response | null} answer */
  async function tell(answer) {
    const document = await answer?.json().catch(() => null);
    if (!answer?.ok) return write(slot("paper-note"), complaint({ ok: false, status: answer?.status ?? 0, retry_s: 0, document }, texts));
    const open = document.filter((/** @type {import("./referee_service.js").Read} */ word) => word.doubtful && !word.said).length;
    note(document.length ? "referee.paper.read" : "play.photo_none", { words: texts.count("common.words", document.length), open });
    form.reset();
    onRead();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });

  return {
    show({ round }) {
      form.hidden = !OPEN.has(round.phase);
      const wanted = JSON.stringify(round.players.map(({ name }) => name));
      if (wanted === names) return;
      names = wanted;
      const asWritten = make("option", { value: "" }, texts.say("referee.paper.as_written"));
      player.replaceChildren(asWritten, ...round.players.map(({ name }) => make("option", { value: name }, name)));
    },
  };
}
