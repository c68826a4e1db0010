"""What a person says of doubtful words: sorted questions, decisions, and what they change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from scoring.referee import RoundResult
from vision.paper.reading import Doubt, WordListReading, WordReading

Place = tuple[int, int]
"""Number of the list among those that are reviewed, and of the word in it, both from 0."""

Lists = tuple[WordListReading, ...]

Score = Callable[[Lists], RoundResult]
"""Scores the lists of a round as they stand; results name players in the order of the lists."""


@dataclass(frozen=True)
class Answer:
    """What a word is, as a person says.

    Attributes:
        text: what is written, capitals.
        struck: it is crossed out.
    """

    text: str
    struck: bool = False


@dataclass(frozen=True)
class Review:
    """Lists that are looked through; a value, so that a decision makes another one.

    Attributes:
        lists: as they were read.
        decisions: what was said of words, in the order in which it was.
    """

    lists: Lists
    decisions: Mapping[Place, Answer] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def open(self) -> tuple[Place, ...]:
        """The words that are still doubtful, the least sure first."""
        asked = [
            place
            for place in self.places
            if self.word(place).doubtful and place not in self.decisions
        ]
        return tuple(sorted(asked, key=lambda place: (self.word(place).confidence, place)))

    @property
    def places(self) -> tuple[Place, ...]:
        """Every word of every list, in order."""
        return tuple(
            (number, word)
            for number, reading in enumerate(self.lists)
            for word in range(len(reading.words))
        )

    def word(self, place: Place) -> WordReading:
        """A word as it was read."""
        number, word = place
        return self.lists[number].words[word]

    def decided(self, place: Place, answer: Answer) -> Review:
        """With what a person says of a word; what was said of it before is forgotten.

        Raises:
            IndexError: there is no such word.
            ValueError: no text, of a word that is not crossed out.
        """
        self.word(place)
        if not answer.text and not answer.struck:
            raise ValueError("a word that counts has letters")
        others = {key: value for key, value in self.decisions.items() if key != place}
        return replace(self, decisions=MappingProxyType({**others, place: answer}))

    @property
    def settled(self) -> Lists:
        """The lists with every decision in them; what is still open is as doubtful as before."""
        return tuple(
            replace(
                reading,
                words=tuple(self._settled((number, place)) for place in range(len(reading.words))),
            )
            for number, reading in enumerate(self.lists)
        )

    def _settled(self, place: Place) -> WordReading:
        word, answer = self.word(place), self.decisions.get(place)
        if answer is None:
            return word
        settled = replace(word, text=answer.text, struck=answer.struck, confidence=1.0)
        return replace(settled, doubtful=False, doubts=())

    def changes(self, place: Place, answer: Answer, score: Score) -> bool:
        """Whether an answer gives another result than the machine's own first reading would.

        Args:
            place: of the word.
            answer: what a person says of it.
            score: of the round, all else being as decided so far.
        """
        first = offers(self.word(place))[:1]
        if answer in first:
            return False
        as_read = self.decided(place, first[0]) if first else self
        return outcome(score(as_read.settled)) != outcome(
            score(self.decided(place, answer).settled)
        )


def offers(word: WordReading) -> tuple[Answer, ...]:
    """What a word may be, the likeliest first: taken as read, that is the first of them."""
    texts = dict.fromkeys([word.text, *(text for text, _ in word.alternatives)])
    readings = tuple(Answer(text) for text in texts if text)
    struck = Answer(word.text, struck=True)
    if word.struck:
        return (struck, *readings)
    if {Doubt.CROSSED_OUT, Doubt.CIRCLE} & {*word.doubts}:
        return (*readings[:1], struck, *readings[1:])
    return readings


def outcome(result: RoundResult) -> Sequence[object]:
    """Of a result what a decision may change: points, verdicts, winners."""
    words = [(word.verdict, word.points) for player in result.players for word in player.words]
    return [[player.points for player in result.players], words, result.winners]
