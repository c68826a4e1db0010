// @ts-check
// The overlay of a broadcast: the first ranks of a division and the announcement, on nothing.
// ?rows=5 and ?division=main say how many, and of which.

import { slot } from "./dom.js";
import { follow, ranks } from "./hall.js";
import { makeNotice } from "./notice.js";
import { pageTexts } from "./texts.js";

const MOST_ROWS = 30;

const texts = pageTexts();
const notice = makeNotice(texts);
const wishes = new URLSearchParams(location.search);
const rows = Math.min(Math.max(Number(wishes.get("rows")) || 8, 1), MOST_ROWS);

follow((feed, ahead) => {
  const division = wishes.get("division") ?? Object.keys(feed.standings)[0] ?? "";
  const standings = feed.rounds.counted ? (feed.standings[division] ?? []) : [];
  const caption = texts.say("hall.after", { number: feed.rounds.counted });
  notice.set(feed.notice, ahead);
  slot("view").replaceChildren(...(standings.length ? [ranks(feed, standings.slice(0, rows), caption, texts)] : []));
});
