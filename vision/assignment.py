"""The best assignment of rows to columns, by scipy's solver without the package around it.

``scipy.optimize`` takes 48 MB along, and the solver is one small extension of its own in it. Where
that stands by itself, it alone is loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Assigned = tuple[NDArray[np.intp], NDArray[np.intp]]

_PACKAGE = "scipy.optimize"
_EXTENSION = "_lsap"
_NAME = "linear_sum_assignment"

Solver = Callable[..., Assigned]


def best_assignment(scores: NDArray[np.float64]) -> Assigned:
    """Rows and columns of the assignment with the highest sum.

    Args:
        scores: (rows, columns); each row gets a column of its own, or the other way round where
            rows are more.

    Raises:
        ValueError: some score is NaN, or none can be assigned.
    """
    return solver()(scores, maximize=True)


@cache
def solver() -> Solver:
    """The solver; loaded when a tray is first read, and not before."""
    return _alone() or _of_the_package()


def _alone() -> Solver | None:
    """That of the extension, if there is one that has it."""
    package = find_spec(_PACKAGE)
    folders = package.submodule_search_locations if package else None
    names = [f"{_EXTENSION}{suffix}" for suffix in EXTENSION_SUFFIXES]
    files = [Path(folder, name) for folder in folders or () for name in names]
    found = next((file for file in files if file.exists()), None)
    return None if found is None else getattr(_loaded(found), _NAME, None)


def _loaded(file: Path) -> Any:  # noqa: ANN401 - a module
    """An extension, without the package around it."""
    spec = spec_from_file_location(f"{_PACKAGE}.{_EXTENSION}", file)
    if spec is None or spec.loader is None:
        return None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _of_the_package() -> Solver:
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - large

    found: Solver = linear_sum_assignment
    return found
