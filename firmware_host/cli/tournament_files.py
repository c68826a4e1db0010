"""Files of ``wordtray tournament``: exports, pages, archives, and the check of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from firmware_host.cli import options
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.errors import ExitCode, wrong_use

if TYPE_CHECKING:
    from scoring.tournament.log import Log

EXPORT = (
    "Examples: wordtray tournament export spring -o spring.json · "
    "wordtray tournament export spring -o standings.csv · "
    "wordtray tournament export spring -o tables.pdf --what pairings · "
    "wordtray tournament export spring -o certificates.pdf --what certificates"
)
SITE = "Example: wordtray tournament site spring pages"
ARCHIVE = (
    "Examples: wordtray tournament archive spring spring.zip --photos pictures · "
    "wordtray tournament archive spring backup.zip --secrets"
)
RESTORE = (
    "Examples: wordtray tournament restore spring.zip --as spring · "
    "wordtray tournament restore spring.zip --as copy --photos pictures"
)
VERIFY = (
    "Examples: wordtray tournament verify spring.json · wordtray tournament verify spring.zip · "
    "wordtray tournament verify spring.json --published 9f86d081884c7d65 --photos pictures"
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name of `tournament list`.")]


def export(
    name: Name,
    output_file: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Ends in .json, .csv or .pdf."),
    ],
    *,
    what: Annotated[
        str | None,
        typer.Option(
            "--what",
            metavar="W",
            help="Standings, pairings or scores; of a PDF also certificates (else standings).",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Export the whole event (.json), a table for spreadsheets (.csv), or pages to print (.pdf)."""
    from firmware_host import tournaments
    from firmware_host.files import check_place, write_whole
    from firmware_host.tournament_export import exported

    with reporting(json=json) as output:
        check_place(output_file)
        _check_new(output_file)
        ending = output_file.suffix.lower()
        if what is not None and ending not in {".pdf", ".csv"}:
            message = f"--what is of a .pdf or .csv file, and {output_file} is none"
            raise wrong_use("export_kind", message, "Leave it out, or name such a file.")
        log = tournaments.load(name)
        write_whole(output_file, (exported(log, ending, what or "standings"),))
        if ending == ".pdf":
            _tell_lacking(output, log)
        if what == "certificates":
            _tell_stage(output, log)
        _tell_written(output, name, log, output_file, {})


def site(
    name: Name,
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Made, or one that this made before.")
    ],
    *,
    json: options.Json = False,
) -> None:
    """Write the event as pages that any web server, or a stick, can carry.

    Standings, every round with its boards and promises, every player with all terms of the rank and
    the lists, and the export that proves them. Written again they are brought up to date.
    """
    from firmware_host import tournaments
    from firmware_host.files import write_whole
    from firmware_host.tournament_site.pages import Site, is_of

    with reporting(json=json) as output:
        log = tournaments.load(name)
        if folder.exists() and not is_of(log, folder):
            message = f"{folder} is there already, and does not hold the pages of this event"
            raise wrong_use("export_exists", message, "Name a new folder, or an empty one.")
        count = 0
        with output.log.status("Writing"):
            for file, data in Site(log).files():
                write_whole(folder / file, (data,))
                count += 1
        _tell_written(output, name, log, folder / "index.html", {"files": count})


def archive(
    name: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE.zip", help="What to write.")],
    *,
    photos: Annotated[
        Path | None,
        typer.Option("--photos", metavar="FOLDER", help="Where the pictures of the event lie."),
    ] = None,
    secrets: Annotated[
        bool,
        typer.Option("--secrets", help="With the boards that are promised and not shown yet."),
    ] = False,
    json: options.Json = False,
) -> None:
    """Put the whole event into one file, with its pictures.

    `verify` checks it as it checks an export, and `restore` brings it back. With --secrets keep it
    to yourself until all boards are shown.
    """
    from firmware_host import tournaments
    from firmware_host.files import check_place
    from firmware_host.tournament_archive import is_archive, pictures_in, write_archive
    from scoring.tournament.proof import pictures_of

    with reporting(json=json) as output:
        if not is_archive(file):
            message = f"an archive is not written as {file.name}"
            raise wrong_use("export_kind", message, "Give a name that ends in .zip.")
        check_place(file)
        _check_new(file)
        _check_folder(photos)
        log = tournaments.load(name)
        wanted = pictures_of(log.state)
        with output.log.status("Packing"):
            pictures = pictures_in(photos, wanted) if photos else {}
            kept = tournaments.promises_of(name) if secrets else None
            write_archive(file, log, pictures, kept)
        missing = sorted(wanted - set(pictures))
        more = {"photos": {"found": len(pictures), "missing": missing}, "secrets": secrets}
        _tell_written(output, name, log, file, more)
        if missing:
            output.log.print(
                f"{len(missing)} of {len(wanted)} pictures of the event are not in it: "
                "name their folder with --photos."
            )
        raise typer.Exit(ExitCode.DOUBTFUL if missing else ExitCode.DONE)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `archive` or `export` wrote.")],
    *,
    name: Annotated[str, typer.Option("--as", metavar="NAME", help="What to call it here.")],
    photos: Annotated[
        Path | None,
        typer.Option("--photos", metavar="FOLDER", help="Where its pictures are put."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Bring an event back from an archive or an export (.json), to go on with it."""
    from firmware_host import tournaments
    from firmware_host.cli.tournament_draw import show_state
    from firmware_host.tournament_archive import is_archive, log_of, unpack_pictures
    from firmware_host.tournament_documents import event_state
    from scoring.tournament.proof import pictures_of

    with reporting(json=json) as output:
        with output.log.status("Unpacking"):
            event, promises, found = _contents(file)
            log = log_of(event, file)
        tournaments.create(name, log)
        if promises:
            tournaments.restore_promises(name, promises)
        if photos is not None and is_archive(file):
            with output.log.status("Unpacking pictures"):
                found = unpack_pictures(file, photos, pictures_of(log.state))
        document = event_state(name, log) | {"photos": found and len(found)}
        output.document(document, lambda out: show_state(out, name, log))


def verify(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="What `export` (.json) or `archive` wrote.")
    ],
    *,
    published: Annotated[
        list[str] | None,
        typer.Option(
            "--published", metavar="HASH", help="As printed at the foot of a page; once for each."
        ),
    ] = None,
    photos: Annotated[
        Path | None,
        typer.Option("--photos", metavar="FOLDER", help="Pictures that must match their hashes."),
    ] = None,
    lexicon: Annotated[
        str | None,
        typer.Option("--lexicon", metavar="L", help="The word list (else the one it names)."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Check an exported event from nothing but itself; exit code 6 where it does not hold.

    Hashes of all entries, boards against their promises, every score from its lists, standings and
    prizes from the scores; pictures against their hashes, those of an archive without being asked.
    """
    from firmware_host.cli.tournament_draw import show_proof
    from firmware_host.tournament_archive import pictures_in
    from firmware_host.tournament_documents import proof_document
    from firmware_host.tournament_export import check

    with reporting(json=json) as output:
        _check_folder(photos)
        with output.log.status("Checking"):
            event, _, there = _contents(file)
            proof = check(event, file, published or (), lexicon)
            if photos is not None:
                there = (there or frozenset()) | set(pictures_in(photos, proof.photos))
        missing = sorted(proof.photos - there) if there is not None else []
        found = None
        if there is not None:
            found = {"found": len(proof.photos) - len(missing), "missing": missing}

        def show(out: Console) -> None:
            show_proof(out, proof)
            if found is not None:
                out.print(f"{found['found']} of {len(proof.photos)} pictures are there, whole.")

        output.document(proof_document(str(file), proof, found), show)
        whole = not proof.findings and not missing
        raise typer.Exit(ExitCode.DONE if whole else ExitCode.UNUSABLE_FILE)


def _contents(file: Path) -> tuple[bytes, bytes, frozenset[str] | None]:
    """The export, the promises and the pictures of an archive; of an export alone no pictures."""
    from firmware_host.files import read_given
    from firmware_host.tournament_archive import is_archive, read_archive
    from firmware_host.tournaments import LARGEST_FILE

    if not is_archive(file):
        return read_given(file, LARGEST_FILE, "event_file", "exported event"), b"", None
    found = read_archive(file)
    return found.event, found.promises, found.pictures


def _check_new(file: Path) -> None:
    if file.exists():
        message = f"there is a file {file} already, and it is not replaced"
        raise wrong_use("export_exists", message, "Name another one.")


def _check_folder(folder: Path | None) -> None:
    if folder is not None and not folder.is_dir():
        raise wrong_use("no_folder", f"there is no folder {folder}", "Look at its name.")


def _tell_written(output: Output, name: str, log: Log, file: Path, more: dict[str, Any]) -> None:
    done = {"event": name, "file": str(file), "head": log.last_hash, **more}
    output.document(done, lambda out: out.print(f"Written: {shown(str(file))}"))


def _tell_stage(output: Output, log: Log) -> None:
    from firmware_host.tournament_certificates import stage_of

    if stage := stage_of(log):
        output.log.print(f"[yellow]Not for good:[/] {stage}; each page says so.")


def _tell_lacking(output: Output, log: Log) -> None:
    from firmware_host.sheets import lacking

    players = log.state.players.values()
    texts = {log.plan.name, *(p.printed for p in players), *(p.team or "" for p in players)}
    if signs := lacking(texts):
        output.log.print(f"The printed font lacks {shown(signs)}: empty boxes are printed instead.")
