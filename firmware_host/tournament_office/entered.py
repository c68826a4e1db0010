"""What routes answer that have entered something: which entries of the log it became."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from firmware_host.web.views import example
from scoring.players import LONGEST_NAME
from scoring.tournament.log import Log
from scoring.tournament.plan import LONGEST_TEXT

PlayerName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, examples=["Anna"])]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


class Entered(BaseModel):
    """The last entry that was made, and how many there are."""

    model_config = example(entry=31, entries=31)

    entry: int = Field(description="its number; `undo` takes it back")
    entries: int


def entered(log: Log) -> Entered:
    """The answer after something was entered."""
    return Entered(entry=len(log.entries), entries=len(log.entries))
