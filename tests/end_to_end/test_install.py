"""The installer of a Pi, played below a folder, with stand-ins for Python and systemd."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import struct
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PARTS = ("tools/setup.sh", "pyproject.toml", "setup.py", "MANIFEST.in", "README.md")
FOLDERS = ("firmware_host", "hardware", "scoring", "vision", "docs")
TOOLS = (
    *(
        "basename",
        "bash",
        "cat",
        "chmod",
        "cp",
        "env",
        "find",
        "flock",
        "grep",
        "gzip",
        "ln",
        "mkdir",
        "mktemp",
        "mv",
    ),
    *("readlink", "rm", "rmdir", "sed", "sha256sum", "sort", "sync", "tail", "tar", "tee", "tr"),
    *("true", "xargs"),
)
CONFIG = "dtparam=audio=on\n[pi4]\narm_boost=1\n"

# Files in $STATE tell the stand-ins how to behave.
STAND_INS = {
    "python": r"""
        case "$*" in
        *"-m venv"*)
            echo "venv ${*:3:1}" >>"$STATE/calls"
            mkdir -p "${*: -1}/bin"
            ln -sf "$0" "${*: -1}/bin/python" ;;
        *"-m pip"*)
            echo "pip ${*: -1} (${PIP_CONSTRAINT##*/}: $(tr '\n' ' ' <"$PIP_CONSTRAINT"))" \
                >>"$STATE/calls"
            [[ ! -e $STATE/pip-fails ]] || { echo "ERROR: no such thing"; exit 1; }
            ln -sf "$0" "${0%/*}/wordtray" ;;
        *version_info*) [[ -e $STATE/old-python ]] ;;
        esac
    """,
    "systemctl": r"""
        echo "systemctl $*" >>"$STATE/calls"
        case "$*" in
        *is-active*) [[ -e $STATE/active ]] ;;
        *restart*)
            here=$(readlink "$ROOT/opt/wordtray/current")
            [[ ! -e $STATE/broken || $(<"$STATE/broken") != "$here" ]] && : >"$STATE/active" ;;
        esac
    """,
    **dict.fromkeys(
        ("systemd-sysusers", "systemd-tmpfiles", "udevadm"),
        'echo "${0##*/} $*" >>"$STATE/calls"',
    ),
}


@dataclass(frozen=True)
class Pi:
    """A system below a folder, and a checkout to install from."""

    root: Path
    checkout: Path
    state: Path

    def run(self, script: str, *options: str) -> tuple[int, str, str]:
        """Runs a script of the checkout: exit code, standard output, standard error."""
        done = subprocess.run(
            [self.checkout / "systemd" / script, "--root", self.root, *options],
            env={
                "PATH": str(self.state.parent / "bin"),
                "STATE": str(self.state),
                "ROOT": str(self.root),
                "WORDTRAY_PYTHON": str(self.state.parent / "bin" / "python"),
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def install(self, *options: str) -> str:
        """Installs; gives what was said."""
        code, _, err = self.run("install.sh", *options)
        assert code == 0, err
        return err

    def change(self, text: str = "changed") -> None:
        """Makes the checkout another version."""
        (self.checkout / "firmware_host" / "new.py").write_text(f"# {text}\n")

    def link(self, name: str) -> str:
        """Where a link among the versions points to."""
        return str((self.root / "opt/wordtray" / name).readlink())

    def calls(self) -> list[str]:
        """What the stand-ins were asked for since the last look."""
        record = self.state / "calls"
        lines = record.read_text().splitlines() if record.exists() else []
        record.unlink(missing_ok=True)
        return lines

    def tell(self, name: str, text: str = "") -> None:
        """Makes the stand-ins behave otherwise."""
        (self.state / name).write_text(text)

    def files(self) -> dict[str, bytes]:
        """The system's files outside the versions, as they are."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and "opt" not in path.relative_to(self.root).parts
        }


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    """A Pi that was just set up, and runs."""
    root, checkout, state, programs = (tmp_path / name for name in ("pi", "co", "state", "bin"))
    for folder in (root / "boot/firmware", root / "run/systemd/system", state, programs):
        folder.mkdir(parents=True)
    (root / "boot/firmware/config.txt").write_text(CONFIG)
    for part in PARTS:
        (checkout / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / part, checkout / part)
    shutil.copytree(REPOSITORY / "systemd", checkout / "systemd", symlinks=True)
    for name in FOLDERS:
        (checkout / name).mkdir()
        (checkout / name / "__init__.py").write_text(f"# {name}\n")
    for name in ("LICENSE", "CHANGES.md"):
        (checkout / name).write_text(name)
    for tool in TOOLS:
        (programs / tool).symlink_to(str(shutil.which(tool)))
    for name, body in STAND_INS.items():
        (programs / name).write_text(f"#!/usr/bin/env bash\n{body}\n")
        (programs / name).chmod(0o755)
    return Pi(root, checkout, state)


@pytest.fixture
def installed(pi: Pi) -> Pi:
    """A Pi with the service."""
    pi.install()
    pi.calls()
    return pi


def test_a_fresh_pi_gets_a_version_its_units_and_a_start(pi: Pi) -> None:
    said = pi.install()
    version = pi.link("current")
    assert version.startswith("0.1.0+")
    place = pi.root / "opt/wordtray" / version
    assert (place / "complete").exists()
    assert (place / "firmware_host/__init__.py").exists()
    assert pi.link("../../usr/local/bin/wordtray") == "/opt/wordtray/current/venv/bin/wordtray"
    assert f"{version} is in use" in said
    assert pi.calls() == [
        "venv --system-site-packages",
        f"pip {place}[pi,paper] (constraints.txt: )",
        "pip rapidocr==3.10.* (constraints.txt: )",
        "systemctl --quiet is-active wordtray.service",
        f"systemd-sysusers --root={pi.root}",
        f"systemctl --root={pi.root} enable --quiet wordtray.service",
        "systemd-tmpfiles --create wordtray.conf",
        "udevadm control --reload",
        "udevadm trigger --action=change",
        "systemctl daemon-reexec",
        "systemctl reset-failed wordtray.service",
        "systemctl restart wordtray.service",
    ]
    for file in (REPOSITORY / "systemd/tray").rglob("*"):
        if file.is_file():
            laid = pi.root / file.relative_to(REPOSITORY / "systemd/tray")
            assert laid.read_bytes() == file.read_bytes()


def test_again_changes_nothing_and_builds_nothing(installed: Pi) -> None:
    before, version = installed.files(), installed.link("current")
    assert "is here already" in installed.install()
    assert (installed.files(), installed.link("current")) == (before, version)
    assert not [call for call in installed.calls() if call.startswith(("venv", "pip"))]


def test_the_pins_are_made_strict_once_and_the_rest_of_the_file_stays(pi: Pi) -> None:
    config = pi.root / "boot/firmware/config.txt"
    assert "sudo reboot" in pi.install()
    once = config.read_text()
    assert once.startswith(CONFIG)
    assert "[all]\n" in once
    assert "dtparam=strict_gpiod\n" in once
    assert "sudo reboot" not in pi.install()
    assert config.read_text() == once
    assert (config.parent / "config.txt.before-wordtray").read_text() == CONFIG


def test_the_file_of_the_start_is_left_alone_when_asked_for(pi: Pi) -> None:
    pi.install("--no-boot-config")
    assert (pi.root / "boot/firmware/config.txt").read_text() == CONFIG


def test_without_that_file_it_says_what_that_means(pi: Pi) -> None:
    (pi.root / "boot/firmware/config.txt").unlink()
    assert "pins may keep their levels" in pi.install()


def test_the_python_of_debian_12_keeps_the_numpy_of_its_camera(pi: Pi) -> None:
    pi.tell("old-python")
    pi.install()
    assert pi.calls()[1].endswith("(constraints.txt: numpy<2 opencv-python<4.12 )")


def test_an_upgrade_stands_beside_the_version_before_and_one_word_goes_back(installed: Pi) -> None:
    old = installed.link("current")
    installed.change()
    installed.install()
    new = installed.link("current")
    assert new != old
    assert installed.link("previous") == old
    assert installed.run("install.sh", "--list")[1].splitlines() == sorted([f"{new} in use", old])
    installed.calls()
    assert installed.run("install.sh", "--roll-back")[0] == 0
    assert (installed.link("current"), installed.link("previous")) == (old, new)
    assert "systemctl restart wordtray.service" in installed.calls()


def test_the_units_go_with_their_version(installed: Pi) -> None:
    unit = installed.root / "etc/systemd/system/wordtray.service"
    added = installed.checkout / "systemd/tray/etc/udev/rules.d/71-more.rules"
    before = unit.read_text()
    added.write_text("# more\n")
    with (installed.checkout / "systemd/tray/etc/systemd/system/wordtray.service").open(
        "a"
    ) as file:
        file.write("# changed\n")
    installed.install()
    assert unit.read_text() != before
    assert (installed.root / "etc/udev/rules.d/71-more.rules").exists()
    installed.run("install.sh", "--roll-back")
    assert unit.read_text() == before
    assert not (installed.root / "etc/udev/rules.d/71-more.rules").exists()


def test_only_the_version_in_use_and_the_one_before_are_kept(installed: Pi) -> None:
    for text in ("one", "two", "three"):
        installed.change(text)
        installed.install()
    kept = installed.run("install.sh", "--list")[1].split()
    assert sorted(kept) == sorted(
        [installed.link("current"), installed.link("previous"), "in", "use"]
    )


def test_a_version_that_does_not_start_gives_way_to_the_one_that_did(installed: Pi) -> None:
    old = installed.link("current")
    installed.change()
    installed.tell("active")
    installed.tell("broken", version_of(installed))
    code, _, err = installed.run("install.sh")
    assert code == 1
    assert f"{old} is in use again" in err
    assert installed.link("current") == old
    assert installed.calls()[-1] == "systemctl restart wordtray.service"


def version_of(pi: Pi) -> str:
    """The name that the checkout would have, by an installation into nowhere."""
    elsewhere = pi.root.with_name("elsewhere")
    elsewhere.mkdir()
    Pi(elsewhere, pi.checkout, pi.state).install("--no-boot-config")
    pi.calls()
    return str((elsewhere / "opt/wordtray/current").readlink())


def test_a_first_version_that_does_not_start_stays_and_says_what_to_do(pi: Pi) -> None:
    pi.tell("broken", version_of(pi))
    said = pi.install()
    assert "wordtray doctor" in said
    assert pi.link("current")


def test_an_installation_that_was_cut_short_is_made_anew(pi: Pi) -> None:
    pi.tell("pip-fails")
    code, _, err = pi.run("install.sh")
    assert code == 1
    assert "pip failed" in err
    assert not (pi.root / "opt/wordtray/current").exists()
    assert not (pi.root / "etc/systemd").exists()
    (pi.state / "pip-fails").unlink()
    assert "is in use" in pi.install()


def test_there_is_no_way_back_from_the_first(installed: Pi) -> None:
    code, _, err = installed.run("install.sh", "--roll-back")
    assert (code, "no version before" in err) == (1, True)
    code, _, err = installed.run("install.sh", "--roll-back", "0.0.1+12345678")
    assert code == 1
    assert f"these are: {installed.link('current')} in use" in err


def test_a_system_that_does_not_run_is_made_ready_for_its_first_start(pi: Pi) -> None:
    (pi.root / "run/systemd/system").rmdir()
    pi.install()
    assert [call for call in pi.calls() if "ctl" in call] == [
        f"systemctl --root={pi.root} enable --quiet wordtray.service"
    ]


def test_the_big_display_comes_when_asked_for_and_stays_through_upgrades(installed: Pi) -> None:
    kiosk = installed.root / "etc/systemd/system/wordtray-kiosk.service"
    assert not kiosk.exists()
    installed.install("--kiosk")
    cursors = installed.root / "usr/local/share/icons/wordtray-hidden/cursors"
    assert (cursors / "left_ptr").readlink() == Path("default")
    installed.change()
    installed.install()
    assert kiosk.exists()
    assert any("wordtray-kiosk.service" in call for call in installed.calls())


def test_the_hidden_cursor_is_one_clear_pixel() -> None:
    """Magic word, size, version, number of chunks; a picture; its own header, size and pixels."""
    data = (
        REPOSITORY / "systemd/kiosk/usr/local/share/icons/wordtray-hidden/cursors/default"
    ).read_bytes()
    magic, header, _, chunks = struct.unpack_from("<4sIII", data)
    kind, _, at = struct.unpack_from("<III", data, header)
    width, height = struct.unpack_from("<II", data, at + 16)
    assert (magic, chunks, kind, width, height) == (b"Xcur", 1, 0xFFFD0002, 1, 1)
    assert data[at + 36 :] == bytes(4)


def test_uninstalling_leaves_the_system_as_it_was_and_keeps_what_was_played(pi: Pi) -> None:
    before = pi.files()
    pi.install("--kiosk")
    kept = pi.root / "var/lib/wordtray/rounds.db"
    kept.parent.mkdir(parents=True)
    kept.write_text("rounds")
    code, _, err = pi.run("uninstall.sh")
    assert code == 0
    assert "what it kept is in /var/lib/wordtray" in err
    after = pi.files()
    assert after.pop("var/lib/wordtray/rounds.db") == b"rounds"
    assert after.pop("boot/firmware/config.txt.before-wordtray") == CONFIG.encode()
    assert after == before
    assert not (pi.root / "opt/wordtray").exists()
    assert not (pi.root / "usr/local/bin/wordtray").is_symlink()
    assert f"systemctl --root={pi.root} disable --quiet wordtray.service" in pi.calls()


def test_purging_removes_what_was_played(installed: Pi) -> None:
    for folder in ("var/lib/wordtray", "etc/wordtray"):
        (installed.root / folder).mkdir(parents=True)
    assert installed.run("uninstall.sh", "--purge")[0] == 0
    assert not (installed.root / "var/lib/wordtray").exists()
    assert not (installed.root / "etc/wordtray").exists()
    assert installed.run("uninstall.sh", "--purge")[0] == 0


def test_what_is_installed_can_be_read_by_the_service_and_written_by_root_alone(pi: Pi) -> None:
    private = pi.checkout / "firmware_host/private.py"
    private.write_text("# copied under a umask of 077\n")
    private.chmod(0o600)
    pi.install()
    laid = pi.root / "opt/wordtray" / pi.link("current") / "firmware_host/private.py"
    assert stat.S_IMODE(laid.stat().st_mode) == 0o644
    assert laid.stat().st_uid == os.getuid()


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_help_and_wrong_use(pi: Pi, script: str) -> None:
    code, out, _ = pi.run(script, "--help")
    assert code == 0
    assert f"sudo systemd/{script}" in out
    assert "set -" not in out
    assert pi.run(script, "--frobnicate")[0] == 2


class TestUpdate:
    def laid_ready(self, pi: Pi) -> str:
        """Lays the checkout ready as a release; its digest."""
        file = pi.root / "var/lib/wordtray/update/wordtray.tar.gz"
        file.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(file, "w:gz") as archive:
            archive.add(pi.checkout, "wordtray-9.0")
        return hashlib.sha256(file.read_bytes()).hexdigest()

    def test_a_release_is_installed_whose_digest_is_named(self, pi: Pi) -> None:
        pi.install()
        before = pi.link("current")
        pi.change()
        assert "is in use" in pi.install("--update", self.laid_ready(pi))
        assert pi.link("current") != before
        assert pi.link("previous") == before

    def test_any_other_is_not(self, pi: Pi) -> None:
        pi.install()
        before = pi.link("current")
        code, _, err = pi.run("install.sh", "--update", "0" * 64)
        assert (code, "no release waits" in err) == (1, True)
        pi.change()
        digest = self.laid_ready(pi)
        code, _, err = pi.run("install.sh", "--update", "0" * 64)
        assert code == 1
        assert digest in err
        code, _, err = pi.run("install.sh", "--update", "latest")
        assert (code, "takes the SHA-256" in err) == (1, True)
        assert pi.link("current") == before
