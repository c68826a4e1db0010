"""The fit of how it is weighed that a word is crossed out, on little."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from vision.paper.strikes import shipped_odds
from vision.render.typefaces import shipped_typefaces
from vision.training.odds import fitted_odds
from vision.training.strikes import app


def test_the_fit_writes_odds(tmp_path: Path) -> None:
    out = tmp_path / "strikes.json"
    fonts = Path(shipped_typefaces().faces[0].path).parent
    result = CliRunner().invoke(app, [str(fonts), "--pages", "2", "--out", str(out)])
    assert result.exit_code == 0, result.output
    told = json.loads(out.read_text("utf-8"))
    assert len(told["odds"]) == len(shipped_odds())
    assert "--pages 2" in told["command"]


def test_the_fit_needs_fonts(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [str(tmp_path)])
    assert result.exit_code == 2
    assert "no font below" in result.output


def test_odds_grow_with_what_speaks_for_a_statement() -> None:
    values = np.column_stack([np.ones(200), np.linspace(-2, 2, 200)])
    odds = fitted_odds(values, values[:, 1] > 0.5)
    assert odds[1] > 1
    assert abs(odds[0] + 0.5 * odds[1]) < 0.5 * odds[1]  # even at 0.5
    often = fitted_odds(values, values[:, 1] > 0.5, np.where(values[:, 1] > 0.5, 1.9, 0.1))
    assert often[0] > odds[0]
