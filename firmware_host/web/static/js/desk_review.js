// @ts-check
// The review of all tables: one question after the other comes by itself, each to one referee at a
// time; beside it who looks at what, and what was decided.

import { built, button, keyed } from "./desk_parts.js";
import { makeCard, spoken, titleOf } from "./desk_review_card.js";
import { make, write } from "./dom.js";
import { oneAtATime, timeOf } from "./referee_desk.js";
import { wishOf } from "./referee_state.js";

/** @typedef {import("./desk_types.js").Context} Context */
/** @typedef {import("./desk_review_card.js").Question} Question */
/** @typedef {import("./desk_review_card.js").Said} Said */

/**
 * @typedef {import("./desk_review_card.js").Where & { id: string, said: Said, undo: string | null,
 *   undo_why: string }} Decided
 * @typedef {{ open: number, questions: Question[], decided: Decided[] }} Queue
 */

/** Milliseconds after which the lease of what is looked at is renewed: it lasts three times as long. */
const RENEW = 15_000;

/** What others look at, and what was decided: so much of it is shown. */
const MOST_LINES = 20;

/** Questions that are passed over at most, before the first of them comes again. */
const MOST_SKIPPED = 200;

/** @param {import("./desk_types.js").DeskState} state */
export const badge = ({ review }) => review?.open ?? 0;

export const show = built(makeReview);

/**
 * What became of a decision, for people; empty where its table has it.
 *
 * @param {Decided} decided
 * @param {import("./texts.js").Texts} texts
 */
export function fateOf({ said, undo, undo_why }, texts) {
  if (undo === "done") return texts.say("desk.review.undone");
  if (undo === "refused" || undo === "late") return texts.say("desk.review.undo_refused", { why: undo_why });
  if (undo !== null) return texts.say("desk.review.undoing");
  if (said.outcome === "refused" || said.outcome === "late") return texts.say("desk.review.refused", { why: said.why });
  return said.outcome === "done" ? "" : texts.say("desk.review.on_way");
}

/**
 * Whether a decision can be asked to be taken back: its table has it, and was not asked before.
 *
 * @param {Decided} decided
 */
export function isUndoable({ said, undo }) {
  return said.outcome === "done" && (undo === null || undo === "refused" || undo === "late");
}

/** @param {HTMLElement} root @param {() => Context} context */
function makeReview(root, context) {
  const { texts } = context();
  const known = {
    /** @type {Question | null} */
    question: null,
    /** @type {Set<string>} */
    skipped: new Set(),
    tag: "",
    /** @type {Queue} */
    queue: { open: 0, questions: [], decided: [] },
  };
  const card = makeCard(texts, { decide, skip });
  const count = make("p", { class: "soft figures", "data-testid": "review-open" });
  const calm = make("p", { class: "card calm", "data-testid": "review-calm", hidden: true });
  const others = make("ul", { class: "lines", "data-testid": "review-others" });
  const decided = make("ul", { class: "lines", "data-testid": "review-decided" });
  root.replaceChildren(
    count,
    calm,
    card.element,
    make("section", { class: "card" }, make("h2", {}, texts.say("desk.review.others")), others),
    make("section", { class: "card" }, make("h2", {}, texts.say("desk.review.decided")), decided),
  );

  const showDecided = keyed(decided, ({ id }) => id, decidedRow);
  const showOthers = keyed(others, ({ id }) => id, () => {
    const element = make("li");
    return { element, fill: (/** @type {Question} */ question) => write(element, otherText(question)) };
  });

  // One thing after the other: what is heard of before something was claimed tells nothing of that.
  let last = Promise.resolve();
  /** @param {() => Promise<void>} job */
  const inTurn = (job) => (last = last.then(job, job));
  const look = oneAtATime(() => inTurn(lookNow));

  async function lookNow() {
    const answer = await context().api("GET", "/api/review");
    if (!answer.ok) return;
    known.queue = answer.document;
    const before = known.question;
    known.question = known.queue.questions.find(({ yours, said }) => yours && !said) ?? null;
    if (before && known.question?.id !== before.id) context().tell(texts.say("desk.review.lost"));
    if (!known.question && known.queue.open > 0 && !document.hidden) await next();
    draw();
  }

  // What was skipped comes again when there is nothing else.
  async function next() {
    for (const skipped of known.skipped.size ? [[...known.skipped].slice(-MOST_SKIPPED), []] : [[]]) {
      const answer = await context().api("POST", "/api/review/next", { skipped });
      known.question = answer.ok ? answer.document : null;
      if (known.question || !answer.ok) return;
      known.skipped.clear();
    }
  }

  /**
   * Do something with what is looked at, unless that is another by then: a key that is pressed
   * twice must not settle two.
   *
   * @param {(question: Question) => Promise<boolean>} does whether to go on
   */
  function withQuestion(does) {
    const { question } = known;
    return inTurn(async () => {
      if (question && known.question?.id === question.id && (await does(question))) await goOn();
    });
  }

  /** @param {string} text @param {boolean} struck */
  function decide(text, struck) {
    return withQuestion(async (question) => {
      const answer = await context().api("POST", `/api/review/${question.id}`, { text, struck });
      if (answer.ok) context().tell(texts.say("desk.review.said", { where: titleOf(question, texts), what: spoken({ text, struck }, texts) }));
      return answer.ok || answer.status === 409;
    });
  }

  function skip() {
    return withQuestion(async ({ id }) => Boolean(known.skipped.add(id)));
  }

  async function goOn() {
    const here = root.contains(document.activeElement);
    await next();
    draw();
    if (here && known.question) card.focus();
    else if (here) root.focus();
    look();
  }

  function renew() {
    return withQuestion(async ({ id }) => {
      if (root.hidden || document.hidden) {
        known.question = null;
        await context().api("DELETE", "/api/review/claim");
        return false;
      }
      return (await context().api("POST", `/api/review/${id}/claim`)).status === 409;
    });
  }

  function draw() {
    const { open, questions } = known.queue;
    write(count, texts.say("desk.review.open", { count: open }));
    write(calm, texts.say(open > 0 ? "desk.review.waiting" : "desk.review.none"));
    calm.hidden = known.question !== null;
    card.show(known.question);
    const busy = questions.filter(({ id, looker, yours, said }) => id !== known.question?.id && ((looker && !yours) || said));
    showOthers(busy.slice(0, MOST_LINES));
    showDecided(known.queue.decided.slice(0, MOST_LINES));
  }

  /** @param {Question} question */
  function otherText(question) {
    const { said, looker } = question;
    const what = said
      ? texts.say("desk.review.decided_by", { what: spoken(said, texts), name: said.by })
      : texts.say("desk.review.looking", { name: looker });
    return `${titleOf(question, texts)}: ${what}`;
  }

  /** @param {Decided} one */
  function decidedText(one) {
    const { said } = one;
    const told = { where: titleOf(one, texts), what: spoken(said, texts), name: said.by, time: timeOf(said.at, texts.language) };
    return [texts.say("desk.review.told", told), fateOf(one, texts)].filter(Boolean).join(": ");
  }

  /** @param {Decided} one */
  function decidedRow(one) {
    const text = make("span");
    const name = `${texts.say("desk.review.undo")}: ${titleOf(one, texts)}, ${spoken(one.said, texts)}`;
    const undo = button(texts.say("desk.review.undo"), () => takeBack(one), { testid: "review-undo", label: name });
    return {
      element: make("li", { class: "row apart" }, text, undo),
      /** @param {Decided} now */
      fill: (now) => {
        write(text, decidedText(now));
        undo.hidden = !isUndoable(now);
      },
    };
  }

  /** @param {Decided} one */
  async function takeBack({ id }) {
    const answer = await context().api("POST", `/api/review/${id}/undo`);
    if (answer.ok) context().tell(texts.say("desk.review.asked_back"));
    look();
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.defaultPrevented || event.isComposing || !known.question) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input, textarea, select")) return;
    const onButton = target.closest("button:not([role=tab]), a") !== null;
    const wish = wishOf(event, { part: "doubts", onButton });
    if (wish && card.obey(wish)) event.preventDefault();
  }

  // Keys count where the review, or its tab, has the focus, and nowhere else.
  const tab = document.getElementById(root.getAttribute("aria-labelledby") ?? "");
  for (const element of [root, tab]) element?.addEventListener("keydown", press);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && !root.hidden) look();
  });
  setInterval(renew, RENEW);

  /** @param {string} why nothing can be asked */
  function rest(why) {
    known.question = null;
    card.show(null);
    write(calm, why);
    calm.hidden = false;
  }

  /** @param {Context} now */
  return ({ state }) => {
    const { tag, trouble } = state.review;
    if (!tag) return rest(trouble ?? texts.say("desk.problem.no_station"));
    if (tag === known.tag && known.question) return;
    known.tag = tag;
    look();
  };
}
