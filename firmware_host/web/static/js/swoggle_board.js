// @ts-check
// The board of Swoggle under a finger, a mouse or keys: squares, letters, and where one writes.

import { make, mark } from "./dom.js";
import { diceOf, isSame, signOf } from "./swoggle_rules.js";

/** @typedef {import("./swoggle_types.js").Place} Place */
/** @typedef {import("./swoggle_types.js").SwoggleView} SwoggleView */
/** @typedef {import("./swoggle_rules.js").Letter} Letter */
/** @typedef {import("./swoggle_rules.js").Direction} Direction */
/** @typedef {import("./texts.js").Texts} Texts */

/** @type {Readonly<Record<string, Place>>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
/** @type {Readonly<Record<string, string>>} */
const COLOURS = { o: "orange", y: "yellow", r: "red", "#": "black" };
const DRAG_PX = 8;

/**
 * @typedef {object} Hands what is done to the board
 * @property {(place: Place) => void} tap
 * @property {(place: Place) => void} walk keys came to a square
 * @property {(letter: string) => void} type
 * @property {() => void} back the last letter is taken back
 * @property {() => void} submit
 * @property {() => void} clear
 * @property {(letter: string, to: Place | null, from: Place | null) => void} drop a letter is
 *   dragged to a square, or off the board; from a square, or from the keys
 */

/**
 * A board in a frame.
 *
 * @param {HTMLElement} frame
 * @param {Texts} texts
 * @param {Hands} hands
 */
export function makeSwoggleBoard(frame, texts, hands) {
  const body = make("tbody", { role: "rowgroup" });
  const table = make("table", { class: "squares", role: "grid", "aria-label": texts.say("swoggle.board") }, body);
  let drawn = "";
  /** @type {Place} */
  let focused = [0, 0];
  frame.replaceChildren(table);

  /** @param {Place} place @returns {HTMLElement | null} */
  const squareAt = ([row, col]) =>
    /** @type {HTMLElement | null} */ (body.children[row]?.children[col]?.firstElementChild ?? null);

  /** @param {string[][]} squares */
  function build(squares) {
    body.replaceChildren(...squares.map((line, row) => make("tr", { role: "row" }, ...line.map((sign, col) => make("td", { role: "gridcell" }, squareOf(sign, [row, col]))))));
    table.style.setProperty("--rows", String(squares.length));
    table.style.setProperty("--cols", String(squares[0]?.length ?? 0));
    rove([Math.floor(squares.length / 2), Math.floor((squares[0]?.length ?? 0) / 2)]);
  }

  /** @param {Place} place the one square that Tab comes to */
  function rove(place) {
    squareAt(focused)?.setAttribute("tabindex", "-1");
    focused = place;
    squareAt(focused)?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = ARROWS[event.key];
    if (step) walk([focused[0] + step[0], focused[1] + step[1]]);
    else if (event.key === "Backspace") hands.back();
    else if (event.key === "Escape") hands.clear();
    else if (event.key === "Enter") hands.submit();
    else if (/^\p{L}$/u.test(event.key)) hands.type(event.key);
    else return;
    event.preventDefault();
  }

  /** @param {Place} place */
  function walk(place) {
    if (!squareAt(place)) return;
    rove(place);
    squareAt(place)?.focus();
    hands.walk(place);
  }

  table.addEventListener("keydown", pressed);
  table.addEventListener("click", (event) => {
    const place = placeOf(/** @type {Element} */ (event.target));
    if (!place) return;
    rove(place);
    hands.tap(place);
  });
  followLetters(hands);

  return {
    /** @param {SwoggleView} view @param {Letter[]} written @param {Place | null} cursor @param {Direction} direction */
    show(view, written, cursor, direction) {
      const wanted = JSON.stringify([view.squares, view.letters, view.fresh, written, cursor, direction]);
      if (wanted === drawn) return;
      if (!body.children.length) build(view.squares);
      drawn = wanted;
      view.squares.forEach((line, row) => line.forEach((sign, col) => showSquare([row, col], sign)));

      /** @param {Place} place @param {string} sign */
      function showSquare(place, sign) {
        const square = squareAt(place);
        if (!square) return;
        const now = written.find((each) => isSame(each.place, place))?.letter ?? "";
        const letter = now || (view.letters[place[0]]?.[place[1]] ?? "");
        const isFresh = view.fresh.some((each) => isSame(each, place));
        const isHere = isSame(cursor, place);
        mark(square, { "data-written": now !== "", "data-fresh": !now && isFresh, "data-cursor": isHere ? direction : null });
        mark(square, { "aria-label": spoken(place, sign, letter, now !== "", isHere ? direction : "", texts) });
        const print = /** @type {Element} */ (square.firstElementChild);
        if (print.textContent !== letter) print.textContent = letter;
      }
    },
    /** Have a square in sight; keys that are at the board are at this square then. @param {Place} place */
    goTo(place) {
      const hasKeys = table.contains(document.activeElement);
      rove(place);
      if (hasKeys) squareAt(place)?.focus({ preventScroll: true });
      squareAt(place)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    },
  };
}

/** @param {Element | null} element within a square @returns {Place | null} */
function placeOf(element) {
  const at = element?.closest("[data-at]")?.getAttribute("data-at")?.split("-").map(Number);
  return at ? /** @type {Place} */ ([at[0], at[1]]) : null;
}

/** @param {string} sign @param {Place} place */
function squareOf(sign, [row, col]) {
  const plain = signOf(sign);
  const printed = diceOf(sign) ? "•".repeat(diceOf(sign)) : plain === "#" ? "" : plain;
  return make(
    "button",
    { class: "square", type: "button", tabindex: -1, "data-kind": COLOURS[plain] ?? "plain", "data-cross": sign.endsWith("+"), "data-at": `${row}-${col}`, "data-testid": `square-${row}-${col}` },
    make("span", { class: "letter", "aria-hidden": "true" }),
    make("span", { class: "value", "aria-hidden": "true" }, printed),
  );
}

/** @param {Place} place @param {string} sign @param {string} letter @param {boolean} isNow @param {string} direction @param {Texts} texts */
function spoken([row, col], sign, letter, isNow, direction, texts) {
  const plain = signOf(sign);
  const kind = COLOURS[plain];
  const parts = [
    texts.say("swoggle.place", { row: row + 1, col: col + 1 }),
    letter || (kind !== "black" && texts.say("swoggle.empty")),
    isNow && texts.say("swoggle.written_now"),
    kind ? texts.say(`swoggle.square.${kind}`) : texts.count("common.points", Number(plain)),
    sign.endsWith("+") && texts.say("swoggle.cross"),
    direction && texts.say(`swoggle.${direction}`),
  ];
  return parts.filter(Boolean).join(", ");
}

/**
 * Letters that are dragged: from the keys to a square, from a square to another, or off the board.
 *
 * @param {Hands} hands
 */
function followLetters(hands) {
  /** @type {{ id: number, letter: string, from: Place | null, x: number, y: number, ghost: HTMLElement | null } | null} */
  let held = null;

  /** @param {PointerEvent} event */
  function down(event) {
    const origin = /** @type {Element} */ (event.target).closest("[data-letter], [data-written]");
    if (held || event.button !== 0 || !origin) return;
    const letter = origin.getAttribute("data-letter") ?? origin.querySelector(".letter")?.textContent ?? "";
    held = { id: event.pointerId, letter, from: placeOf(origin), x: event.clientX, y: event.clientY, ghost: null };
    if (origin.hasPointerCapture(event.pointerId)) origin.releasePointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (held?.id !== event.pointerId) return;
    if (!held.ghost && Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAG_PX) return;
    held.ghost ??= lifted(held.letter);
    held.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
  }

  /** @param {PointerEvent} event */
  function up(event) {
    if (held?.id !== event.pointerId) return;
    const { ghost, letter, from } = held;
    held = null;
    if (!ghost) return; // it was a tap
    ghost.remove();
    swallowClick();
    hands.drop(letter, placeOf(document.elementFromPoint(event.clientX, event.clientY)), from);
  }

  function cancel() {
    held?.ghost?.remove();
    held = null;
  }

  addEventListener("pointerdown", down);
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", cancel);
}

/** @param {string} letter */
function lifted(letter) {
  const ghost = make("span", { class: "lifted", "aria-hidden": "true" }, letter);
  document.body.append(ghost);
  return ghost;
}

/** A drag that ends where it began is no tap. */
function swallowClick() {
  /** @param {Event} event */
  const swallow = (event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
}
