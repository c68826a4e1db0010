"""PP-OCRv6 small, the recogniser of words: the weights of the package rapidocr, run by onnxruntime.

Of rapidocr only the file is used (``docs/decisions/0011-words-by-onnxruntime.md``): its code is
never imported. Both packages are optional; what reads no paper does without.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import NotInstalledError
from vision.paper.recogniser import Look

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

ENGLISH = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_PACKAGE, _FILE = "rapidocr", "rapidocr/models/PP-OCRv6_rec_small.onnx"
_ADVICE = (
    "Install it: pip install onnxruntime, then pip install --no-deps 'rapidocr==3.10.*'; "
    "./run and systemd/install.sh do so."
)
_HEIGHT = 48  # pixels, of the pictures that the net was trained on
_NARROWEST = 128  # pixels, of the paper to which a short word is filled up
_FILLING = 0.0  # mid grey, as in its training
_STEP = 8  # pixels of such a picture
_LEAST = 1e-12  # probability, so that its logarithm is a number


class RecogniserError(NotInstalledError):
    """The recogniser of words is not installed, or is damaged."""

    kind = "no_recogniser"


class PpOcr:
    """The net.

    Args:
        alphabet: the letters to tell apart, capitals. Accents that it lacks are taken off.
        model: the ONNX file; that of the installed package rapidocr if not given.
        threads: processors that it may use.

    Raises:
        RecogniserError: onnxruntime or the file is missing, or the file is not this net.
    """

    def __init__(
        self, alphabet: str = ENGLISH, model: Path | None = None, threads: int = 1
    ) -> None:
        self._alphabet = alphabet
        self._session = _session(model or installed_model(), threads)
        self._columns, self._starts = _columns_of(self._signs(), alphabet)

    @property
    def alphabet(self) -> str:
        """The letters, in the order of its columns."""
        return self._alphabet

    def looks(self, pictures: Sequence[NDArray[np.uint8]]) -> Sequence[Look]:
        """What it sees in pictures; see `vision.paper.recogniser.Recogniser`."""
        return [self.look(picture) for picture in pictures]

    def look(self, picture: NDArray[np.uint8]) -> Look:
        """What it sees in one."""
        (output,) = self._session.run(None, {"x": _input(picture)})
        chances = np.asarray(output[0][:, self._columns], np.float64)
        summed = np.add.reduceat(chances, self._starts, axis=1)
        return Look(np.log(np.maximum(summed, _LEAST)), _STEP * len(picture) / _HEIGHT)

    def _signs(self) -> list[str]:
        """The sign of each column of the net: the blank, those in the file, and the space."""
        told = self._session.get_modelmeta().custom_metadata_map.get("character", "")
        signs = ["", *told.split("\n"), " "]
        columns = self._session.get_outputs()[0].shape[-1]
        if not told or columns not in (len(signs), len(signs) - 1):
            raise RecogniserError(
                f"the model of rapidocr names {len(signs)} signs for {columns} columns", _ADVICE
            )
        return signs[:columns]


def installed_model() -> Path:
    """The weights in the installed package rapidocr.

    Raises:
        RecogniserError: the package is not installed, or brings no such file.
    """
    try:
        path = Path(str(metadata.distribution(_PACKAGE).locate_file(_FILE)))
    except metadata.PackageNotFoundError as error:
        message = "words on paper are read with a model of the package rapidocr, not installed here"
        raise RecogniserError(message, _ADVICE) from error
    if not path.is_file():
        raise RecogniserError(f"the installed package rapidocr has no file {_FILE}", _ADVICE)
    return path


def _session(model: Path, threads: int) -> InferenceSession:
    runtime = _runtime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # of its warnings none is for the user
    try:
        return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors have no common base but this
        raise RecogniserError(f"the model {model} cannot be read: {error}", _ADVICE) from error


def _runtime() -> Any:  # noqa: ANN401 - it has no types
    """Loaded when words are read, and not before: it takes 40 MB."""
    try:
        import onnxruntime  # noqa: PLC0415
    except ImportError as error:
        message = f"words on paper are read with onnxruntime, which cannot be used here: {error}"
        raise RecogniserError(message, _ADVICE) from error
    return onnxruntime


def _columns_of(signs: Sequence[str], alphabet: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The net's columns that mean the blank and each letter, and where each one's run begins."""
    means: dict[str, list[int]] = {letter: [] for letter in ("", *alphabet)}
    for column, sign in enumerate(signs):
        letter = sign if column == 0 else _letter(sign, alphabet)
        if letter is not None:
            means[letter].append(column)
    if not all(means.values()):
        lacking = "".join(letter for letter, columns in means.items() if not columns)
        raise RecogniserError(f"the model of rapidocr does not know {lacking}", _ADVICE)
    lengths = [len(columns) for columns in means.values()]
    return np.concatenate([*means.values()]), np.cumsum([0, *lengths[:-1]])


def _letter(sign: str, alphabet: str) -> str | None:
    """The letter that a sign is, its case and the accents that the alphabet lacks left aside."""
    capital = sign.upper()
    if capital in alphabet:
        return capital or None
    bare = unicodedata.normalize("NFKD", sign)[:1].upper()
    return bare if bare and bare in alphabet else None


def _input(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The picture as the net takes it: (1, 3, height, width), from -1 to 1."""
    height, width = picture.shape
    wide = max(_STEP, round(width * _HEIGHT / height))
    how = cv2.INTER_AREA if height > _HEIGHT else cv2.INTER_LINEAR
    scaled = np.asarray(cv2.resize(picture, (wide, _HEIGHT), interpolation=how), np.float32)
    filled = np.full((1, 3, _HEIGHT, max(wide, _NARROWEST)), _FILLING, np.float32)
    filled[..., :wide] = scaled / 127.5 - 1
    return filled
