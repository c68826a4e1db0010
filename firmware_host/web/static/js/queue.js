// @ts-check
// What a phone has still to send. It is kept on the phone until the service has it, in order; each
// entry has an id, so that the service takes it once, however often it is sent.

/**
 * @typedef {object} Entry
 * @property {string} id of the word, also where it is erased
 * @property {"word" | "erase" | "list"} kind
 * @property {string} text of a word
 * @property {number} round that it belongs to
 * @property {string} player whose it is
 * @property {number} written_at time of the table's clock
 *
 * @typedef {{ text: string, id: string, why: string }} Refusal
 * @typedef {"done" | "later" | "refused" | "stranger"} Outcome
 * @typedef {{ id: string, text: string, state: "sent" | "waiting" | "refused" | "late", why: string }} Line
 * @typedef {import("./api.js").Answer} Answer
 * @typedef {{ getItem(key: string): string | null, setItem(key: string, value: string): void }} Store
 */

const KEY = "wordtray.queue";
const FIRST_DELAY = 700;
const LONGEST_DELAY = 8000;

/**
 * What an answer means for the entry that was sent. A pause keeps it: nobody writes then.
 *
 * @param {Entry} entry
 * @param {Pick<Answer, "ok" | "status"> & { document?: any }} answer
 * @returns {Outcome}
 */
export function outcomeOf(entry, { ok, status, document }) {
  if (ok) return "done";
  if (entry.kind === "erase" && status === 404) return "done";
  if (status === 401) return "stranger";
  const kept = document?.type === "paused";
  return kept || status === 0 || status === 429 || status >= 500 ? "later" : "refused";
}

/**
 * The request that sends an entry.
 *
 * @param {Entry} entry
 * @returns {{ method: string, path: string, body?: unknown }}
 */
export function requestOf({ kind, id, text, written_at }) {
  if (kind === "erase") return { method: "DELETE", path: `/api/words/${encodeURIComponent(id)}` };
  if (kind === "list") return { method: "POST", path: "/api/list", body: { id } };
  return { method: "POST", path: "/api/words", body: { id, text, written_at } };
}

/**
 * Entries with one more. A word that was never sent is erased by not sending it.
 *
 * @param {Entry[]} entries
 * @param {Entry} entry
 * @param {string | null} sending id of the word that is on its way now
 */
export function added(entries, entry, sending) {
  const unsent = entries.some(({ kind, id }) => kind === "word" && id === entry.id && id !== sending);
  if (entry.kind === "erase" && unsent) return entries.filter(({ id }) => id !== entry.id);
  return [...entries, entry];
}

/**
 * Entries that may still be sent, and those of another round or player, which came too late.
 *
 * @param {Entry[]} entries
 * @param {number} round
 * @param {string} player
 */
export function sorted(entries, round, player) {
  /** @param {Entry} entry */
  const fits = (entry) => entry.round === round && entry.player === player;
  return { fitting: entries.filter(fits), late: entries.filter((entry) => !fits(entry)) };
}

/**
 * A player's list as it will be once everything is sent, the newest word first.
 *
 * @param {{ id: string, text: string, late?: boolean }[]} known words that the service has told
 * @param {Entry[]} entries that are not sent
 * @param {{ id: string, text: string }[]} taken words that are sent, but perhaps not yet told
 * @param {Refusal[]} refused
 * @returns {Line[]}
 */
export function lines(known, entries, taken, refused) {
  const told = new Set(known.map(({ id }) => id));
  const erased = new Set(entries.filter(({ kind }) => kind === "erase").map(({ id }) => id));
  const waiting = entries.filter(({ kind, id }) => kind === "word" && !told.has(id));
  const all = [
    ...known.map(({ id, text, late }) => line(id, text, late ? "late" : "sent")),
    ...taken.filter(({ id }) => !told.has(id)).map(({ id, text }) => line(id, text, "sent")),
    ...waiting.map(({ id, text }) => line(id, text, "waiting")),
    ...refused.filter(({ id }) => !told.has(id)).map(({ id, text, why }) => line(id, text, "refused", why)),
  ];
  return all.filter(({ id }) => !erased.has(id)).reverse();
}

/** @param {string} id @param {string} text @param {Line["state"]} state @param {string} [why] @returns {Line} */
function line(id, text, state, why = "") {
  return { id, text, state, why };
}

/**
 * A queue that empties itself whenever there is a connection.
 *
 * @param {object} parts
 * @param {Store} parts.store where entries outlive the page
 * @param {(entry: Entry) => Promise<Answer>} parts.send
 * @param {() => void} parts.onChange
 * @param {(text: string) => void} parts.onRefusal something but a word was refused
 * @param {() => void} parts.onStranger the service does not know this player any more
 * @param {(answer: Answer) => string} parts.why what a refusal means
 * @param {(action: () => void, milliseconds: number) => void} [parts.later]
 */
export function makeQueue({ store, send, onChange, onRefusal, onStranger, why, later = setTimeout }) {
  let entries = stored(store);
  /** @type {Refusal[]} */
  let refused = [];
  /** @type {{ id: string, text: string }[]} */
  let taken = [];
  /** @type {string | null} */
  let sending = null;
  let failures = 0;
  let open = false;

  /** @param {Entry[]} next */
  function put(next) {
    entries = next;
    try {
      store.setItem(KEY, JSON.stringify(entries));
    } catch {
      // A full or forbidden storage: what is not sent lives as long as the page.
    }
    onChange();
  }

  /** @param {Entry} entry @param {Answer} answer */
  function settle(entry, answer) {
    const outcome = outcomeOf(entry, answer);
    if (outcome === "later") return pause();
    if (outcome === "stranger") return leave();
    failures = 0;
    if (outcome === "refused") refuse(entry, why(answer));
    else if (entry.kind === "word") taken = [...taken, { id: entry.id, text: entry.text }];
    else if (entry.kind === "erase") taken = taken.filter(({ id }) => id !== entry.id);
    put(entries.filter((other) => other !== entry));
    flush();
  }

  /** @param {Entry} entry @param {string} reason */
  function refuse(entry, reason) {
    if (entry.kind === "word") refused = [...refused, { id: entry.id, text: entry.text, why: reason }];
    else onRefusal(reason);
  }

  function pause() {
    failures += 1;
    onChange();
    later(flush, Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (failures - 1)));
  }

  function leave() {
    open = false;
    onStranger();
  }

  async function flush() {
    const [entry] = entries;
    if (!open || sending || !entry) return;
    sending = entry.id;
    const answer = await send(entry);
    sending = null;
    settle(entry, answer);
  }

  return {
    flush,
    /** How many entries could not be sent so far. */
    get held() {
      return failures ? entries.length : 0;
    },
    /** How many entries the service does not have. */
    get waiting() {
      return entries.length;
    },
    get handingIn() {
      return entries.some(({ kind }) => kind === "list");
    },
    /** @param {Entry} entry */
    add(entry) {
      put(added(entries, entry, sending));
      flush();
    },
    /** @param {string} id of a refused word that was seen */
    forget(id) {
      refused = refused.filter((other) => other.id !== id);
      onChange();
    },
    /**
     * The round that is played, by whom; what belongs to another one is not sent any more.
     *
     * @param {number} round
     * @param {string} player
     * @returns {Entry[]} what came too late
     */
    belong(round, player) {
      const { fitting, late } = sorted(entries, round, player);
      open = true;
      if (late.length) put(fitting);
      flush();
      return late;
    },
    /** A new round begins with a clean list. */
    clear() {
      refused = [];
      taken = [];
    },
    /** @param {{ id: string, text: string, late?: boolean }[]} known */
    lines: (known) => lines(known, entries, taken, refused),
  };
}

/** @param {Store} store @returns {Entry[]} */
function stored(store) {
  try {
    const found = JSON.parse(store.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
