"""Word lists that several files of this folder need."""

from pathlib import Path

import pytest

from scoring.intake import Sieve, take_list
from scoring.lexicon import Lexicon, builtin_lexicon

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """Folder of the evaluation data, which is not part of the repository."""
    if not DATA.is_dir():
        pytest.skip(f"the evaluation data is not there: {DATA}")
    return DATA


@pytest.fixture(scope="session")
def enable() -> Lexicon:
    """The built-in word list."""
    return builtin_lexicon()


@pytest.fixture(scope="session")
def enable2k(data: Path) -> Lexicon:
    """The word list behind the published records."""
    sieve = Sieve()
    take_list((data / "enable2k.txt").read_bytes(), sieve)
    return Lexicon.from_words("enable2k", sieve.intake().words)
