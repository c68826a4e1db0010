"""Rounds of pods in which nobody meets anybody twice, from finite fields.

The tables are the elements of a ring, a product of fields whose sizes are the prime powers of the
number of tables. Player ``y * tables + x`` sits in round r at table x + r y. Two who sit together
in the rounds r and r' have (r - r') (y - y') = 0; with no more rows of players than the smallest
field has elements, y - y' has an inverse, so r = r'. Where there are as many rows as tables, those
of one row have never met, and make one more round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product


@dataclass(frozen=True)
class Ring:
    """A product of finite fields; its elements are the numbers below ``size``.

    Attributes:
        size: elements.
    """

    size: int

    @cached_property
    def fields(self) -> tuple[tuple[int, int], ...]:
        """Prime and exponent of each field.

        Example:
            >>> Ring(12).fields
            ((2, 2), (3, 1))
        """
        left, fields = self.size, []
        for prime in range(2, self.size + 1):
            exponent = 0
            while left % prime == 0:
                left //= prime
                exponent += 1
            if exponent:
                fields.append((prime, exponent))
        return tuple(fields)

    @property
    def least(self) -> int:
        """Elements of the smallest field: of so many numbers from 0 all differences are units."""
        return min((prime**exponent for prime, exponent in self.fields), default=1)

    def add(self, one: int, other: int) -> int:
        """The sum."""
        return self._joined(
            [
                _from_digits([(a + b) % p for a, b in zip(x, y, strict=True)], p)
                for x, y, (p, _) in self._parts(one, other)
            ]
        )

    def times(self, row: int, other: int) -> int:
        """The product of a row, which is the same number in all fields, and an element."""
        return self._joined(
            [
                _from_digits(_product(_digits(row, p, e), y, p), p)
                for _, y, (p, e) in self._parts(0, other)
            ]
        )

    def _parts(self, one: int, other: int) -> list[tuple[list[int], list[int], tuple[int, int]]]:
        parts = []
        for prime, exponent in self.fields:
            size = prime**exponent
            one, x = divmod(one, size)
            other, y = divmod(other, size)
            digits = _digits(x, prime, exponent), _digits(y, prime, exponent)
            parts.append((*digits, (prime, exponent)))
        return parts

    def _joined(self, values: Sequence[int]) -> int:
        total = 0
        for value, (prime, exponent) in zip(reversed(values), reversed(self.fields), strict=True):
            total = total * prime**exponent + value
        return total


def golfers(players: int, tables: int) -> list[list[list[int]]]:
    """Rounds in which no two players meet twice.

    Args:
        players: how many, counted from 0.
        tables: how many tables they fill evenly.

    Returns:
        As many rounds as there are tables, sometimes one more; a single one where the number of
        tables has a prime power among its factors that is less than the players of a table.

    Example:
        >>> golfers(6, 3)[1]
        [[0, 5], [1, 3], [2, 4]]
        >>> len(golfers(16, 4)), len(golfers(32, 8)), len(golfers(24, 6))
        (5, 8, 1)
    """
    ring, rows = Ring(tables), -(-players // tables)
    rounds = [
        _seated(players, tables, ring, number)
        for number in range(tables if ring.least >= rows else 1)
    ]
    if len(rounds) > 1 and players == tables * tables:
        rounds.append([list(range(row, row + tables)) for row in range(0, players, tables)])
    return rounds


def _seated(players: int, tables: int, ring: Ring, number: int) -> list[list[int]]:
    seated: list[list[int]] = [[] for _ in range(tables)]
    shifts = [ring.times(row, number) for row in range(-(-players // tables))]
    for player in range(players):
        row, column = divmod(player, tables)
        seated[ring.add(column, shifts[row])].append(player)
    return seated


def _digits(number: int, prime: int, exponent: int) -> list[int]:
    """The coefficients of a polynomial, lowest first."""
    return [number // prime**place % prime for place in range(exponent)]


def _from_digits(digits: Sequence[int], prime: int) -> int:
    return sum(digit * prime**place for place, digit in enumerate(digits))


def _product(one: Sequence[int], other: Sequence[int], prime: int) -> list[int]:
    """The product of two polynomials modulo the irreducible one of their field."""
    degree = len(one)
    digits = [0] * (2 * degree - 1)
    for (i, a), (j, b) in product(enumerate(one), enumerate(other)):
        digits[i + j] = (digits[i + j] + a * b) % prime
    return _reduced(digits, _irreducible(prime, degree), prime)


def _reduced(digits: list[int], divisor: Sequence[int], prime: int) -> list[int]:
    """The remainder by a polynomial whose highest coefficient is 1."""
    degree = len(divisor) - 1
    digits = list(digits)
    for place in range(len(digits) - 1, degree - 1, -1):
        factor = digits[place]
        for step, digit in enumerate(divisor):
            digits[place - degree + step] = (digits[place - degree + step] - factor * digit) % prime
    return digits[:degree]


@cache
def _irreducible(prime: int, degree: int) -> tuple[int, ...]:
    """The first polynomial of a degree that no smaller one divides; highest coefficient 1."""
    return next(
        candidate
        for number in range(prime**degree)
        for candidate in [(*_digits(number, prime, degree), 1)]
        if not any(_divides(divisor, candidate, prime) for divisor in _smaller(prime, degree))
    )


def _smaller(prime: int, degree: int) -> list[tuple[int, ...]]:
    return [
        (*_digits(number, prime, lower), 1)
        for lower in range(1, degree // 2 + 1)
        for number in range(prime**lower)
    ]


def _divides(divisor: Sequence[int], candidate: Sequence[int], prime: int) -> bool:
    return not any(_reduced(list(candidate), divisor, prime))
