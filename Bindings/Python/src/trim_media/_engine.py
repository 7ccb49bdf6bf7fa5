"""The engine, for synchronous code and for asyncio."""

from __future__ import annotations

import asyncio
import atexit
import functools
import os
import queue
import threading
from collections import deque
from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
)
from concurrent.futures import Future
from dataclasses import dataclass
from fractions import Fraction
from types import TracebackType
from typing import Any, Concatenate, Generic, Literal, ParamSpec, TypeAlias, TypeVar

from ._errors import TrimError, error_of_row
from ._locate import locate
from ._process import CAUSE, EngineProcess
from ._progress import shown
from ._stores import is_http
from ._tasks import Path, Task
from ._times import Time, written

Isolation: TypeAlias = Literal["auto", "required", "off"]
P = ParamSpec("P")
R = TypeVar("R")
Result = TypeVar("Result", covariant=True)


@dataclass(frozen=True)
class Row(Generic[Result]):
    """The outcome of a task: a result or an error."""

    task: Task[Result]
    result: Result | None
    error: TrimError | None
    attempts: int
    """The number of attempts; if a worker dies, its task is tried once more."""
    seconds: Fraction | None
    sandbox: tuple[str, ...]
    """The layers with which its process was sealed."""
    skipped: bool
    """Whether an earlier run completed it, according to `results`."""
    raw: dict[str, Any]

    @property
    def path(self) -> str:
        return self.task.shown_path

    def unwrap(self) -> Result:
        """Returns the result, or raises the error."""
        if self.error is not None:
            raise self.error
        if self.result is None:
            raise TrimError(
                "an earlier run completed it, and its result was not kept", code="skipped", status=0
            )
        return self.result

    @staticmethod
    def failed(task: Task[R], error: TrimError) -> Row[R]:
        """Returns a row for a task that the engine never answered."""
        return Row(task, None, error, 0, None, (), False, {})


def processors() -> int:
    """Returns how many CPUs this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _calling(make: Callable[P, Task[R]]) -> Callable[Concatenate[Engine, P], R]:
    @functools.wraps(make)
    def call(self: Engine, /, *args: P.args, **options: P.kwargs) -> R:
        return self.run(make(*args, **options))

    return call


def _awaiting(
    make: Callable[P, Task[R]],
) -> Callable[Concatenate[AsyncEngine, P], Coroutine[Any, Any, R]]:
    @functools.wraps(make)
    async def call(self: AsyncEngine, /, *args: P.args, **options: P.kwargs) -> R:
        return await self.run(make(*args, **options))

    return call


class Engine:
    """One process of trim with its sealed workers, for any number of calls from any thread.

    - workers: files processed in parallel; by default, one for each CPU of this process.
    - timeout: the time limit for one file; by default, it depends on the file's size. A worker
      that takes twice as long is killed, and its file is an error.
    - isolation: `required` reads nothing if a process cannot be sealed completely, `off` seals
      none.
    - results: a file to which every row is appended. With `skip_done`, tasks that it records as
      done are skipped, even after this program or its machine was killed.
    - allow_private_network: whether `http` and `https` addresses may lead to this machine and to
      private networks.
    - headers: header fields for one server, such as
      `{"https://example.org": {"Authorization": "Bearer …"}}`; else those of the variable
      TRIM_HTTP_HEADERS.
    - cache_bytes: how much of what was fetched is kept in memory, 64 MiB by default.
    - executable: an engine other than the package's.

    As a context manager, it ends with its block: after all tasks if the block ends normally, at
    once if it raises (as with Ctrl-C). Either way, no process is left.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        timeout: Time | None = None,
        isolation: Isolation = "auto",
        results: Path | None = None,
        skip_done: bool = False,
        allow_private_network: bool = False,
        headers: Mapping[str, Mapping[str, str]] | None = None,
        cache_bytes: int | None = None,
        executable: str | os.PathLike[str] | None = None,
    ) -> None:
        self.workers = workers or processors()
        found = locate(executable)
        self.executable = found
        command = [found, "batch", "--unordered", "--failures", "ok"]
        command += ["--jobs", str(self.workers), "--isolation", isolation]
        if timeout is not None:
            command += ["--timeout", written(timeout)]
        if results is not None:
            command.append(f"--results={os.fsdecode(results)}")
        if skip_done:
            command.append("--skip-done")
        if allow_private_network:
            command.append("--allow-private-network")
        if cache_bytes is not None:
            command += ["--cache-size", str(cache_bytes)]
        # Everybody on the machine sees the arguments of a process.
        environment = {} if headers is None else {"TRIM_HTTP_HEADERS": _fields(headers)}
        self._process = EngineProcess(
            command, window=4 * self.workers, workers=self.workers, environment=environment
        )

    @property
    def pid(self) -> int | None:
        """The ID of the engine's process, while there is one."""
        return self._process.pid

    def submit(self, task: Task[R]) -> Future[Row[R]]:
        """Starts a task; the future's row has its result or its error."""
        outer: Future[Row[R]] = Future()

        def settle(inner: Future[dict[str, Any]]) -> None:
            if inner.cancelled():
                outer.cancel()
            if not outer.set_running_or_notify_cancel():
                return
            try:
                error = inner.exception()
                if isinstance(error, TrimError):
                    outer.set_result(Row.failed(task, error))
                elif error is not None:
                    outer.set_exception(error)
                else:
                    outer.set_result(self._row(task, inner.result()))
            except Exception as error:
                outer.set_exception(error)

        inner = self._process.submit(task)
        outer.add_done_callback(lambda done: inner.cancel() if done.cancelled() else None)
        inner.add_done_callback(settle)
        return outer

    def run(self, task: Task[R]) -> R:
        """Returns the result of one task.

        Raises a `TrimError` if it fails.
        """
        return self.submit(task).result().unwrap()

    def map(
        self,
        tasks: Iterable[Task[R]],
        *,
        ordered: bool = True,
        in_flight: int | None = None,
        progress: bool = False,
    ) -> Iterator[Row[R]]:
        """Yields a row for every task, in the order of the tasks or as they are done.

        At most `in_flight` tasks (by default, eight for each worker) are started and not yet
        yielded, so an endless iterable needs no more memory than a short one. A failed task is a
        row too.
        """
        rows = self._map(iter(tasks), ordered, max(1, in_flight or 8 * self.workers))
        return shown(rows, tasks) if progress else rows

    def _map(self, tasks: Iterator[Task[R]], ordered: bool, room: int) -> Iterator[Row[R]]:
        pending: deque[Future[Row[R]]] = deque()
        done: queue.SimpleQueue[Future[Row[R]]] = queue.SimpleQueue()
        underway = 0
        is_at_end = False
        try:
            while True:
                while underway < room and not is_at_end:
                    task = next(tasks, None)
                    if task is None:
                        is_at_end = True
                        break
                    future = self.submit(task)
                    pending.append(future)
                    if not ordered:
                        future.add_done_callback(done.put)
                    underway += 1
                if underway == 0:
                    return
                if ordered:
                    future = pending.popleft()
                else:
                    future = done.get()
                    pending.remove(future)
                row = future.result()
                underway -= 1
                yield row
        finally:
            for future in pending:
                future.cancel()

    def _row(self, task: Task[R], row: dict[str, Any]) -> Row[R]:
        error = row["error"]
        cause = row.pop(CAUSE, None)
        raised = None if error is None else error_of_row(error, task.shown_path)
        if raised is not None and cause is not None:
            raised.__cause__ = cause
            # Nothing is gained by asking again for what a file system does not know.
            raised.retryable = raised.retryable and isinstance(cause, OSError)
        milliseconds = row["wall_ms"]
        return Row(
            task=task,
            result=task.read(task.shown_path, row) if row["result"] is not None else None,
            error=raised,
            attempts=row["attempts"],
            seconds=None if milliseconds is None else Fraction(milliseconds, 1000),
            sandbox=tuple(row["sandbox"] or ()),
            skipped=row["skipped"],
            raw=row,
        )

    probe = _calling(Task.probe)
    check = _calling(Task.check)
    plan = _calling(Task.plan)
    cut = _calling(Task.cut)
    cuts = _calling(Task.cuts)
    join = _calling(Task.join)
    strip = _calling(Task.strip)
    frames = _calling(Task.frames)
    find = _calling(Task.find)
    waveform = _calling(Task.waveform)

    def close(self, *, kill: bool = False) -> None:
        """Waits for the submitted tasks; with `kill`, ends them at once. Leaves no process."""
        self._process.close(kill=kill)

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close(kill=kind is not None)


class AsyncEngine:
    """The same with asyncio: nothing blocks the event loop."""

    def __init__(self, engine: Engine | None = None, **options: Any) -> None:
        self.engine = engine or Engine(**options)

    async def run(self, task: Task[R]) -> R:
        """Returns the result of one task; raises a `TrimError` if it fails."""
        return (await self.row(task)).unwrap()

    async def row(self, task: Task[R]) -> Row[R]:
        return await asyncio.wrap_future(self.engine.submit(task))

    async def map(
        self,
        tasks: Iterable[Task[R]] | AsyncIterable[Task[R]],
        *,
        ordered: bool = True,
        in_flight: int | None = None,
    ) -> AsyncIterator[Row[R]]:
        """Like `Engine.map`; the tasks may come from an asynchronous iterable."""
        room = max(1, in_flight or 8 * self.engine.workers)
        source = _iterated(tasks)
        pending: deque[asyncio.Future[Row[R]]] = deque()
        is_at_end = False
        try:
            while True:
                while len(pending) < room and not is_at_end:
                    try:
                        task = await anext(source)
                    except StopAsyncIteration:
                        is_at_end = True
                    else:
                        pending.append(asyncio.wrap_future(self.engine.submit(task)))
                if not pending:
                    return
                if ordered:
                    future = pending.popleft()
                else:
                    done, _ = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                    future = next(one for one in pending if one in done)
                    pending.remove(future)
                yield await future
        finally:
            for future in pending:
                future.cancel()

    probe = _awaiting(Task.probe)
    check = _awaiting(Task.check)
    plan = _awaiting(Task.plan)
    cut = _awaiting(Task.cut)
    cuts = _awaiting(Task.cuts)
    join = _awaiting(Task.join)
    strip = _awaiting(Task.strip)
    frames = _awaiting(Task.frames)
    find = _awaiting(Task.find)
    waveform = _awaiting(Task.waveform)

    async def close(self, *, kill: bool = False) -> None:
        await asyncio.to_thread(self.engine.close, kill=kill)

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close(kill=kind is not None)


async def _iterated(tasks: Iterable[R] | AsyncIterable[R]) -> AsyncIterator[R]:
    if isinstance(tasks, AsyncIterable):
        async for task in tasks:
            yield task
    else:
        for task in tasks:
            yield task


def _fields(headers: Mapping[str, Mapping[str, str]]) -> str:
    """Returns header fields as lines, after the address of their server."""
    if len(headers) != 1:
        raise ValueError("header fields are for one server: {'https://host': {'NAME': 'VALUE'}}")
    ((server, fields),) = headers.items()
    if not is_http(server):
        raise ValueError("header fields are for a server such as https://example.org")
    lines = [server, *(f"{name}: {value}" for name, value in fields.items())]
    if any(mark in line for line in lines for mark in "\r\n\0"):
        raise ValueError("a header field is one line")
    return "\n".join(lines)


class _Shared:
    """The engine of the package's functions: started when it is first needed, ended at exit."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.engine: Engine | None = None
        self.owner = 0
        self.options: dict[str, Any] = {}

    def get(self) -> Engine:
        with self.lock:
            if self.engine is None or self.owner != os.getpid():
                self.engine, self.owner = Engine(**self.options), os.getpid()
            return self.engine

    def configure(self, options: dict[str, Any]) -> None:
        with self.lock:
            old, self.engine, self.options = self.engine, None, options
        if old is not None and self.owner == os.getpid():
            old.close()

    def forget(self) -> None:
        self.lock, self.engine, self.owner = threading.Lock(), None, 0

    def end(self) -> None:
        if self.engine is not None and self.owner == os.getpid():
            self.engine.close(kill=True)


_shared = _Shared()
atexit.register(_shared.end)
# A lock that another thread held during a fork would never be released in the child.
os.register_at_fork(after_in_child=_shared.forget)


def shared() -> Engine:
    """Returns the engine that `probe` and the other functions of the package use."""
    return _shared.get()


def configure(**options: Any) -> None:
    """Sets the options of the engine that `probe` and the other functions of the package use, as
    `Engine` takes them; a running one ends after its tasks.
    """
    _shared.configure(options)


def calling_shared(make: Callable[P, Task[R]]) -> Callable[P, R]:
    @functools.wraps(make)
    def call(*args: P.args, **options: P.kwargs) -> R:
        return shared().run(make(*args, **options))

    return call
