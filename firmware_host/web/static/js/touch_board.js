// @ts-check
// The tiles under a finger, a pen, a mouse or the arrow keys.

import { faceMarks, trailArrows } from "./board.js";
import { draw, make, mark } from "./dom.js";
import { indexIn, isSame, passed } from "./touch_rules.js";

/** @typedef {import("./touch_rules.js").Place} Place */
/** @typedef {import("./touch_rules.js").Tile} Tile */
/** @typedef {import("./texts.js").Texts} Texts */

/** @type {Readonly<Record<string, Place>>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * @typedef {object} Hands what is done to the tiles
 * @property {(place: Place) => void} tap
 * @property {(places: Place[]) => void} drag the finger came over these, the first time from the
 *   tile on which it came down
 * @property {() => void} drop the finger that dragged is lifted
 * @property {() => void} leave it was taken away by the system
 * @property {() => void} back the last letter is taken back
 * @property {() => void} clear all letters are
 */

/**
 * Tiles in a frame.
 *
 * @param {HTMLElement} frame
 * @param {Texts} texts
 * @param {Hands | null} hands null for tiles to look at
 */
export function makeTiles(frame, texts, hands) {
  const body = make("tbody", { role: "rowgroup" });
  const role = hands ? "grid" : "table";
  const table = make("table", { role, "aria-label": texts.say("touch.tiles") }, body);
  const tray = make("div", { class: hands ? "tray touching" : "tray" }, table);
  let drawn = "";
  /** @type {Tile[][]} */
  let tiles = [];
  /** @type {Place} */
  let focused = [0, 0];
  /** @type {SVGElement | null} */
  let trail = null;
  frame.replaceChildren(tray);

  /** @param {Place} place @returns {HTMLElement | null} */
  const cubeAt = ([row, col]) =>
    /** @type {HTMLElement | null} */ (body.children[row]?.children[col]?.firstElementChild ?? null);

  /** @param {Tile[][]} shown */
  function build(shown) {
    const cell = hands ? "gridcell" : "cell";
    body.replaceChildren(
      ...shown.map((line, row) =>
        make("tr", { role: "row" }, ...line.map((tile, col) => make("td", { role: cell }, cubeOf(tile, [row, col], hands !== null)))),
      ),
    );
    tray.style.setProperty("--rows", String(shown.length));
    tray.style.setProperty("--cols", String(shown[0]?.length ?? 0));
    rove([0, 0]);
  }

  /** @param {Place} place the one tile that Tab comes to */
  function rove(place) {
    if (!hands) return;
    cubeAt(focused)?.setAttribute("tabindex", "-1");
    focused = place;
    cubeAt(focused)?.setAttribute("tabindex", "0");
  }

  /** @param {Place[]} path @param {Place[]} used */
  function label(path, used) {
    tiles.forEach((line, row) =>
      line.forEach((tile, col) => {
        const at = indexIn(path, [row, col]);
        const isUsed = indexIn(used, [row, col]) >= 0;
        const cube = cubeAt([row, col]);
        if (!cube) return;
        const pressed = hands ? { "aria-pressed": String(at >= 0) } : {};
        mark(cube, { "data-order": at >= 0 ? at + 1 : null, "data-used": isUsed, ...pressed });
        mark(cube, { "aria-label": spoken(tile, [row, col], at, isUsed, texts) });
      }),
    );
  }

  /** @param {Place[]} path */
  function trace(path) {
    trail?.remove();
    trail = null;
    if (path.length < 2) return;
    const arrows = trailArrows(path);
    const size = `0 0 ${tiles[0]?.length ?? 0} ${tiles.length}`;
    const line = [draw("path", { d: arrows, class: "halo" }), draw("path", { d: arrows })];
    trail = draw("svg", { class: "trail", viewBox: size, "aria-hidden": "true" }, ...line);
    tray.append(trail);
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const step = ARROWS[event.key];
    const next = /** @type {Place} */ (step ? [focused[0] + step[0], focused[1] + step[1]] : focused);
    if (step && cubeAt(next)) {
      rove(next);
      cubeAt(next)?.focus();
    }
    if (event.key === "Backspace") hands?.back();
    if (event.key === "Escape") hands?.clear();
    if (step || event.key === "Backspace") event.preventDefault();
  }

  if (hands) {
    followFinger(table, () => [tiles.length, tiles[0]?.length ?? 0], hands, rove);
    table.addEventListener("keydown", pressed);
  }

  return {
    /** @param {Tile[][]} shown @param {Place[]} path @param {Place[]} used */
    show(shown, path, used) {
      const wanted = JSON.stringify(shown);
      if (wanted !== drawn) build(shown);
      drawn = wanted;
      tiles = shown;
      label(path, used);
      trace(path);
    },
    focus: () => cubeAt(focused)?.focus({ preventScroll: true }),
    tray,
  };
}

/**
 * Follow one finger over the tiles. One that stays on its tile taps; one that leaves it drags.
 *
 * @param {HTMLElement} area
 * @param {() => Place} size rows and columns
 * @param {Hands} hands
 * @param {(place: Place) => void} touched
 */
function followFinger(area, size, hands, touched) {
  /** @type {{ id: number, start: Place, at: { x: number, y: number }, dragging: boolean } | null} */
  let finger = null;

  /** @param {{ clientX: number, clientY: number }} event */
  function pointOf(event) {
    const box = area.getBoundingClientRect();
    const [rows, cols] = size();
    return { x: ((event.clientX - box.left) / box.width) * cols, y: ((event.clientY - box.top) / box.height) * rows };
  }

  /** @param {PointerEvent} event */
  function down(event) {
    if (finger || event.button !== 0) return;
    const at = pointOf(event);
    finger = { id: event.pointerId, start: [Math.floor(at.y), Math.floor(at.x)], at, dragging: false };
    area.setPointerCapture(event.pointerId);
    touched(finger.start);
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (finger?.id !== event.pointerId) return;
    const seen = event.getCoalescedEvents?.() ?? [];
    for (const each of seen.length ? seen : [event]) moved(pointOf(each));
  }

  /** @param {{ x: number, y: number }} at */
  function moved(at) {
    if (!finger) return;
    const { start } = finger;
    const places = passed(finger.at, at);
    finger.at = at;
    const leaves = places.some((place) => !isSame(place, start));
    if (!finger.dragging && !leaves) return;
    hands.drag(finger.dragging ? places : [start, ...places]);
    finger.dragging = true;
  }

  /** @param {PointerEvent} event */
  function up(event) {
    if (finger?.id !== event.pointerId) return;
    const { start, dragging } = finger;
    finger = null;
    if (dragging) hands.drop();
    else hands.tap(start);
  }

  /** @param {PointerEvent} event */
  function cancel(event) {
    if (finger?.id !== event.pointerId) return;
    finger = null;
    hands.leave();
  }

  area.addEventListener("pointerdown", down);
  area.addEventListener("pointermove", move);
  area.addEventListener("pointerup", up);
  area.addEventListener("pointercancel", cancel);
  area.addEventListener("contextmenu", (event) => event.preventDefault());
  area.addEventListener("click", (event) => {
    // Keys and screen readers click without a pointer.
    const cell = event.detail === 0 && /** @type {Element} */ (event.target).closest("td");
    const line = cell && cell.closest("tr");
    if (!cell || !line) return;
    const place = /** @type {Place} */ ([indexOf(line), indexOf(cell)]);
    touched(place);
    hands.tap(place);
  });
}

/** @param {Element} element among its siblings */
function indexOf(element) {
  return [...(element.parentElement?.children ?? [])].indexOf(element);
}

/** @param {Tile} tile @param {Place} place @param {boolean} isButton */
function cubeOf(tile, [row, col], isButton) {
  const letters = tile.lettered ? tile.face : "";
  const parts = [
    make("span", { class: "letter" }, letters),
    tile.bonus !== null && make("span", { class: "bonus" }, tile.bonus),
    tile.lettered && make("span", { class: "value" }, String(tile.value)),
    make("span", { class: "dot" }),
  ];
  const marks = { class: "cube", ...faceMarks(tile.face), "data-bonus": tile.bonus };
  const hidden = parts.map((part) => {
    if (part) part.setAttribute("aria-hidden", "true");
    return part;
  });
  if (isButton) return make("button", { ...marks, type: "button", tabindex: -1, "data-testid": `tile-${row}-${col}` }, ...hidden);
  return make("div", { ...marks, role: "img" }, ...hidden);
}

/** @param {Tile} tile @param {Place} place @param {number} at @param {boolean} isUsed @param {Texts} texts */
function spoken(tile, [row, col], at, isUsed, texts) {
  const name = tile.lettered ? tile.face : texts.say(tile.face === "_" ? "board.missing" : "board.blank");
  const parts = [
    texts.say("board.cell", { face: name, row: row + 1, col: col + 1 }),
    tile.lettered && texts.count("common.points", tile.value),
    tile.bonus !== null && texts.say(`touch.bonus.${tile.bonus}`),
    at >= 0 && texts.say("touch.letter_of_word", { number: at + 1 }),
    isUsed && texts.say("touch.used"),
  ];
  return parts.filter(Boolean).join(", ");
}
