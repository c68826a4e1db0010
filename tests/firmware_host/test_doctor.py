"""The doctor goes on where a check breaks."""

from __future__ import annotations

import pytest

from firmware_host import doctor
from firmware_host.errors import ExitCode
from scoring.lexicon import LexiconError


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
