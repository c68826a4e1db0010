"""Short, long and double presses, told once each, from edges and time alone."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons import Key, PushButtons, later
from hardware.gestures import Gesture, Presses, Timing

if TYPE_CHECKING:
    from tests.hardware.conftest import Bench, WatchedClock

ALL = frozenset(Gesture)
SHORT, LONG, DOUBLE = Gesture.SHORT, Gesture.LONG, Gesture.DOUBLE


def told(script: str, known: frozenset[Gesture] = ALL) -> list[str]:
    """Gestures of edges such as ``"0 down, 0.1 up"``, with the moments at which they are told.

    Whoever uses the machine asks it when something is due; here that is done to the hundredth.
    """
    edges = {}
    for edge in filter(None, script.split(", ")):
        moment, what = edge.split()
        edges[round(float(moment) * 100)] = what
    presses, heard = Presses(Timing(known)), []
    for hundredth in range(400):
        now = hundredth / 100
        for event in (edges.get(hundredth), "passed"):
            if event is not None:
                move = {"down": presses.pressed, "up": presses.released, "passed": presses.passed}
                presses, gesture = move[event](now)
                heard += [f"{gesture} at {now:g}"] if gesture else []
    return heard


@pytest.mark.parametrize(
    ("script", "heard"),
    [
        ("0 down, 0.1 up", ["short at 0.45"]),
        ("0 down, 2 up", ["long at 0.8"]),
        ("0 down, 0.1 up, 0.3 down, 0.4 up", ["double at 0.3"]),
        ("0 down, 0.1 up, 0.3 down, 3 up", ["double at 0.3"]),
        ("0 down, 0.1 up, 0.6 down, 0.7 up", ["short at 0.45", "short at 1.05"]),
        ("0 down, 0.1 up, 1 down, 3 up", ["short at 0.45", "long at 1.8"]),
        ("0 down, 0.1 up, 0.2 down, 0.3 up, 0.4 down, 0.5 up", ["double at 0.2", "short at 0.85"]),
        ("0 up", []),
        ("", []),
    ],
)
def test_gestures_by_their_edges(script: str, heard: list[str]) -> None:
    assert told(script) == heard


def test_a_button_that_knows_short_presses_alone_tells_them_at_once() -> None:
    assert told("0 down, 2 up, 2.5 down, 2.6 up", frozenset({SHORT})) == [
        "short at 0",
        "short at 2.5",
    ]


def test_without_double_presses_a_short_one_counts_as_it_ends() -> None:
    known = frozenset({SHORT, LONG})
    assert told("0 down, 0.1 up, 0.2 down, 0.3 up", known) == ["short at 0.1", "short at 0.3"]
    assert told("0 down, 2 up", known) == ["long at 0.8"]


def test_without_long_presses_a_long_one_is_short() -> None:
    assert told("0 down, 2 up", frozenset({SHORT, DOUBLE})) == ["short at 2.35"]


@given(st.lists(st.floats(0.01, 2), max_size=12), st.sets(st.sampled_from(Gesture)))
def test_there_are_never_more_gestures_than_presses(gaps: list[float], known: set[Gesture]) -> None:
    moments = [sum(gaps[: number + 1]) for number in range(len(gaps))]
    presses, heard = Presses(Timing(frozenset(known))), 0
    for number, now in enumerate(moments):
        presses, waited_for = presses.passed(now)
        move = presses.released if number % 2 else presses.pressed
        presses, gesture = move(now)
        heard += (waited_for is not None) + (gesture is not None)
    assert heard <= (len(gaps) + 1) // 2


@pytest.fixture
def panel(bench: Bench, watched: WatchedClock) -> list[str]:
    """What two buttons told; the first means much, the second only to pause."""
    heard: list[str] = []
    first = {SHORT: "press", LONG: "cancel", DOUBLE: "reroll"}
    keys = [
        Key(bench.pins.input("button", 27, 0.03), first),
        Key(bench.pins.input("button", 22, 0.03), {SHORT: "pause"}),
    ]
    buttons = PushButtons(
        keys,
        watched,
        later=lambda seconds, callback: watched.at(watched.monotonic() + seconds, callback),
    )
    buttons.on_press(lambda: heard.append("press"))
    buttons.on_action(heard.append)
    buttons.on_hold(lambda action: heard.append(f"held: {action}"))
    return heard


def push(bench: Bench, clock: WatchedClock, gpio: int, seconds: float) -> None:
    bench.ground(gpio)
    clock.sleep(seconds)
    bench.let_go(gpio)


def test_what_presses_mean(bench: Bench, watched: WatchedClock, panel: list[str]) -> None:
    push(bench, watched, 27, 0.1)
    watched.sleep(1.0)
    push(bench, watched, 22, 0.1)
    push(bench, watched, 27, 1.0)
    push(bench, watched, 27, 0.1)
    watched.sleep(0.1)
    push(bench, watched, 27, 0.1)
    watched.sleep(2.0)
    assert panel == ["press", "pause", "held: cancel", "reroll"]


def test_a_closed_panel_tells_nothing_that_was_under_way(
    bench: Bench, watched: WatchedClock
) -> None:
    heard: list[str] = []
    key = Key(bench.pins.input("button", 27), {SHORT: "press", DOUBLE: "cancel"})
    buttons = PushButtons(
        [key], watched, later=lambda _, callback: watched.at(watched.monotonic() + 1, callback)
    )
    buttons.on_press(lambda: heard.append("press"))
    push(bench, watched, 27, 0.1)
    buttons.close()
    watched.sleep(5.0)
    assert heard == []


def test_waiting_is_done_by_a_thread_that_keeps_no_program_from_ending() -> None:
    done = threading.Event()
    daemons: list[bool] = []

    def note() -> None:
        daemons.append(threading.current_thread().daemon)
        done.set()

    later(0.0, note)
    assert done.wait(30)
    assert daemons == [True]
