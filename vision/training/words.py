"""``python -m vision.training.words FONTS``: fits how readings of words are weighed and trusted.

It draws words in handwriting fonts, lays each on a board, and reads it twice: with the word in
the lexicon, and with the word taken out. The habits are those under which what was written is
likeliest; then the confidence is a logistic regression on other words: is the reading right?
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from scoring.lexicon import Lexicon, builtin_lexicon
from scoring.rules import game
from scoring.solver import solve
from vision.paper.candidates import Candidates
from vision.paper.decode import features, likeliest
from vision.paper.explain import Explanations, Habits, explain
from vision.paper.ppocr import PpOcr
from vision.paper.recogniser import Look
from vision.training.odds import fitted_odds
from vision.training.word_boards import board_with, without
from vision.training.written_words import (
    given_fonts,
    random_word,
    random_writer,
    words_by_length,
)

Floats = NDArray[np.float64]

_START = Habits(0.75, 3.0, 0.0, -5.0, 2.0, -3.0, -1.0, 1.0)
_LEGIBLE = 12.0
"""Nats by which what was written may lie behind what the strokes spell best, in the fit of habits.

Worse words nobody can read; fitted to them, habits take letters for dropped that never were."""
_LEAST = -12.0  # log probability at which a missed word stops counting for more
_ROUNDS = 200  # evaluations of the fit of the habits

app = typer.Typer(help="Fits how readings of written words are weighed and trusted.")
console = Console(stderr=True)


@dataclass(frozen=True, eq=False)
class Trial:
    """A word that was drawn and read.

    Attributes:
        text: what was written, capitals.
        look: what the recogniser saw.
        picture: the word.
        explanations: what it may be.
    """

    text: str
    look: Look
    picture: NDArray[np.uint8]
    explanations: Explanations


@app.command()
def fit(
    fonts: Annotated[Path, typer.Argument(help="Folder with handwriting fonts, below it too.")],
    *,
    out: Annotated[Path, typer.Option(help="File to write.")] = Path("words.json"),
    words: Annotated[int, typer.Option(help="Words to draw.")] = 4000,
    seed: Annotated[int, typer.Option(help="Of the words and how they are drawn.")] = 1,
) -> None:
    """Draw, read, fit, and write."""
    files = given_fonts(fonts)
    trials = list(_trials(files, words, np.random.default_rng(seed)))
    some = len(trials) // 3
    habits = _fitted_habits([trial for trial in trials[:some] if _is_legible(trial)])
    scoring, other = (
        _fitted_confidence(trials[some:], habits, scores=scores) for scores in (True, False)
    )
    told = {
        "command": f"python -m vision.training.words FONTS --words {words} --seed {seed}",
        "fonts": len(files),
        "habits": {name: round(value, 3) for name, value in asdict(habits).items()},
        "scoring": [round(float(value), 4) for value in scoring],
        "other": [round(float(value), 4) for value in other],
    }
    out.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _trials(fonts: Sequence[Path], count: int, rng: np.random.Generator) -> Iterator[Trial]:
    lexicon = builtin_lexicon()
    recogniser = PpOcr()
    candidates = Candidates.of(lexicon.words, recogniser.alphabet)
    by_length = words_by_length(lexicon.words)
    for _ in track(range(count), "reading", console=console):
        word = random_word(by_length, rng)
        picture = random_writer(fonts, rng).write(word, rng)
        if picture is not None:
            look = recogniser.look(picture)
            for some in _with_and_without(word, candidates, lexicon, rng):
                explanations = explain(look.log_probabilities, some)
                yield Trial(word.upper(), look, picture, explanations)


def _with_and_without(
    word: str, candidates: Candidates, lexicon: Lexicon, rng: np.random.Generator
) -> tuple[Candidates, Candidates]:
    board = board_with(word, rng)
    found = {one.word for one in solve(board, lexicon, game("boggle")).words}
    without_it = without(candidates, word.upper()).on(board, found - {word})
    return candidates.on(board, found | {word}), without_it


def _fitted_habits(trials: Sequence[Trial]) -> Habits:
    from scipy.optimize import minimize  # noqa: PLC0415 - large

    start = [float(it) for name, it in asdict(_START).items() if name != "board"]

    def surprise(values: Floats) -> float:
        return -float(np.mean([_log_chance(trial, _habits(values)) for trial in trials]))

    found = minimize(surprise, np.array(start), method="Nelder-Mead", options={"maxfev": _ROUNDS})
    return _habits(found.x)


def _habits(values: Floats) -> Habits:
    """All but that of the board, to which the others are relative."""
    sharpness, letter, *rest = (float(value) for value in values)
    return Habits(sharpness, letter, 0.0, *rest)


def _log_chance(trial: Trial, habits: Habits) -> float:
    """Log probability of what was written."""
    row = trial.explanations.spellings.words.index(trial.text)
    return max(float(trial.explanations.log_posterior(habits)[row]), _LEAST)


def _is_legible(trial: Trial) -> bool:
    spellings, fits = trial.explanations.spellings, trial.explanations.log_likelihoods
    if trial.text not in spellings:
        return False
    return bool(fits.max() - fits[spellings.words.index(trial.text)] <= _LEGIBLE)


def _fitted_confidence(trials: Sequence[Trial], habits: Habits, *, scores: bool) -> Floats:
    """Coefficients of the features."""
    rows, right = [], []
    for trial in trials:
        explanations = trial.explanations
        shares = np.exp(explanations.log_posterior(habits))
        best = likeliest(explanations, shares)
        if bool(explanations.scores[best]) == scores:
            rows.append(features(explanations, shares, best, trial.look, trial.picture))
            right.append(explanations.spellings.words[best] == trial.text)
    return fitted_odds(np.array(rows), np.array(right))


if __name__ == "__main__":
    app()
