// @ts-check
// The few things that pages do with their elements. Text goes in as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {string | number | boolean | null | undefined} Attribute
 * @typedef {Node | string | null | false} Child
 */

/**
 * Attributes on an element: true is an empty one, false and null are none.
 *
 * @param {Element} element
 * @param {Record<string, Attribute>} attributes
 */
export function mark(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * A new element.
 *
 * @param {string} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  mark(element, attributes);
  element.append(...kept(children));
  return element;
}

/**
 * A new element of a drawing.
 *
 * @param {string} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  mark(element, attributes);
  element.append(...kept(children));
  return element;
}

/**
 * A sign; it is decoration, the text beside it says the same. The page itself has them all, so that
 * they are there without a connection.
 *
 * @param {string} name
 */
export function icon(name) {
  return draw("svg", { class: "icon", "aria-hidden": "true" }, draw("use", { href: `#sign-${name}` }));
}

/**
 * The element of a name in a page; its template has it.
 *
 * @param {string} name
 * @returns {HTMLElement}
 */
export function slot(name) {
  const found = document.querySelector(`[data-slot="${name}"]`);
  if (!(found instanceof HTMLElement)) throw new Error(`this page has no ${name}`);
  return found;
}

/**
 * Set a text where it is another one: what stays the same is not announced again.
 *
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Show what belongs to a view, and nothing of the others.
 *
 * @param {string} view
 */
export function showView(view) {
  for (const element of document.querySelectorAll("[data-views]")) {
    const views = (element.getAttribute("data-views") ?? "").split(" ");
    /** @type {HTMLElement} */ (element).hidden = !views.includes(view);
  }
  document.getElementById("main")?.setAttribute("data-view", view);
}

/**
 * Whether somebody asked for little movement.
 *
 * @returns {boolean}
 */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function kept(children) {
  return /** @type {(Node | string)[]} */ (children.filter((child) => child !== null && child !== false));
}
