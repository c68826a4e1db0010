"""Builds the native engine; everything else is in ``pyproject.toml``.

It is optional: without a C++ compiler the distribution is complete and solves in Python.
"""

from pybind11.setup_helpers import Pybind11Extension
from setuptools import setup

SOURCES = "scoring/native"

setup(
    ext_modules=[
        Pybind11Extension(
            "scoring._native",
            [f"{SOURCES}/module.cc"],
            depends=[
                f"{SOURCES}/{name}.h"
                for name in ("batch", "board", "kernels", "path", "search", "trie")
            ],
            cxx_std=20,
            optional=True,
        )
    ]
)
