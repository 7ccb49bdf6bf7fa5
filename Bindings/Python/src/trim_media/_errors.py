"""The exceptions of the package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class TrimError(Exception):
    """A failed task.

    `code` is a stable camelCase identifier, `status` the exit status of the same failure in a
    single command (sysexits.h), `hint` what to do, `retryable` whether the same call may succeed
    later, and `path` the file.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 70,
        hint: str | None = None,
        retryable: bool = False,
        path: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.hint = hint
        self.retryable = retryable
        self.path = path

    def __str__(self) -> str:
        text = self.message if self.path is None else f"{self.path}: {self.message}"
        return text if self.hint is None else f"{text}\n  {self.hint}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (type(self), self.message, self.__dict__))


def _rebuilt(kind: type[TrimError], message: str, members: dict[str, Any]) -> TrimError:
    error = kind(message, code=members["code"])
    error.__dict__.update(members)
    return error


class TaskError(TrimError):
    """The task is invalid: an option or a time that does not exist (64)."""


class InputError(TrimError):
    """The file is missing or not a regular file (66), or may not be read (77)."""


class MediaError(TrimError):
    """The file is not media, is damaged or protected, or exceeds a limit (65)."""


class TooLongError(TrimError):
    """The output would violate `max_length` or `min_length` (1)."""


class OutputError(TrimError):
    """The output exists, is the input, or cannot be written (73, 74)."""


class MissingError(TrimError):
    """A library, a codec or a sandbox layer is missing (69)."""


class TemporaryError(TrimError):
    """It took too long, or the system lacked resources: another attempt may succeed (75)."""


class EngineDiedError(TemporaryError):
    """The engine's process died twice during this task."""


class EngineMissingError(TrimError):
    """There is no engine, or it does not start (69)."""


_KINDS: dict[int, type[TrimError]] = {
    1: TooLongError,
    64: TaskError,
    65: MediaError,
    66: InputError,
    69: MissingError,
    73: OutputError,
    74: OutputError,
    75: TemporaryError,
    77: InputError,
}


def error_of_row(error: Mapping[str, Any], path: str) -> TrimError:
    """Returns the exception for the `error` of a row."""
    status = int(error["status"])
    hint = error["hint"]
    if hint is not None:
        # What the command calls an option is one of the engine here.
        hint = hint.replace("'--allow-private-network'", "Engine(allow_private_network=True)")
    return _KINDS.get(status, TrimError)(
        str(error["message"]),
        code=str(error["code"]),
        status=status,
        hint=hint,
        retryable=bool(error["retryable"]),
        path=path,
    )
