"""Exact times: `Fraction` in results, and what a caller may pass."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

Time: TypeAlias = int | float | str | Fraction | Decimal
"""A time as a caller passes it: a number of seconds or the syntax of the command line, such as
`"1:00.5"`, `"1815f"`, `"-10"` or `"k12"`.

A `Fraction` is exact. A `float` means the decimal that Python prints for it, as if it were typed.
"""


def written(time: Time) -> str:
    """Returns the time as the engine reads it.

    >>> written(60.5), written(Fraction(121, 2)), written("1:00.5"), written(1e-05)
    ('60.5', '121/2', '1:00.5', '0.00001')
    """
    if isinstance(time, bool):
        raise TypeError("a time is a number of seconds or a string, not a bool")
    if isinstance(time, float):
        time = Decimal(repr(time))
    if isinstance(time, Decimal):
        if not time.is_finite():
            raise ValueError(f"{time} is not a time")
        return format(time, "f")
    return str(time)


def read(value: Mapping[str, Any] | None) -> Fraction | None:
    """Reads a time of a row, from its exact form only."""
    return None if value is None else Fraction(value["value"])


def read_known(value: Mapping[str, Any]) -> Fraction:
    return Fraction(value["value"])


def ratio(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def integer(value: int | str) -> int:
    """Reads an integer; beyond ±2^53 it is a string in JSON."""
    return int(value)


def optional_integer(value: int | str | None) -> int | None:
    return None if value is None else int(value)
