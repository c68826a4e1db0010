"""The set-up behind ./run and ./test, played with a stand-in for Python that records its calls."""

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPTS = (
    *("run", "test", ".ci/run", "tools/setup.sh"),
    *("pyproject.toml", "setup.py", "scoring/native/trie.h"),
)
TOOLS = (
    *("bash", "cat", "env", "flock", "grep", "ln", "mkdir", "readlink", "rm", "sed"),
    *("sha256sum", "tail", "tee", "touch", "true"),
)
WEIGHTS = "pip rapidocr==3.10.*"
PACKAGES = ("pip .[paper]", WEIGHTS)

# Files in $STATE tell the stand-ins how to behave.
STAND_INS = {
    "python3.11": r"""
        case "$*" in
        *ensurepip*) [[ ! -e $STATE/no-python ]] ;;
        *"-m venv"*)
            echo venv >>"$STATE/calls"
            mkdir -p "$3/bin"
            ln -sf "$0" "$3/bin/python" ;;
        *"-m pip"*)
            echo "pip ${*: -1}" >>"$STATE/calls"
            [[ ! -e $STATE/pip-says ]] || { cat "$STATE/pip-says"; exit 1; }
            [[ ! -e $STATE/no-weights || ${*: -1} != rapidocr* ]] || exit 1
            [[ ! -e $STATE/pip-is-killed ]] || kill -9 "$PPID" $$
            for name in wordtray ruff mypy lint-imports pytest; do
                ln -sf "$STATE/../bin/command" "${0%/*}/$name"
            done
            [[ -e $STATE/no-compiler || -e $STATE/compiler-fails ]] || ! type -P g++ >/dev/null ||
                touch scoring/_native.so ;;
        *"import cv2"*)
            [[ ! -e $STATE/no-libraries ]] || { echo "ImportError: libGL.so.1" >&2; exit 1; } ;;
        *Python.h*) [[ ! -e $STATE/no-compiler ]] ;;
        *check_wheels*)
            echo "wheels in $PWD:"
            [[ ! -e $STATE/wheels-fails ]] ;;
        esac
    """,
    "command": r"""
        echo "${0##*/} in $PWD:" "$@"
        [[ ! -e $STATE/${0##*/}-fails ]]
    """,
    "apt-get": r"""
        [[ $* == *install* ]] || exit 0
        words=$*
        echo "apt ${words##*recommends }" >>"$STATE/calls"
        [[ ! -e $STATE/apt-fails ]] || exit 100
        rm -f "$STATE"/no-*
    """,
    "apt-cache": "exit 1",
    "dpkg-query": r"""
        [[ $* == *wordnet* && -e $STATE/no-words ]] && exit
        [[ -e $STATE/no-python && $* != *++* || $* == *libg* || $* == *tesser* || $* == *nodejs* ||
            -e $STATE/no-compiler ]] ||
            echo -n "installed"
    """,
    "g++": "exit 1",
    "tesseract": "exit 1",
    "node": "exit 1",
    "sudo": '[[ $1 != -n ]] || shift; exec "$@"',
}


@dataclass(frozen=True)
class Checkout:
    """A copy of the scripts, with a PATH of stand-ins and a few plain tools."""

    folder: Path
    state: Path

    def begin(self, *command: str, cwd: Path | None = None) -> subprocess.Popen[str]:
        """Starts a script of the checkout, by default in its folder."""
        return subprocess.Popen(
            [self.folder / command[0], *command[1:]],
            cwd=cwd or self.folder,
            env={"PATH": str(self.state.parent / "bin"), "STATE": str(self.state)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def start(self, *command: str, cwd: Path | None = None) -> tuple[int, str, str]:
        """Runs a script to its end: exit code, standard output, standard error."""
        with self.begin(*command, cwd=cwd) as process:
            out, err = process.communicate(timeout=30)
        return process.returncode, out, err

    def calls(self) -> list[str]:
        """What the stand-ins were asked to make or install since the last look."""
        record = self.state / "calls"
        lines = record.read_text().splitlines() if record.exists() else []
        record.unlink(missing_ok=True)
        return lines

    def tell(self, name: str, text: str = "") -> None:
        """Makes the stand-ins behave otherwise."""
        (self.state / name).write_text(text)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A checkout in a folder with a space in its name, not set up."""
    folder, state, programs = (tmp_path / name for name in ("word tray", "state", "bin"))
    for script in SCRIPTS:
        (folder / script).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / script, folder / script)
    state.mkdir()
    programs.mkdir()
    for tool in TOOLS:
        (programs / tool).symlink_to(str(shutil.which(tool)))
    for name, body in STAND_INS.items():
        (programs / name).write_text(f"#!/usr/bin/env bash\n{body}\n")
        (programs / name).chmod(0o755)
    (programs / "python3").symlink_to("python3.11")
    return Checkout(folder, state)


@pytest.fixture
def ready(checkout: Checkout) -> Checkout:
    """A checkout that ./run has set up."""
    assert checkout.start("run")[0] == 0
    checkout.calls()
    return checkout


def test_the_first_start_makes_the_environment_and_installs(checkout: Checkout) -> None:
    code, out, err = checkout.start("run", "solve", "a b")
    assert (code, out) == (0, f"wordtray in {checkout.folder}: solve a b\n")
    assert "installing Python packages" in err
    assert checkout.calls() == ["venv", *PACKAGES]


def test_the_second_start_does_and_says_nothing_more(ready: Checkout) -> None:
    assert ready.start("run", "roll") == (0, f"wordtray in {ready.folder}: roll\n", "")
    assert ready.calls() == []


def test_run_alone_plays_the_demonstration(ready: Checkout) -> None:
    assert ready.start("run")[1] == f"wordtray in {ready.folder}: demo\n"


def test_run_stays_in_the_folder_of_its_user_and_may_be_linked(
    ready: Checkout, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(ready.folder / "run")
    _, out, err = ready.start(str(tmp_path / "link"), "read", "photo.jpg", cwd=tmp_path)
    assert (out, err) == (f"wordtray in {tmp_path}: read photo.jpg\n", "")


def test_the_tests_add_what_they_need_and_run_keeps_it(ready: Checkout) -> None:
    ready.start("test")
    assert ready.calls() == ["pip .[test]", WEIGHTS]
    ready.start("run")
    ready.start("test")
    assert ready.calls() == []


def test_a_change_of_the_requirements_installs_again(ready: Checkout) -> None:
    with (ready.folder / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    ready.start("run")
    assert ready.calls() == [*PACKAGES]


def moved(checkout: Checkout) -> Checkout:
    return Checkout(checkout.folder.rename(checkout.folder.with_name("moved")), checkout.state)


def copied(checkout: Checkout) -> Checkout:
    folder = checkout.folder.with_name("copied")
    shutil.copytree(checkout.folder, folder, symlinks=True)
    return Checkout(folder, checkout.state)


def without_its_interpreter(checkout: Checkout) -> Checkout:
    (checkout.folder / ".venv/bin/python").unlink()
    return checkout


def after_an_upgrade_of_the_system(checkout: Checkout) -> Checkout:
    programs = checkout.state.parent / "bin"
    shutil.copy(programs / "python3.11", programs / "python3.13")
    (programs / "python3").unlink()
    (programs / "python3").symlink_to("python3.13")
    return checkout


@pytest.mark.parametrize(
    "change", [moved, copied, without_its_interpreter, after_an_upgrade_of_the_system]
)
def test_an_environment_that_is_no_longer_its_own_is_made_anew(
    ready: Checkout, change: Callable[[Checkout], Checkout]
) -> None:
    changed = change(ready)
    assert changed.start("run", "roll")[:2] == (0, f"wordtray in {changed.folder}: roll\n")
    assert changed.calls() == ["venv", *PACKAGES]


def test_a_set_up_that_was_killed_is_made_anew(checkout: Checkout) -> None:
    checkout.tell("pip-is-killed")
    assert checkout.start("run")[0] != 0
    (checkout.state / "pip-is-killed").unlink()
    checkout.calls()
    assert checkout.start("run")[0] == 0
    assert checkout.calls() == ["venv", *PACKAGES]


def test_a_failure_of_pip_shows_its_last_words_and_goes_on_from_there(checkout: Checkout) -> None:
    checkout.tell("pip-says", "Collecting numpy\nERROR: No matching distribution\n")
    code, out, err = checkout.start("run")
    assert (code, out) == (1, "")
    assert "ERROR: No matching distribution\nwordtray: pip failed" in err
    (checkout.state / "pip-says").unlink()
    checkout.calls()
    assert checkout.start("run")[0] == 0
    assert checkout.calls() == [*PACKAGES]


def test_a_missing_network_is_named(checkout: Checkout) -> None:
    checkout.tell("pip-says", "WARNING: Retrying after connection broken by 'NewConnectionError'\n")
    assert "check the network" in checkout.start("run")[2]


def test_without_the_weights_of_the_reader_the_set_up_goes_on_and_says_so(
    checkout: Checkout,
) -> None:
    checkout.tell("no-weights")
    code, out, err = checkout.start("run", "roll")
    assert (code, out) == (0, f"wordtray in {checkout.folder}: roll\n")
    assert "lists must be typed" in err
    assert "pip install --no-deps 'rapidocr==3.10.*'" in err
    assert checkout.start("run")[2] == ""


def test_a_missing_python_comes_by_apt_with_the_libraries(checkout: Checkout) -> None:
    checkout.tell("no-python")
    assert checkout.start("run")[0] == 0
    assert checkout.calls() == [
        "apt python3 python3-venv libgl1 libglib2.0-0",
        "venv",
        *PACKAGES,
    ]


def test_missing_libraries_come_by_apt_alone(checkout: Checkout) -> None:
    checkout.tell("no-libraries")
    assert checkout.start("run")[0] == 0
    assert checkout.calls() == ["venv", *PACKAGES, "apt libgl1 libglib2.0-0"]


def test_a_missing_compiler_comes_by_apt(checkout: Checkout) -> None:
    checkout.tell("no-compiler")
    assert checkout.start("run")[0] == 0
    assert checkout.calls() == ["venv", "apt g++ python3-dev libgl1 libglib2.0-0", *PACKAGES]


def test_without_a_compiler_the_set_up_goes_on_and_says_what_it_costs(checkout: Checkout) -> None:
    checkout.tell("no-compiler")
    checkout.tell("apt-fails")
    code, out, err = checkout.start("run", "roll")
    assert (code, out) == (0, f"wordtray in {checkout.folder}: roll\n")
    assert "boards are solved in Python" in err
    assert "sudo apt install g++ python3-dev" in err
    assert checkout.start("run")[2] == ""


def test_the_tests_bring_the_second_reader_and_running_does_not(checkout: Checkout) -> None:
    (checkout.state.parent / "bin" / "tesseract").unlink()
    checkout.start("run")
    assert checkout.calls() == ["venv", *PACKAGES]
    checkout.start("test")
    assert "apt tesseract-ocr libgl1 libglib2.0-0" in checkout.calls()


def test_without_the_second_reader_its_tests_are_left_out_aloud(checkout: Checkout) -> None:
    (checkout.state.parent / "bin" / "tesseract").unlink()
    checkout.tell("apt-fails")
    code, _, err = checkout.start("test")
    assert code == 0
    assert "no tesseract: its tests are left out" in err


def test_the_tests_bring_a_dictionary_or_say_what_is_left_out(checkout: Checkout) -> None:
    checkout.tell("no-words")
    checkout.tell("apt-fails")
    assert "no dictionary: its tests are left out" in checkout.start("test")[2]
    (checkout.state / "apt-fails").unlink()
    (checkout.folder / ".venv" / "ready-test").unlink()
    assert "dictionary" not in checkout.start("test")[2]
    assert checkout.calls().count("apt wordnet-base libgl1 libglib2.0-0") == 2


def test_the_tests_bring_what_runs_the_scripts_of_pages(checkout: Checkout) -> None:
    (checkout.state.parent / "bin" / "node").unlink()
    checkout.start("test")
    assert "apt nodejs libgl1 libglib2.0-0" in checkout.calls()


def test_without_it_their_tests_are_left_out_aloud(checkout: Checkout) -> None:
    (checkout.state.parent / "bin" / "node").unlink()
    checkout.tell("apt-fails")
    code, _, err = checkout.start("test")
    assert code == 0
    assert "no node: its tests are left out" in err


def test_a_compiler_that_has_come_since_is_used(checkout: Checkout) -> None:
    compiler = checkout.state.parent / "bin" / "g++"
    body = compiler.read_bytes()
    compiler.unlink()
    checkout.tell("apt-fails")
    checkout.start("run")
    checkout.calls()
    compiler.write_bytes(body)
    compiler.chmod(0o755)
    checkout.start("run")
    assert checkout.calls() == [*PACKAGES]


def test_a_compiler_that_has_gone_changes_nothing(ready: Checkout) -> None:
    (ready.state.parent / "bin" / "g++").unlink()
    assert ready.start("run")[2] == ""
    assert ready.calls() == []


def test_a_compilation_that_fails_is_told_once_and_tried_again_when_asked_for(
    checkout: Checkout,
) -> None:
    checkout.tell("compiler-fails")
    code, _, err = checkout.start("run")
    assert code == 0
    assert "could not be compiled" in err
    assert checkout.start("run")[2] == ""
    (checkout.state / "compiler-fails").unlink()
    (checkout.folder / ".venv/native-failed").unlink()
    checkout.calls()
    assert checkout.start("run")[0] == 0
    assert checkout.calls() == [*PACKAGES]
    assert checkout.start("run")[2] == ""


def test_an_extension_of_an_earlier_version_never_serves_a_later_one(ready: Checkout) -> None:
    built = ready.folder / "scoring/_native.so"
    assert built.exists()
    (ready.folder / "scoring/native/trie.h").write_text("// changed")
    ready.tell("compiler-fails")
    ready.start("run")
    assert not built.exists()


def test_a_change_of_the_native_solver_builds_it_again(ready: Checkout) -> None:
    (ready.folder / "scoring/native/trie.h").write_text("// changed")
    ready.start("run")
    assert ready.calls() == [*PACKAGES]


def test_two_set_ups_take_turns(checkout: Checkout) -> None:
    folder = os.open(checkout.folder, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    with checkout.begin("run") as process:
        assert process.stderr is not None
        assert "waiting" in process.stderr.readline()
        assert checkout.calls() == []
        os.close(folder)
        process.communicate(timeout=30)
    assert checkout.calls() == ["venv", *PACKAGES]


def test_every_check_runs_and_pytest_closes(ready: Checkout) -> None:
    code, out, _ = ready.start("test")
    assert code == 0
    assert re.sub(" in .*:", "", out).splitlines() == [
        "ruff check",
        "ruff format --check",
        "mypy",
        "lint-imports",
        "pytest -n 2 --dist loadfile",
    ]


@pytest.mark.parametrize("failing", ["ruff", "mypy", "lint-imports", "pytest"])
def test_one_failure_fails_the_whole_and_stops_nothing(ready: Checkout, failing: str) -> None:
    ready.tell(f"{failing}-fails")
    code, out, err = ready.start("test")
    assert (code, len(out.splitlines())) == (1, 5)
    assert f"failed: {failing}" in err


def test_arguments_go_to_pytest_alone(ready: Checkout) -> None:
    out = ready.start("test", "tests/scoring", "-k", "qu")[1]
    assert out == f"pytest in {ready.folder}: tests/scoring -k qu\n"


def test_the_virtual_pi_runs_alone_and_brings_its_emulator(ready: Checkout) -> None:
    ready.tell("no-compiler")  # nor anything else
    out = ready.start("test", "--virtual-pi", "-x")[1]
    assert out == f"pytest in {ready.folder}: -m virtual_pi tests/hardware_in_the_loop -x\n"
    assert ready.calls()[0].startswith("apt qemu-system-x86 mmdebstrap busybox-static cpio")


def test_slow_tests_run_when_asked_for(ready: Checkout) -> None:
    out = ready.start("test", "--slow")[1]
    chosen = "not virtual_pi and not browser and not station"
    said = f"pytest in {ready.folder}: -m {chosen} -n 2 --dist loadfile"
    assert out.splitlines()[-1] == said


def steps(out: str) -> list[str]:
    """What continuous integration ran, by its output."""
    return [line.partition(" in ")[0] for line in out.splitlines() if " in " in line]


def test_continuous_integration_runs_all_and_the_virtual_pi_last(ready: Checkout) -> None:
    code, out, _ = ready.start(".ci/run")
    assert code == 0
    checks = ["ruff", "ruff", "mypy", "lint-imports", "pytest"]
    assert steps(out) == [*checks, "wheels", "pytest", "pytest", "pytest"]
    assert f"pytest in {ready.folder}: -m browser tests/browser\n" in out
    assert f"pytest in {ready.folder}: -m station tests/station\n" in out
    assert out.endswith(f"pytest in {ready.folder}: -m virtual_pi tests/hardware_in_the_loop\n")


@pytest.mark.parametrize(
    ("failing", "told"),
    [
        ("mypy", "./test"),
        ("wheels", ".venv/bin/python tools/check_wheels.py"),
        ("pytest", "./test --virtual-pi"),
    ],
)
def test_one_failing_step_fails_continuous_integration_and_stops_nothing(
    ready: Checkout, failing: str, told: str
) -> None:
    ready.tell(f"{failing}-fails")
    code, out, _ = ready.start(".ci/run")
    assert code == 1
    assert len(steps(out)) == 9
    assert f"  {told}\n" in out.partition("==== failed:")[2]
