"""Make the built-in word list: fetch it, check it, store it compressed beside its provenance.

ENABLE, the Enhanced North American Benchmark Lexicon of 1997, is in the public domain. The package
``scrabble`` carries it as a JSON list. Run from the repository, with network::

    python tools/make_lexicon.py
"""

from __future__ import annotations

import hashlib
import json
import lzma
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "scrabble"
VERSION = "1.3"
ARCHIVE_SHA256 = "f3ef898da1642088bf00a96c74c482e7e28a6c4250023cfbf1d4f3f44a5946ad"
WORDS = 172_820
FOLDER = Path(__file__).resolve().parent.parent / "scoring" / "data"


def fetch(folder: Path) -> Path:
    """Download the archive of the package into the folder."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:"]
    command += ["--dest", str(folder), f"{PACKAGE}=={VERSION}"]
    subprocess.run(command, check=True)
    archive = folder / f"{PACKAGE}-{VERSION}.tar.gz"
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    if digest != ARCHIVE_SHA256:
        raise SystemExit(f"{archive.name} has SHA-256 {digest}, not {ARCHIVE_SHA256}")
    return archive


def words(archive: Path) -> list[str]:
    """The words of the archive, sorted."""
    with tarfile.open(archive) as files:
        member = files.extractfile(f"{PACKAGE}-{VERSION}/{PACKAGE}/dictionary.json")
        if member is None:
            raise SystemExit(f"{archive.name} holds no dictionary.json")
        found = sorted(json.load(member))
    if len(set(found)) != WORDS or not all(word.isascii() and word.islower() for word in found):
        raise SystemExit(f"{archive.name} does not hold the {WORDS} words of ENABLE")
    return found


def main() -> None:
    """Write ``enable.txt.xz`` and ``enable.json``."""
    with tempfile.TemporaryDirectory() as folder:
        text = "\n".join(words(fetch(Path(folder)))).encode() + b"\n"
    about = {
        "title": "ENABLE, the Enhanced North American Benchmark Lexicon",
        "source": f"dictionary.json of the Python package {PACKAGE} {VERSION}",
        "source_sha256": ARCHIVE_SHA256,
        "licence": "public domain",
        "words": text.count(b"\n"),
        "sha256": hashlib.sha256(text).hexdigest(),
        "made_by": "tools/make_lexicon.py",
    }
    (FOLDER / "enable.txt.xz").write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
    (FOLDER / "enable.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
