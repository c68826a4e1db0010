"""The proof of an event: what is whole passes, and each planted change is found."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest

from scoring.board import Board
from scoring.cubes import cube_set
from scoring.lexicon import Lexicon
from scoring.rules import game
from scoring.solver import solve
from scoring.tournament.commitment import BoardPlace, commitment
from scoring.tournament.document import event_document, results_document
from scoring.tournament.drawing import draw, draw_event
from scoring.tournament.judging import Judge
from scoring.tournament.log import (
    EventError,
    Log,
    entry_of,
    folded,
    hash_of_head,
    linked,
    plan_of,
)
from scoring.tournament.plan import Plan, Prize
from scoring.tournament.proof import Proof, verify

Document = dict[str, Any]
Change = Callable[[Document, random.Random], None]

LEXICON = Lexicon.from_words(
    "house",
    [
        *("ear", "ears", "her", "met", "meter", "quit", "quite", "tea", "team", "term", "the"),
        *("sea", "seat", "eat", "ate", "tin", "ten", "net", "nets", "rat", "art", "tar", "toe"),
        *("not", "ton", "one", "lot", "los", "son", "sin", "its", "sit", "hit", "tie", "die"),
        *("red", "end", "den", "dot", "rot", "her", "hen", "hot", "log", "leg", "get", "let"),
    ],
)
NAMES = ["ann", "bob", "cy", "dee", "eve", "flo"]
SALT = "0f" * 16


def photo(text: str) -> str:
    return hash_of_head({"photo": text})


def played_event() -> Log:
    """Two rounds of two boards at two tables: promised boards, photos, a correction."""
    plan = Plan.agree(
        "Spring", "house", LEXICON.digest, seats=3, rounds=2, boards=2, prizes=[Prize("Cup")]
    )
    log = Log.new(plan).play(0.0, *({"type": "enrol", "player": name} for name in NAMES))
    for number in (1, 2):
        log = _played(log, number)
    first = log.state.rounds[0].tables[1][0]
    mended = {
        "type": "lists", "round": 1, "board": 1, "table": 1, "lists": {first: ["tea"]},
        "why": "misread",
    }  # fmt: skip
    log = log.play(90.0, mended)
    log = log.play(91.0, *Judge(log.plan, LEXICON).events(log.state.rounds[0], 1, "misread"))
    adjusted = {"type": "adjust", "round": 2, "player": "ann", "points": -1, "why": "late"}
    return log.play(92.0, adjusted)


def _played(log: Log, number: int) -> Log:
    log = log.play(10.0 * number, draw_event(number, draw(log.plan, log.state, "main")))
    for board in (1, 2):
        log = _board(log, number, board)
    return log


def _board(log: Log, number: int, board: int) -> Log:
    rng = random.Random(10 * number + board)
    text = str(rich_board(rng))
    place = {"round": number, "board": board, "table": 0}
    promise = commitment(BoardPlace("Spring", number, board, 0), text, SALT)
    words = [found.word for found in solve(Board.parse(text), LEXICON, game("boggle")).words]
    log = log.play(
        10.0 * number + board,
        {"type": "commit", **place, "hash": promise},
        {"type": "board", **place, "shown": text, "salt": SALT, "photo": photo(text)},
        *(
            {
                "type": "lists",
                **place,
                "table": table,
                "lists": {name: [*rng.sample(words, len(words) // 2), "zzz"] for name in players},
                "photos": {name: photo(f"{name} {number} {board}") for name in players},
            }
            for table, players in log.state.rounds[-1].tables.items()
        ),
    )
    return log.play(
        10.0 * number + board, *Judge(log.plan, LEXICON).events(log.state.rounds[-1], board)
    )


def rich_board(rng: random.Random) -> Board:
    """A board with six words at least, so that lists differ."""
    while True:
        board = cube_set("new_4x4").roll(rng)
        if solve(board, LEXICON, game("boggle")).count >= 6:
            return board


LOG = played_event()
DOCUMENT = event_document(LOG)


def changed(change: Change, seed: int = 0) -> Document:
    document = copy.deepcopy(DOCUMENT)
    change(document, random.Random(seed))
    return document


def chained_anew(document: Document) -> Document:
    """The document as a forger would leave it who knows how hashes and results are made."""
    previous = hash_of_head({key: document[key] for key in ("wordtray", "version", "setup")})
    for number, piece in enumerate(document["log"], 1):
        entry = linked(previous, number, piece["at"], piece["event"])
        piece.update(entry.document)
        previous = entry.hash
    document["head"] = previous
    try:
        plan = plan_of(document)
        state = folded_as_far(plan, document)
        document["results"] = results_document(plan, state)
    except EventError:
        pass
    return document


def folded_as_far(plan: Plan, document: Document) -> Any:  # noqa: ANN401 - a state
    log = Log.new(plan)
    entries = [entry_of(piece) for piece in document["log"]]
    for number in range(len(entries), 0, -1):
        try:
            return folded(log.rules, entries[:number])
        except ValueError:
            continue
    return log.state


def events(document: Document, kind: str) -> list[dict[str, Any]]:
    return [piece["event"] for piece in document["log"] if piece["event"]["type"] == kind]


# What somebody might change; each takes the document and chance.


def raise_score(document: Document, rng: random.Random) -> None:
    scores = rng.choice(events(document, "scores")[1:8])["scores"]
    scores[rng.choice(sorted(scores))]["points"] += rng.randint(1, 9)


def change_lengths(document: Document, rng: random.Random) -> None:
    scores = rng.choice(events(document, "scores")[1:8])["scores"]
    scores[rng.choice(sorted(scores))]["lengths"].append(9)


def enter_score(document: Document, rng: random.Random) -> None:
    rng.choice(events(document, "scores"))["entered"] = True


def drop_scoring_word(document: Document, rng: random.Random) -> None:
    """A word that scored goes; its player, board and points stay."""
    candidates = [
        (event, name, word)
        for event in events(document, "lists")[1:8]
        for name, lines in event["lists"].items()
        for word in lines[:-1]
        if all(word not in other for who, other in event["lists"].items() if who != name)
    ]
    event, name, word = rng.choice(candidates)
    event["lists"][name].remove(word)


def drop_word(document: Document, rng: random.Random) -> None:
    lists = rng.choice(events(document, "lists"))["lists"]
    lists[rng.choice(sorted(lists))].pop(0)


def change_photo(document: Document, rng: random.Random) -> None:
    photos = rng.choice(events(document, "lists")[:8])["photos"]
    photos[rng.choice(sorted(photos))] = photo("another")


def change_board_photo(document: Document, rng: random.Random) -> None:
    rng.choice(events(document, "board"))["photo"] = photo("another")


def change_board(document: Document, rng: random.Random) -> None:
    event = rng.choice(events(document, "board"))
    event["shown"] = event["shown"][::-1].replace("uQ", "Qu") if "Qu" not in event["shown"] else (
        "SEAT/TINE/HOTS/REDS"
    )  # fmt: skip


def change_salt(document: Document, rng: random.Random) -> None:
    rng.choice(events(document, "board"))["salt"] = "ff" * 16


def change_commitment(document: Document, rng: random.Random) -> None:
    rng.choice(events(document, "commit"))["hash"] = photo("another")


def swap_entries(document: Document, rng: random.Random) -> None:
    """Two neighbours of different kinds change places."""
    log = document["log"]
    places = [
        n for n in range(len(log) - 1) if log[n]["event"]["type"] != log[n + 1]["event"]["type"]
    ]
    place = rng.choice(places)
    log[place], log[place + 1] = log[place + 1], log[place]


def swap_board_and_lists(document: Document, rng: random.Random) -> None:
    log = document["log"]
    places = [n for n in range(len(log) - 1) if log[n]["event"]["type"] == "board"]
    place = rng.choice(places)
    log[place], log[place + 1] = log[place + 1], log[place]


def leave_out(document: Document, rng: random.Random) -> None:
    del document["log"][rng.randrange(len(document["log"]) - 1)]


def leave_out_scores(document: Document, rng: random.Random) -> None:
    log = document["log"]
    places = [n for n, piece in enumerate(log) if piece["event"]["type"] == "scores"][:7]
    del log[rng.choice(places)]


def cut_end(document: Document, rng: random.Random) -> None:
    del document["log"][-rng.randint(1, 3) :]


def add_entry(document: Document, rng: random.Random) -> None:
    event = {"type": "adjust", "round": 1, "player": rng.choice(NAMES), "points": 5, "why": "nice"}
    piece = document["log"][-1] | {"event": event, "seq": len(document["log"]) + 1}
    document["log"].append(piece)


def change_time(document: Document, rng: random.Random) -> None:
    rng.choice(document["log"][8:])["at"] = -5.0


def change_draw(document: Document, rng: random.Random) -> None:
    tables = rng.choice(events(document, "draw"))["tables"]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]


def change_reason(document: Document, _rng: random.Random) -> None:
    events(document, "adjust")[0]["points"] = -9


def change_rank(document: Document, rng: random.Random) -> None:
    ranks = document["results"]["standings"]["main"]
    rng.choice(ranks[1:])["rank"] = 1


def change_total(document: Document, rng: random.Random) -> None:
    rng.choice(document["results"]["standings"]["main"])["points"] += 1


def change_winner(document: Document, _rng: random.Random) -> None:
    document["results"]["prizes"][0]["winners"] = ["flo", "ann"]


def change_penalty(document: Document, _rng: random.Random) -> None:
    document["setup"]["house_rules"] = {"challenge": {"penalty": 5}}


def change_ranking(document: Document, _rng: random.Random) -> None:
    document["setup"]["ranking"] = ["wins", "long_words"]


def change_digest(document: Document, _rng: random.Random) -> None:
    document["setup"]["lexicon_digest"] = "0" * 16


CHANGES: list[Change] = [
    raise_score, change_lengths, enter_score, drop_word, drop_scoring_word, change_photo,
    change_board_photo, change_board, change_salt, change_commitment, swap_entries,
    swap_board_and_lists, leave_out, leave_out_scores, cut_end, add_entry, change_time, change_draw,
    change_reason, change_rank, change_total, change_winner, change_penalty, change_ranking,
    change_digest,
]  # fmt: skip
PLANTED = [(change, seed) for change in CHANGES for seed in range(2)]

FOLLOWS: list[Change] = [
    raise_score, change_lengths, enter_score, drop_scoring_word, change_board, change_salt,
    change_commitment, swap_board_and_lists, leave_out_scores, change_time, change_draw,
    change_digest,
]  # fmt: skip
"""What even a chain that is made anew does not hide."""


def kinds(proof: Proof) -> set[str]:
    return {finding.kind for finding in proof.findings}


def test_a_whole_event_is_proved() -> None:
    proof = verify(DOCUMENT, LEXICON, [LOG.last_hash, LOG.entries[9].hash[:12]])
    assert proof.findings == ()
    assert (proof.proved, proof.entered, proof.committed, proof.uncommitted) == (24, 0, 4, 0)
    assert proof.entries == len(LOG.entries)
    assert len(proof.photos) == 4 + 24


def test_the_lists_of_the_event_have_scores_to_be_changed() -> None:
    totals = [each["points"] for each in DOCUMENT["results"]["standings"]["main"]]
    assert sum(totals) > 20


@pytest.mark.parametrize(
    ("change", "seed"), PLANTED, ids=[f"{change.__name__}-{seed}" for change, seed in PLANTED]
)
def test_each_of_fifty_planted_changes_is_found(change: Change, seed: int) -> None:
    assert len(PLANTED) == 50
    document = changed(change, seed)
    assert document != DOCUMENT
    proof = verify(document, LEXICON)
    assert proof.findings
    assert all(finding.where and finding.message for finding in proof.findings)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("change", FOLLOWS, ids=lambda change: change.__name__)
def test_a_chain_made_anew_does_not_hide_what_does_not_follow(change: Change, seed: int) -> None:
    proof = verify(chained_anew(changed(change, seed)), LEXICON)
    assert proof.findings
    assert not kinds(proof) & {"chain", "head", "form"}


@pytest.mark.parametrize(
    "change",
    [change for change in CHANGES[:-6] if change not in {add_entry, change_rank, change_total}],
    ids=lambda change: change.__name__,
)
def test_a_published_hash_finds_whatever_was_chained_anew(change: Change) -> None:
    forged = chained_anew(changed(change))
    assert "published" in kinds(verify(forged, LEXICON, [LOG.last_hash]))


def test_what_was_added_after_the_last_published_hash_is_counted() -> None:
    longer = chained_anew(changed(add_entry))
    proof = verify(longer, LEXICON, [LOG.last_hash])
    assert (proof.entries - proof.covered, proof.findings) == (1, ())
    assert verify(DOCUMENT, LEXICON).covered == 0


def test_the_kind_of_a_finding_says_what_is_wrong() -> None:
    found = {
        "score": chained_anew(changed(raise_score)),
        "board": chained_anew(changed(change_salt)),
        "results": changed(change_rank),
        "chain": changed(change_reason),
        "head": changed(cut_end),
        "time": chained_anew(changed(change_time)),
        "lexicon": chained_anew(changed(change_digest)),
    }
    for kind, document in found.items():
        assert kind in kinds(verify(document, LEXICON))


def test_a_score_tells_whose_it_is_and_what_the_list_gives() -> None:
    proof = verify(chained_anew(changed(raise_score)), LEXICON)
    (finding,) = proof.findings
    assert finding.where.startswith("round ")
    assert "the list gives" in finding.message


def test_without_the_words_scores_are_not_proved() -> None:
    assert kinds(verify(DOCUMENT)) == {"lexicon"}
    assert kinds(verify(DOCUMENT, Lexicon.from_words("house", ["tea"]))) == {"lexicon"}


def test_entered_points_are_counted_as_unproved() -> None:
    plan = Plan.agree("Spring", "house", "", seats=2, rounds=1, boards=1)
    log = Log.new(plan).play(0.0, *({"type": "enrol", "player": name} for name in NAMES[:2]))
    log = log.play(0.0, draw_event(1, draw(plan, log.state, "main")))
    given = {"ann": {"points": 3}, "bob": {"points": 2}}
    scores = {"type": "scores", "round": 1, "board": 1, "table": 1, "scores": given}
    log = log.play(0.0, {**scores, "entered": True})
    proof = verify(event_document(log))
    assert (proof.findings, proof.proved, proof.entered) == ((), 0, 2)


@pytest.mark.parametrize("document", [None, 3, [], {}, {"wordtray": "tournament"}, "x"])
def test_what_is_no_event_is_told_as_such(document: object) -> None:
    assert kinds(verify(document)) == {"form"}


@pytest.mark.parametrize("log", [None, [3], [{"seq": 1}], [{"seq": "1", "at": 0, "event": {}}]])
def test_a_damaged_log_is_told_as_such(log: object) -> None:
    assert kinds(verify(DOCUMENT | {"log": log}, LEXICON)) == {"form"}


def test_an_empty_event_is_whole() -> None:
    assert verify(event_document(Log.new(LOG.plan))).findings == ()


def test_a_short_hash_proves_nothing() -> None:
    assert kinds(verify(DOCUMENT, LEXICON, [LOG.last_hash[:6]])) == {"published"}
