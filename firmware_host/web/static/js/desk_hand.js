// @ts-check
// Tables by hand: players are put elsewhere one by one, or change places, and what is odd about
// that. Values alone.

/**
 * Who sits where in a division.
 *
 * @typedef {object} Seating
 * @property {string[][]} tables
 * @property {string[]} byes
 * @property {string[]} absent
 */

/** @typedef {{ kind: string, text: string, players: string[] }} Remark */
/** @typedef {number | "byes" | "absent" | "new"} Spot a table by its place in the list, or none */

/**
 * Two players change places.
 *
 * @param {Seating} seating @param {string} one @param {string} other
 * @returns {Seating}
 */
export function swapped(seating, one, other) {
  const turn = (/** @type {string} */ name) => (name === one ? other : name === other ? one : name);
  return mapped(seating, (names) => names.map(turn));
}

/**
 * A player goes elsewhere; a table that nobody sits at any more is gone.
 *
 * @param {Seating} seating @param {string} name @param {Spot} spot
 * @returns {Seating}
 */
export function put(seating, name, spot) {
  const { tables, byes, absent } = mapped(seating, (names) => names.filter((each) => each !== name));
  if (spot === "new") tables.push([name]);
  else if (spot === "byes") byes.push(name);
  else if (spot === "absent") absent.push(name);
  else tables[spot].push(name);
  return { tables: tables.filter((table) => table.length), byes, absent };
}

/**
 * As the desk takes it: who sits alone has a bye.
 *
 * @param {Seating} seating
 */
export function sent({ tables, byes, absent }) {
  return { tables: [...tables, ...byes.map((name) => [name])], absent };
}

/**
 * What is odd about tables, for people.
 *
 * @param {Remark[]} remarks @param {import("./texts.js").Texts} texts
 */
export function remarksOf(remarks, texts) {
  return remarks.map(({ kind, text, players }) => {
    const key = `desk.rounds.remark.${kind}`;
    return texts.has(key) ? texts.say(key, { names: texts.names(players), count: players.length }) : text;
  });
}

/** @param {Seating} seating @param {(names: string[]) => string[]} change @returns {Seating} */
function mapped({ tables, byes, absent }, change) {
  return { tables: tables.map(change), byes: change(byes), absent: change(absent) };
}
