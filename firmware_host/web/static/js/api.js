// @ts-check
// Asking the service for something. An answer is a value here, never an exception: a lost
// connection is a thing to expect.

/**
 * @typedef {object} Answer
 * @property {boolean} ok
 * @property {number} status 0 where there was no answer at all
 * @property {number} retry_s seconds after which it may be tried again; 0 where nothing says so
 * @property {any} document
 */

/** Milliseconds after which an answer is no longer awaited. */
const PATIENCE = 10_000;

/**
 * Ask the service.
 *
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body] sent as JSON; a file as it is
 * @param {number} [patience] milliseconds after which an answer is no longer awaited
 * @returns {Promise<Answer>}
 */
export async function ask(method, path, body, patience = PATIENCE) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), patience);
  try {
    const answer = await fetch(path, { ...wish(method, body), signal: giveUp.signal });
    const retry_s = Number(answer.headers.get("Retry-After")) || 0;
    return { ok: answer.ok, status: answer.status, retry_s, document: await documentOf(answer) };
  } catch {
    return { ok: false, status: 0, retry_s: 0, document: null };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What somebody is told about an answer that is none.
 *
 * @param {Answer} answer
 * @param {import("./texts.js").Texts} texts
 */
export function complaint(answer, texts) {
  if (answer.status === 0) return texts.say("common.failed_offline");
  const kind = `problem.${answer.document?.type}`;
  if (texts.has(kind)) return texts.say(kind);
  const told = [answer.document?.detail, answer.document?.advice].filter((part) => typeof part === "string");
  return told.length ? told.join(" ") : texts.say("common.failed");
}

/** @param {string} method @param {unknown} body @returns {RequestInit} */
function wish(method, body) {
  const headers = { Accept: "application/json" };
  if (body === undefined) return { method, headers };
  if (body instanceof Blob) return { method, headers: { ...headers, "Content-Type": "application/octet-stream" }, body };
  return { method, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

/**
 * The document of an answer; one without a body may still call itself JSON.
 *
 * @param {Pick<Response, "headers" | "text">} answer
 */
export async function documentOf(answer) {
  const kind = answer.headers.get("Content-Type") ?? "";
  const body = /\bjson\b/.test(kind) ? await answer.text() : "";
  return body ? JSON.parse(body) : null;
}
