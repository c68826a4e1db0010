// @ts-check
// Names for what a phone sends, so that nothing counts twice however often it is sent.

/**
 * A new id. Browsers keep randomUUID from pages without TLS; random bytes are there always.
 *
 * @param {Pick<Crypto, "getRandomValues"> & { randomUUID?: () => string }} [source]
 */
export function makeId(source = crypto) {
  if (typeof source.randomUUID === "function") return source.randomUUID();
  const bytes = source.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
