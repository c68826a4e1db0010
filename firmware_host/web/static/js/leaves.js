// @ts-check
// Lists too long for the screen, in columns: leaf after leaf, so that nobody need scroll.

import { isCalm, mark, slot, write } from "./dom.js";

/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {{ columns: number, step: number, total: number }} Measures columns in view, from one to the next, all */

/**
 * On which leaf a column is. The last leaf is as full as the others: it shows some columns again.
 *
 * @param {number} column from 0
 * @param {Pick<Measures, "columns">} measures
 */
export function leafOf(column, { columns }) {
  return Math.floor(column / columns);
}

/**
 * Leaves that there are; one where there is nothing.
 *
 * @param {Pick<Measures, "columns" | "total">} measures
 */
export function leafCount({ columns, total }) {
  return Math.max(1, Math.ceil(total / columns));
}

/**
 * The first column that a leaf shows.
 *
 * @param {number} leaf
 * @param {Pick<Measures, "columns" | "total">} measures
 */
export function firstColumn(leaf, { columns, total }) {
  return Math.max(0, Math.min(leaf * columns, total - columns));
}

/**
 * Leaves of lists, the first after the last; buttons, keys and fingers turn them, too.
 *
 * @param {HTMLElement} lists laid out in columns by the style sheet
 * @param {Texts} texts
 * @param {() => void} onHand somebody has turned one
 */
export function makeLeaves(lists, texts, onHand) {
  const bar = slot("leaves");
  let at = 0;
  let touched = false;

  /** @returns {Measures} */
  function measures() {
    const { columnCount, columnGap } = getComputedStyle(lists);
    const [columns, gap] = [Number(columnCount) || 1, parseFloat(columnGap) || 0];
    const step = (lists.getBoundingClientRect().width + gap) / columns; // clientWidth is rounded: leaf by leaf it strays
    return { columns, step, total: Math.round((lists.scrollWidth + gap) / step) };
  }

  /** @param {Element} element @param {Measures} known */
  function columnOf(element, { step }) {
    const left = element.getBoundingClientRect().left - lists.getBoundingClientRect().left;
    return Math.floor((left + lists.scrollLeft + 1) / step); // a card begins at the very edge
  }

  // What goes on in another column says whose it is.
  function nameColumns() {
    const known = measures();
    for (const named of lists.querySelectorAll("[data-goes-on]")) named.removeAttribute("data-goes-on");
    let last = 0;
    for (const item of lists.querySelectorAll("header, li")) {
      const column = columnOf(item, known);
      if (column > last && item.matches("li")) mark(item, { "data-goes-on": headOf(item) });
      last = column;
    }
  }

  /** @param {number} leaf @param {boolean} [smooth] */
  function turn(leaf, smooth = true) {
    const known = measures();
    const count = leafCount(known);
    at = (leaf + count) % count;
    lists.scrollTo({ left: firstColumn(at, known) * known.step, behavior: smooth && !isCalm() ? "smooth" : "instant" });
    bar.hidden = count === 1;
    write(slot("leaf"), texts.say("result.leaf", { number: at + 1, of: count }));
  }

  function fit() {
    nameColumns();
    turn(Math.min(at, leafCount(measures()) - 1), false);
  }

  /** @param {number} by */
  function turnByHand(by) {
    onHand();
    turn(at + by);
  }

  // A finger may leave off between two leaves; what the page itself scrolls ends on one.
  function settle() {
    if (!touched) return;
    touched = false;
    const known = measures();
    const column = Math.round(lists.scrollLeft / known.step);
    const moved = column - firstColumn(at, known);
    if (moved) turnByHand(Math.sign(moved) * Math.ceil(Math.abs(moved) / known.columns));
  }

  slot("leaf-before").addEventListener("click", () => turnByHand(-1));
  slot("leaf-after").addEventListener("click", () => turnByHand(1));
  for (const sign of ["touchmove", "wheel"]) lists.addEventListener(sign, () => (touched = true), { passive: true });
  lists.addEventListener("scrollend", settle);
  lists.addEventListener("focusin", ({ target }) => target !== lists && show(/** @type {Element} */ (target)));
  new MutationObserver(fit).observe(lists, { childList: true, subtree: true });
  new ResizeObserver(fit).observe(lists); // also where it comes into sight
  addEventListener("keydown", (event) => {
    const by = { PageUp: -1, PageDown: 1 }[event.key];
    if (!by || bar.hidden || !lists.checkVisibility()) return;
    event.preventDefault();
    turnByHand(by);
  });

  /** Turn to where something is. @param {Element} element of the lists */
  function show(element) {
    turn(leafAt(element));
  }

  /** @param {Element} element */
  function leafAt(element) {
    const known = measures();
    return leafOf(columnOf(element, known), known);
  }

  return {
    /** Lay the lists out anew, with the same leaf in sight. */
    fit,
    turn,
    show,
    leafAt,
    /** The leaf in sight, from 0. */
    get at() {
      return at;
    },
    get count() {
      return leafCount(measures());
    },
  };
}

/** The head of the list of a line: of several in a card the one above it. @param {Element} line */
function headOf(line) {
  const heads = [...(line.closest("section")?.querySelectorAll("h2, h3") ?? [])];
  const above = heads.filter((head) => head.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING);
  return above.at(-1)?.textContent ?? "";
}
