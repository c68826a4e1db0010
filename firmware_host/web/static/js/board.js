// @ts-check
// The board: a table of cubes on their tray, and the path of a word over it.

import { draw, make, mark } from "./dom.js";

/** @typedef {import("./types.js").Place} Place */
/** @typedef {import("./texts.js").Texts} Texts */

/**
 * @typedef {object} Cell what one place of the tray shows
 * @property {string | null} face null for a print that must not be seen
 * @property {boolean} [settled] it is read
 * @property {boolean} [asked] somebody is asked about it
 * @property {boolean} [fixed] no tap on it means anything
 */

/**
 * The cells of a board whose letters are seen.
 *
 * @param {string[][]} faces
 * @param {boolean} [fixed] no tap on them means anything
 * @returns {Cell[][]}
 */
export function openCells(faces, fixed = false) {
  return faces.map((row) => row.map((face) => (fixed ? { face, fixed } : { face })));
}

/**
 * The cells of a board whose letters are hidden.
 *
 * @param {number} rows
 * @param {number} cols
 * @param {boolean[][] | null} [settled] those that are read
 * @param {{ row: number, col: number } | null} [asked] the one that somebody is asked about
 * @returns {Cell[][]}
 */
export function hiddenCells(rows, cols, settled = null, asked = null) {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: cols }, (__, col) => ({
      face: null,
      settled: Boolean(settled?.[row]?.[col]),
      asked: asked?.row === row && asked.col === col,
    })),
  );
}

/** Milliseconds from one cube that turns over at the start to the next, and for all of them. */
const [STEP_MS, ALL_MS] = [80, 1100];

/**
 * When each cube turns over: one that is read at once, and at the start of the sand one by one.
 *
 * @param {Cell[][] | null} before what was shown before; null for nothing
 * @param {Cell[][]} now
 * @param {boolean} opening the letters show from now on
 * @returns {(number | null)[][]} milliseconds from now; null for a cube that stays as it is
 */
export function turnTimes(before, now, opening) {
  const step = Math.min(STEP_MS, ALL_MS / Math.max(1, now.flat().length));
  let count = -1;
  return now.map((line, row) =>
    line.map((cell, col) => {
      const old = before?.[row]?.[col];
      if (!old) return null;
      if (opening && cell.face !== null) return Math.round((count += 1) * step);
      return cell.settled && !old.settled ? 0 : null;
    }),
  );
}

/**
 * Small arrows from each cube of a path to the next, in units of cells. They leave the letters free.
 *
 * @param {Place[]} path
 * @returns {string} what an SVG path draws
 */
export function trailArrows(path) {
  return path.slice(1).map((to, index) => arrow(path[index] ?? to, to)).join("");
}

/** @param {Place} from @param {Place} to */
function arrow([fromRow, fromCol], [toRow, toCol]) {
  const [down, right] = [toRow - fromRow, toCol - fromCol];
  const long = Math.hypot(down, right);
  const [x, y] = [right / long, down / long];
  const [middleX, middleY] = [(fromCol + toCol + 1) / 2, (fromRow + toRow + 1) / 2];
  /** @param {number} along @param {number} aside */
  const at = (along, aside) => `${round(middleX + along * x - aside * y)} ${round(middleY + along * y + aside * x)}`;
  return `M${at(-0.14, 0)}L${at(0.12, 0)}M${at(0.03, -0.09)}L${at(0.14, 0)}L${at(0.03, 0.09)}`;
}

/** @param {number} number */
const round = (number) => Number(number.toFixed(3));

/**
 * How a face is set: letters on it, and whether a line tells its foot.
 *
 * @param {string | null} face
 * @returns {Record<string, string | boolean>}
 */
export function faceMarks(face) {
  if (face === null) return { "data-face": "hidden" };
  if (face === "#") return { "data-face": "blank" };
  if (face === "_") return { "data-face": "missing" };
  return { "data-wide": String([...face].length), "data-foot": ["M", "W", "Z", "N"].includes(face) };
}

/**
 * A cube that shows a face.
 *
 * @param {string} face
 * @param {string} tag of its element
 * @param {Record<string, import("./dom.js").Attribute>} [attributes]
 */
export function cube(face, tag = "span", attributes = {}) {
  const print = face === "#" || face === "_" ? "" : face;
  return make(tag, { class: "cube", ...faceMarks(face), ...attributes }, make("span", { class: "letter" }, print));
}

/**
 * A board in a frame; the frame is the room that it may fill.
 *
 * @param {HTMLElement} frame
 * @param {Texts} texts
 * @param {(cell: Place) => void} [onTap] makes cubes that show their letters buttons
 */
export function makeBoard(frame, texts, onTap) {
  const body = make("tbody");
  const table = make("table", { role: "table", "aria-label": texts.say("board.label") }, body);
  const tray = make("div", { class: "tray" }, table);
  let drawn = "";
  /** @type {Cell[][] | null} */
  let shown = null;
  /** @type {SVGElement | null} */
  let trail = null;
  frame.replaceChildren(tray);

  /** @param {Cell} cell @param {number} row @param {number} col */
  function cubeOf(cell, row, col) {
    const said = spoken(cell, texts);
    const letters = cell.face === null || cell.face === "#" || cell.face === "_" ? "" : cell.face;
    const marks = { ...faceMarks(cell.face), "data-settled": cell.settled, "data-asked": cell.asked };
    const print = make("span", { class: "letter", "aria-hidden": "true" }, letters);
    const name = texts.say("board.cell", { face: said, row: row + 1, col: col + 1 });
    if (!onTap || cell.face === null || cell.fixed) return make("div", { class: "cube", ...marks }, print, make("span", { class: "unseen" }, said));
    const button = make("button", { class: "cube", type: "button", "aria-pressed": "false", "aria-label": name, ...marks }, print);
    button.addEventListener("click", () => onTap([row, col]));
    return button;
  }

  /** The others stay as they are, perhaps in the middle of a turn. @param {Cell[][]} cells @param {Cell[][]} before of the same size */
  function exchange(cells, before) {
    cells.forEach((line, row) =>
      line.forEach((cell, col) => {
        if (JSON.stringify(cell) === JSON.stringify(before[row]?.[col])) return;
        body.children[row]?.children[col]?.replaceChildren(cubeOf(cell, row, col));
      }),
    );
  }

  /** @param {Cell[][]} cells */
  function build(cells) {
    body.replaceChildren(
      ...cells.map((line, row) =>
        make("tr", { role: "row" }, ...line.map((cell, col) => make("td", { role: "cell" }, cubeOf(cell, row, col)))),
      ),
    );
    tray.style.setProperty("--rows", String(cells.length));
    tray.style.setProperty("--cols", String(cells[0]?.length ?? 0));
  }

  /** @param {Place} place */
  const cubeAt = ([row, col]) => body.children[row]?.children[col]?.firstElementChild ?? null;

  return {
    tray,
    cubeAt,
    /** @param {Cell[][]} cells @param {boolean} [opening] the letters show from now on */
    show(cells, opening = false) {
      const wanted = JSON.stringify(cells);
      if (wanted === drawn) return;
      const times = turnTimes(shown, cells, opening);
      this.trace(null);
      this.press(null);
      if (shown?.length === cells.length && shown[0]?.length === cells[0]?.length) exchange(cells, shown);
      else build(cells);
      drawn = wanted;
      shown = cells;
      times.forEach((line, row) => line.forEach((at, col) => at !== null && turnOver(cubeAt([row, col]), at)));
    },
    /** @param {number} quarter 0–3 */
    turn(quarter) {
      const turns = tray.dataset.turn !== undefined && tray.dataset.turn !== String(quarter);
      tray.dataset.turn = String(quarter);
      tray.classList.remove("turning");
      tray.getBoundingClientRect(); // else it would not begin anew
      tray.classList.toggle("turning", turns);
    },
    /** @param {Place | null} place */
    press(place) {
      for (const found of body.querySelectorAll("button")) mark(found, { "aria-pressed": "false" });
      if (place) cubeAt(place)?.setAttribute("aria-pressed", "true");
    },
    /** @param {Place[] | null} path its cubes are numbered, so that the way is clear without colour */
    trace(path) {
      for (const lit of body.querySelectorAll("[data-order]")) lit.removeAttribute("data-order");
      trail?.remove();
      trail = null;
      if (!path) return;
      path.forEach((place, index) => cubeAt(place)?.setAttribute("data-order", String(index + 1)));
      const size = `0 0 ${tray.style.getPropertyValue("--cols")} ${tray.style.getPropertyValue("--rows")}`;
      trail = draw(
        "svg",
        { class: "trail", viewBox: size, "aria-hidden": "true" },
        draw("path", { d: trailArrows(path), class: "halo" }),
        draw("path", { d: trailArrows(path) }),
      );
      tray.append(trail);
    },
  };
}

/** @typedef {ReturnType<typeof makeBoard>} BoardView */

/** @param {Element | null} found @param {number} at milliseconds from now */
function turnOver(found, at) {
  if (!(found instanceof HTMLElement)) return;
  found.dataset.turning = "";
  found.style.setProperty("--at", `${at}ms`);
}

/** @param {Cell} cell @param {Texts} texts */
function spoken(cell, texts) {
  if (cell.face === "#") return texts.say("board.blank");
  if (cell.face === "_") return texts.say("board.missing");
  if (cell.face !== null) return cell.face;
  return texts.say(cell.settled ? "board.read" : "board.hidden");
}
