// @ts-check
// Keeps the players' pages for a reload without a connection: the pages and what they load, never a
// state, which is for the service to tell. The network comes first each time. The service puts
// VERSION, PAGES and SHELL before this text.
"use strict";

const CACHE = `wordtray-${VERSION}`;

/** Milliseconds after which an answer is no longer awaited where something is kept. */
const PATIENCE = 4000;

/** Under what a request is kept; nothing for all that is not. @param {Request} request */
function keyOf({ method, mode, url }) {
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return "";
  const kept = mode === "navigate" ? PAGES : SHELL;
  return kept.includes(pathname) ? pathname : "";
}

async function fill() {
  const cache = await caches.open(CACHE);
  await cache.addAll([...PAGES, ...SHELL]);
  await self.skipWaiting();
}

/** What an earlier version kept goes: the files of two versions do not go together. */
async function clear() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("wordtray-") && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** @param {Request} request @param {string} key */
async function freshOrKept(request, key) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await inTime(fetch(request));
    if (answer.ok) await cache.put(key, answer.clone());
    return answer;
  } catch {
    return (await cache.match(key)) ?? Response.error();
  }
}

/** @template T @param {Promise<T>} answer @returns {Promise<T>} */
function inTime(answer) {
  return Promise.race([answer, new Promise((_, refuse) => setTimeout(refuse, PATIENCE))]);
}

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(clear()));
self.addEventListener("fetch", (event) => {
  const key = keyOf(event.request);
  if (key) event.respondWith(freshOrKept(event.request, key));
});
