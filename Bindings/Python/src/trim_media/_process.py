"""A persistent engine process: tasks in as lines, rows out as lines.

Nothing here waits for the process on the caller's thread: sending and reading have their own
threads. If the process dies, the tasks in progress are done again in a new one, one at a time: the
task that killed it becomes a row with an error, and the others are not affected.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import threading
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import IO, Any

from ._errors import EngineDiedError, EngineMissingError, TrimError
from ._serving import Held, RangeServer
from ._tasks import Task

Row = dict[str, Any]
CAUSE = "__cause__"
"""The member of a row with what the caller's file system raised."""

_all: weakref.WeakSet[EngineProcess] = weakref.WeakSet()


def _leave_to_parent() -> None:
    """Closes the parent's pipes in a forked child: the engine must notice when the parent ends."""
    for one in _all:
        one.leave_to_parent()


os.register_at_fork(after_in_child=_leave_to_parent)


@dataclass(eq=False)
class Job:
    """A task that waits for its row."""

    number: int
    task: Task[Any]
    held: Held
    future: Future[Row] = field(default_factory=Future)
    deaths: int = 0


class EngineProcess:
    """Sends jobs to a process and settles their futures; restarts the process if it dies.

    At most `window` jobs are in the process at once; the others wait here.
    """

    def __init__(
        self,
        command: Sequence[str],
        window: int,
        *,
        workers: int = 1,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._command = list(command)
        self._environment = dict(environment or {})
        self._files = RangeServer(workers)
        self._window = max(1, window)
        # Callers use the lock itself: Ctrl-C may come after a condition has acquired it and before
        # the body of `with` begins, and then it would never be released.
        self._lock = threading.RLock()
        self._change = threading.Condition(self._lock)
        # `_lock` guards everything below.
        self._waiting: deque[Job] = deque()
        self._suspects: deque[Job] = deque()
        self._running: dict[int, Job] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._readers: list[threading.Thread] = []
        # Whether the process ends after its tasks, because it cannot ask for files any more.
        self._is_ending = False
        self._is_closing = False
        self._is_killed = False
        self._owner = os.getpid()
        self._number = 0
        self._sender = threading.Thread(target=self._send_all, name="trim-sender", daemon=True)
        self._sender.start()
        _all.add(self)

    # --- For callers.

    def submit(self, task: Task[Any]) -> Future[Row]:
        if os.getpid() != self._owner:
            raise RuntimeError("an engine cannot be used in a forked process: create one there")
        held = self._files.hold(task.media)
        try:
            task.line(0, held.names)  # What cannot be serialized raises here, in the caller.
            with self._lock:
                if self._is_closing:
                    raise RuntimeError("the engine is closed")
                self._number += 1
                job = Job(self._number, task, held)
                self._waiting.append(job)
                self._change.notify_all()
        except BaseException:
            held.release()
            raise
        job.future.add_done_callback(lambda _: held.release())
        return job.future

    @property
    def pid(self) -> int | None:
        """The ID of the process, while there is one."""
        with self._lock:
            return None if self._process is None else self._process.pid

    def close(self, *, kill: bool = False) -> None:
        """Waits for the submitted tasks; with `kill`, ends at once and leaves no process."""
        if os.getpid() != self._owner:
            return
        with self._lock:
            self._is_closing = True
            if kill:
                self._is_killed = True
                waiting = [*self._waiting, *self._suspects]
                self._waiting.clear()
                self._suspects.clear()
                process = self._process
            self._change.notify_all()
        if kill:
            for job in waiting:
                # One that was begun before the process died cannot be cancelled.
                if not job.future.cancel():
                    self._settle(job, _closed(job))
            if process is not None:
                _kill(process)
        # A future whose lock was left acquired by Ctrl-C must not block the shutdown.
        most = 2 if kill else None
        self._sender.join(most)
        for reader in self._readers:
            reader.join(most)

    def leave_to_parent(self) -> None:
        """Called in a forked child, where no other thread runs; the descriptors stay in use."""
        process, null = self._process, os.open(os.devnull, os.O_RDWR)
        for pipe in () if process is None else (process.stdin, process.stdout):
            with contextlib.suppress(OSError, ValueError):
                if pipe is not None:
                    os.dup2(null, pipe.fileno(), inheritable=False)
        self._files.leave_to_parent(null)
        os.close(null)

    # --- The sender's thread.

    def _send_all(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(self._has_work)
                job = self._next()
                if job is None:
                    break
                try:
                    process = self._process or self._start()
                except (OSError, RuntimeError) as error:
                    # A RuntimeError is a thread that cannot be started.
                    self._settle(job, _cannot_start(error))
                    continue
                self._running[job.number] = job
            try:
                assert process.stdin is not None
                process.stdin.write(job.task.line(job.number, job.held.names))
                process.stdin.flush()
            except (OSError, ValueError):
                # The process is gone; its reader handles the jobs that were in progress.
                continue
        self._finish()

    def _has_work(self) -> bool:
        if self._is_ending:
            return False
        if self._suspects:
            return not self._running
        if self._waiting:
            return len(self._running) < self._window
        return self._is_closing and not self._running

    def _next(self) -> Job | None:
        """Returns the next job that is not cancelled, or `None` if all are done."""
        if self._suspects:
            return self._suspects.popleft()
        while self._waiting:
            job = self._waiting.popleft()
            if job.future.set_running_or_notify_cancel():
                return job
        return None if self._is_closing else self._next_later()

    def _next_later(self) -> Job | None:
        self._change.wait_for(self._has_work)
        return self._next()

    def _start(self) -> subprocess.Popen[bytes]:
        complaints = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        try:
            return self._started(complaints)
        except BaseException:
            complaints.close()
            raise

    def _started(self, complaints: IO[bytes]) -> subprocess.Popen[bytes]:
        lines = self._files.connect()
        numbers = [line.fileno() for line in lines]
        try:
            # Its own session: Ctrl-C goes to Python, which decides what ends.
            process = subprocess.Popen(
                [*self._command, f"--range-sockets={','.join(map(str, numbers))}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                start_new_session=True,
                pass_fds=numbers,
                env={**os.environ, **self._environment} if self._environment else None,
            )
        finally:
            for line in lines:
                line.close()
        self._process = process
        reader = threading.Thread(
            target=self._read_all, args=(process, complaints), name="trim-reader", daemon=True
        )
        try:
            reader.start()
        except BaseException:
            self._process = None
            _end(process)
            raise
        self._readers = [one for one in self._readers if one.is_alive()] + [reader]
        return process

    def _finish(self) -> None:
        with self._change:
            process = self._process
        if process is not None and process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()

    # --- The reader's thread, one for each process.

    def _read_all(self, process: subprocess.Popen[bytes], complaints: IO[bytes]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            try:
                row = json.loads(line)
                number = row["id"]
            except (ValueError, KeyError, TypeError):
                break
            is_failed = (row.get("error") or {}).get("code") == "storeFailed"
            with self._change:
                job = self._running.pop(number, None)
                if is_failed and self._files.are_lost():
                    self._is_ending = True
                is_last = self._is_ending and not self._running
                self._change.notify_all()
            if job is not None:
                self._settle(job, row)
            if is_last:
                break
        status = _end(process)
        words = _last_words(complaints)
        complaints.close()
        self._bury(process, status, words)

    def _bury(self, process: subprocess.Popen[bytes], status: int, words: str) -> None:
        with self._change:
            if self._process is process:
                self._process, self._is_ending = None, False
            jobs = [self._running.pop(number) for number in sorted(self._running)]
            was_alone = len(jobs) == 1
            guilty = []
            for job in jobs:
                job.deaths += 1
                if self._is_killed or (was_alone and job.deaths > 1):
                    guilty.append(job)
                else:
                    self._suspects.append(job)
            self._change.notify_all()
            is_killed = self._is_killed
        for job in guilty:
            self._settle(job, _closed(job) if is_killed else _died(job, status, words))

    def _settle(self, job: Job, outcome: Row | TrimError) -> None:
        # The caller may have cancelled it meanwhile.
        with contextlib.suppress(Exception):
            if isinstance(outcome, TrimError):
                job.future.set_exception(outcome)
            else:
                # The files are released when the future is done.
                error = outcome.get("error")
                outcome[CAUSE] = job.held.cause(error["code"]) if error else None
                job.future.set_result(outcome)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kills the process and its workers, which are in its session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes]) -> int:
    _kill(process)
    for pipe in (process.stdout, process.stdin):
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()
    return process.wait()


def _last_words(complaints: IO[bytes]) -> str:
    end = complaints.seek(0, os.SEEK_END)
    complaints.seek(max(0, end - 500))
    return complaints.read().decode("utf-8", "replace").strip()


def _died(job: Job, status: int, words: str) -> TrimError:
    how = f"was killed by signal {-status}" if status < 0 else f"exited with status {status}"
    if status in (64, 69):
        return EngineMissingError(
            f"the engine does not start: {words}", code="engineMissing", status=status
        )
    return EngineDiedError(
        f"the engine's process {how} during this task" + (f": {words}" if words else ""),
        code="engineDied",
        status=75,
        retryable=True,
        hint="If the output exists, it is complete: it appeared just before.",
        path=job.task.shown_path,
    )


def _closed(job: Job) -> TrimError:
    return TrimError(
        "the engine was closed before the task was done",
        code="cancelled",
        status=130,
        path=job.task.shown_path,
    )


def _cannot_start(error: OSError | RuntimeError) -> TrimError:
    words = getattr(error, "strerror", None) or str(error)
    return EngineMissingError(
        f"the engine cannot be started: {words}", code="engineMissing", status=69
    )
