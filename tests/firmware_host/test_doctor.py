"""The doctor goes on where a check breaks."""

from __future__ import annotations

import pytest

from firmware_host import doctor
from firmware_host.errors import ExitCode
from scoring.engine import engines
from scoring.lexicon import LexiconError, builtin_lexicon
from scoring.solution import Solution


def test_a_broken_part_is_a_finding_and_the_others_still_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(_name: str) -> None:
        raise LexiconError("the word list is gone", "Install anew.")

    monkeypatch.setattr("firmware_host.lexicons.load", missing)
    findings = {finding.subject: finding for finding in doctor.examine()}
    assert findings["lexicon"].ok is False
    assert findings["lexicon"].advice == "Install anew."
    assert findings["lexicon"].code is ExitCode.UNUSABLE_FILE
    assert findings["machine"].ok


def test_devices_that_need_not_be_there_are_no_fault() -> None:
    (devices,) = (finding for finding in doctor.examine() if finding.subject == "devices")
    assert devices.ok is None


def solver_finding() -> doctor.Finding:
    (solver,) = (finding for finding in doctor.examine() if finding.subject == "solver")
    return solver


def test_the_solver_in_use_is_named() -> None:
    names = [engine.name for engine in engines(builtin_lexicon().trie)]
    finding = solver_finding()
    assert finding.text.startswith(names[0])
    assert all(name in finding.text for name in names)


def test_a_solver_without_its_native_part_is_no_fault_but_has_advice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scoring.engine.find_spec", lambda _: None)
    finding = solver_finding()
    assert finding.ok is None
    assert "python" in finding.text
    assert "g++" in finding.advice


def test_engines_that_disagree_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Solution(1, 1, tuple)
    monkeypatch.setattr("scoring.python_engine.PythonEngine.solve", lambda *_: wrong)
    finding = solver_finding()
    assert finding.ok is False
    assert "3623" in finding.text
