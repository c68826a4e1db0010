"""``python -m vision.training.paper_report``: measures how well paper is read, and writes the page.

Needs the extra `paper` for all but the sheets. The evaluation pages are other people's: what of
them was not read as it should be is told in words, and their pictures go nowhere but into a folder
that is asked for. Pictures beside the page are of renders alone.
"""

from __future__ import annotations

import re
import resource
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import cv2
import typer
from rich.console import Console
from rich.progress import track

from scoring.lexicon import builtin_lexicon
from vision.paper.boxed_among import KnownWords
from vision.paper.letters import BoxLetters
from vision.paper.ppocr import ENGLISH, PpOcr, RecogniserError
from vision.training.report import paper_pages, paper_sheets, paper_words
from vision.training.report.failures import Part, save_pictures

PICTURES = Path("pictures/accuracy-paper")
PARTS = ("words", "gaps", "strikes", "composed", "printed", "sheets")
ORDER = (*PARTS[:-1], "sheets-real", "sheets-tidy", "sheets-hands")
"""Names of the sections, in the order of the page."""

HEAD = """# How well paper is read

Written by `python -m vision.training.paper_report`, and made again after every change of reading;
`--only PART` measures a part anew and leaves the others. How trays are read tells
[another page](accuracy.md); what the figures mean, [words on paper](paper.md). *Asked*: a person is
asked about the word. *Silently wrong*: another word than the written one was taken unasked; it
should be 0. *A false credit* is one that may score.

Below each table stands all that failed. Pictures are of renders alone: those of other people's
writing are written by `--pictures DIR`, and are no part of this repository.
"""

app = typer.Typer(help="Measures how well paper is read.", add_completion=False)


@app.command()
def report(
    *,
    data: Annotated[Path, typer.Option(help="Handwriting to evaluate on.")] = Path(
        "../shared/data/handwriting"
    ),
    sheets: Annotated[int, typer.Option(min=1, help="Sheets of each set.")] = 200,
    printed: Annotated[int, typer.Option(min=1, help="Pages in print.")] = 12,
    only: Annotated[
        list[str] | None, typer.Option(help=f"A part: {', '.join(PARTS)}; once for each.")
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option(help="Folder outside the repository for other people's writing.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The page to write.")] = Path("docs/accuracy-paper.md"),
) -> None:
    """Measure everything, print it, and write the page with all that failed.

    Example: python -m vision.training.paper_report --sheets 20 --pictures /tmp/failures
    """
    cv2.setNumThreads(1)
    console = Console()
    named = tuple(only or PARTS)
    if unknown := [name for name in named if name not in PARTS]:
        raise typer.BadParameter(f"no part is called {unknown[0]}: there are {', '.join(PARTS)}")
    out.parent.mkdir(parents=True, exist_ok=True)
    for part in _parts(named, data, (sheets, printed), console):
        console.print(part.table.markdown(), markup=False, highlight=False, soft_wrap=True)
        sections = {**_sections(out), part.name: "\n".join(_section(part, out.parent, pictures))}
        ordered = sorted(sections.items(), key=lambda each: ORDER.index(each[0]))
        marked = [f"{_mark(name)}\n{text}" for name, text in ordered]
        out.write_text("\n".join([HEAD, *marked]), encoding="utf-8")
    console.print(f"wrote {out}")


def _mark(name: str) -> str:
    return f"<!-- {name} -->"


def _sections(page: Path) -> dict[str, str]:
    """The sections that a page has, by the names of their parts."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    _, *parts = re.split(r"<!-- ([a-z-]+) -->\n", text)
    texts = (f"{part.rstrip()}\n" for part in parts[1::2])
    return dict(zip(parts[::2], texts, strict=True))


def _parts(
    named: Sequence[str], data: Path, counts: tuple[int, int], console: Console
) -> Iterator[Part]:
    """The parts that can be measured here; the others are told."""
    if not data.is_dir():
        console.print(f"No handwriting at {data}: rendered pages alone are measured.")
    makers: Mapping[str, Callable[[], Iterator[Part]]] = {
        "words": lambda: iter([paper_words.part(list(_tried(data)))]),
        "gaps": lambda: iter([paper_pages.gaps(data)]),
        "strikes": lambda: iter([paper_pages.strikes(data)]),
        "composed": lambda: iter([paper_pages.composed(PpOcr(ENGLISH), builtin_lexicon(), data)]),
        "printed": lambda: iter(
            [paper_pages.printed({"the net": PpOcr(ENGLISH)}, builtin_lexicon(), counts[1])]
        ),
        "sheets": lambda: _sheets(data, counts[0]),
    }
    for name in named:
        if name not in ("printed", "sheets") and not data.is_dir():
            continue
        try:
            yield from makers[name]()
        except RecogniserError as error:
            console.print(f"{name} is left out: {error}. {error.advice}")


def _tried(data: Path) -> Iterator[paper_words.Trial]:
    told = Console(stderr=True)
    return iter(track(paper_words.trials(PpOcr(), data), "words", console=told, transient=True))


def _sheets(data: Path, count: int) -> Iterator[Part]:
    lexicon, letters = builtin_lexicon(), BoxLetters()
    known = KnownWords.of(lexicon)
    for name, writer in paper_sheets.writers(data).items():
        photos = paper_sheets.pages(writer, lexicon, count)
        shown = track(photos, name, count, console=Console(stderr=True), transient=True)
        yield paper_sheets.part(name, paper_sheets.counted(shown, known, letters))


def _section(part: Part, beside: Path, private: Path | None) -> Iterator[str]:
    """The table, then all that failed; pictures go beside the page or into the private folder."""
    yield part.table.markdown()
    listed = [f"{number}. {one.told}" for number, one in enumerate(part.failures, 1)]
    yield "\n".join(listed or ["Nothing failed."]) + "\n"
    folder, name = (beside / PICTURES if part.ours else private), f"{part.name}.png"
    if folder is not None and save_pictures(part.failures, folder / name) and part.ours:
        yield f"![What was written, numbered as in the list above]({PICTURES}/{name})\n"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield f"Memory until then, renderer included: {peak:.0f} MB at most.\n"


if __name__ == "__main__":
    app()
