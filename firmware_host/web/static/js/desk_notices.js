// @ts-check

/** @typedef {import("./desk_types.js").Context} Context */

/** @param {HTMLElement} _root @param {Context} _context */
export function show(_root, _context) {}
