// @ts-check
// The keys of the settings, from the schema that the service tells: pure functions.

/**
 * @typedef {{ [name: string]: any }} Schema
 * @typedef {{ name: string, about: string, limits: string, standard: string }} Key
 * @typedef {{ name: string, keys: Key[] }} Section
 */

/**
 * The sections of the settings with their keys.
 *
 * @param {Schema} schema as pydantic writes it
 * @returns {Section[]}
 */
export function sectionsOf(schema) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => sectionsIn(name, value, schema));
}

/** @param {string} name @param {Schema} value @param {Schema} schema @returns {Section[]} */
function sectionsIn(name, value, schema) {
  const own = Object.entries(resolved(value, schema).properties ?? {});
  const keys = own.filter(([, key]) => !resolved(key, schema).properties);
  const below = own.filter(([, key]) => resolved(key, schema).properties);
  return [
    { name, keys: keys.map(([key, told]) => keyOf(key, told, schema)) },
    ...below.flatMap(([key, told]) => sectionsIn(`${name}.${key}`, told, schema)),
  ];
}

/** @param {Schema} value @param {Schema} schema @returns {Schema} what it refers to, with what it says itself */
function resolved(value, schema) {
  const reference = value.$ref ?? value.anyOf?.find((/** @type {Schema} */ one) => one.$ref)?.$ref;
  return reference ? { ...schema.$defs[reference.split("/").at(-1)], ...value } : value;
}

/** @param {string} name @param {Schema} told @param {Schema} schema @returns {Key} */
function keyOf(name, told, schema) {
  const key = resolved(told, schema);
  const standard = key.default === undefined || key.default === null ? "" : JSON.stringify(key.default);
  return { name, about: key.description ?? "", limits: limitsOf(key), standard };
}

/**
 * The bounds of a key, as people write them.
 *
 * @param {Schema} key
 */
export function limitsOf(key) {
  const among = [key, ...(key.anyOf ?? [])];
  const words = among.flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const]));
  if (words.length) return words.join(" | ");
  const least = pick(among, "minimum", "≥") ?? pick(among, "exclusiveMinimum", ">");
  const most = pick(among, "maximum", "≤") ?? pick(among, "exclusiveMaximum", "<");
  return [least, most].filter(Boolean).join(", ");
}

/** @param {Schema[]} among @param {string} name @param {string} sign */
function pick(among, name, sign) {
  const found = among.find((one) => one[name] !== undefined);
  return found ? `${sign} ${found[name]}` : null;
}
