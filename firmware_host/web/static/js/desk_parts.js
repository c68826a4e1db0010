// @ts-check
// What sections of a desk are made of: built once, filled in anew; lists that keep their elements.

import { icon, make, write } from "./dom.js";

/** @typedef {import("./desk_types.js").Context} Context */
/** @typedef {import("./dom.js").Child} Child */

/**
 * A section that is built when it is first shown. What it builds is given each later context.
 *
 * @param {(root: HTMLElement, context: () => Context) => (context: Context) => void} build
 */
export function built(build) {
  /** @type {{ context: Context, take: (context: Context) => void } | null} */
  let view = null;
  /** @param {HTMLElement} root @param {Context} context */
  return (root, context) => {
    if (view) view.context = context;
    else {
      /** @type {{ context: Context, take: (context: Context) => void }} */
      const made = { context, take: () => {} };
      made.take = build(root, () => made.context);
      view = made;
    }
    view.take(context);
  };
}

/**
 * Something asked again whenever what it hangs on is another thing; an answer that failed is asked
 * for again.
 *
 * @param {() => Promise<boolean>} load whether there was an answer
 */
export function onChange(load) {
  let seen = "";
  /** @param {unknown} stamp */
  return async (stamp) => {
    const now = JSON.stringify(stamp);
    if (now === seen) return;
    seen = now;
    if (!(await load()) && seen === now) seen = "";
  };
}

/**
 * Have a list show some things, each in an element that stays: whoever has it in focus keeps it.
 *
 * @template T
 * @param {HTMLElement} list
 * @param {(thing: T) => string} keyOf
 * @param {(thing: T) => { element: HTMLElement, fill: (thing: T) => void }} create
 */
export function keyed(list, keyOf, create) {
  /** @type {Map<string, { element: HTMLElement, fill: (thing: T) => void }>} */
  let known = new Map();
  /** @param {T[]} things */
  return (things) => {
    const now = new Map(things.map((thing) => [keyOf(thing), known.get(keyOf(thing)) ?? create(thing)]));
    for (const thing of things) now.get(keyOf(thing))?.fill(thing);
    for (const [key, row] of known) if (!now.has(key)) row.element.remove();
    known = now;
    [...now.values()].forEach(({ element }, place) => {
      if (list.children[place] !== element) list.insertBefore(element, list.children[place] ?? null);
    });
  };
}

/**
 * A job that is not begun again while it is at it: an impatient press does nothing twice.
 *
 * @param {HTMLElement} element is marked as busy meanwhile
 * @param {() => unknown} does
 */
function once(element, does) {
  return async () => {
    if (element.ariaBusy === "true") return;
    element.ariaBusy = "true";
    try {
      await does();
    } finally {
      element.ariaBusy = null;
    }
  };
}

/**
 * @param {string} text
 * @param {() => unknown} does
 * @param {{ main?: boolean, sign?: string, testid?: string, label?: string }} [more]
 */
export function button(text, does, { main = false, sign = "", testid, label } = {}) {
  const element = /** @type {HTMLButtonElement} */ (
    make(
      "button",
      { class: main ? "button main" : "button", type: "button", "data-testid": testid, "aria-label": label },
      sign ? icon(sign) : null,
      text,
    )
  );
  element.addEventListener("click", once(element, does));
  return element;
}

/**
 * A field with its label.
 *
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} control has an id
 * @param {string} [size] `short` or `wide`
 */
export function field(label, control, size = "") {
  return make("div", { class: `field ${size}` }, make("label", { for: control.id }, label), control);
}

/**
 * @param {string} id
 * @param {Record<string, import("./dom.js").Attribute>} [more]
 */
export function input(id, more = {}) {
  const attributes = { id, autocomplete: "off", "data-testid": id, ...more };
  return /** @type {HTMLInputElement} */ (make("input", attributes));
}

/** @param {string} id @param {[string, string][]} options value and text of each */
export function select(id, options) {
  const element = /** @type {HTMLSelectElement} */ (make("select", { id, "data-testid": id }));
  offer(element, options);
  return element;
}

/**
 * The options of a choice; what was chosen stays so where it is still there.
 *
 * @param {HTMLSelectElement} element @param {[string, string][]} options value and text of each
 */
export function offer(element, options) {
  const before = element.value;
  const stamp = JSON.stringify(options);
  if (element.dataset.offered === stamp) return;
  element.dataset.offered = stamp;
  element.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
  if (options.some(([value]) => value === before)) element.value = before;
}

/**
 * A tick with its text.
 *
 * @param {string} id @param {string} text
 */
export function tick(id, text) {
  const control = input(id, { type: "checkbox" });
  return { control, element: make("label", { class: "radio" }, control, text) };
}

/**
 * A form that does something when it is sent.
 *
 * @param {string} name for tests
 * @param {() => unknown} does
 * @param {...Child} children
 */
export function form(name, does, ...children) {
  const element = /** @type {HTMLFormElement} */ (make("form", { class: "row at-foot", novalidate: true, "data-testid": name }, ...children));
  const sent = once(element, does);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    sent();
  });
  return element;
}

/** @param {string} text @param {{ main?: boolean, sign?: string, testid?: string }} [more] */
export function submit(text, { main = false, sign = "", testid } = {}) {
  return make("button", { class: main ? "button main" : "button", type: "submit", "data-testid": testid }, sign ? icon(sign) : null, text);
}

/** @param {string} title @param {...Child} children */
export function card(title, ...children) {
  return make("section", { class: "card stack" }, make("h2", {}, title), ...children);
}

/**
 * Lines of text; nothing is shown where there is none.
 *
 * @param {HTMLElement} list @param {string[]} texts
 */
export function lines(list, texts) {
  list.hidden = texts.length === 0;
  const before = [...list.children].map((child) => child.textContent);
  if (JSON.stringify(before) !== JSON.stringify(texts)) list.replaceChildren(...texts.map((text) => make("li", {}, text)));
}

/** @param {HTMLElement} element @param {string} text nothing is shown where it is empty */
export function note(element, text) {
  element.hidden = !text;
  write(element, text);
}

/** @param {HTMLInputElement} control @returns {number | undefined} */
export function numberOf(control) {
  return control.value.trim() === "" ? undefined : Number(control.value);
}

/**
 * Numbers of tables as people write them: 3, 5-8. Nothing is all of them; null is none at all.
 *
 * @param {string} text
 * @returns {number[] | null}
 */
export function tablesOf(text) {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const spans = parts.map(spanOf);
  return spans.every((span) => span.length) ? spans.flat() : null;
}

/** @param {string} part @returns {number[]} none where it is no number and no span */
function spanOf(part) {
  const [, first, last = first] = /^(\d{1,4})(?:[-–](\d{1,4}))?$/.exec(part) ?? [];
  return Array.from({ length: Math.max(0, Number(last) - Number(first) + 1) || 0 }, (_, place) => Number(first) + place);
}
