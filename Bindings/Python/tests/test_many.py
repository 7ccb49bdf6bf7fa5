"""Tests many files, crashes, and callers that give up."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import trim_media
from trim_media import AsyncEngine, Engine, Task, _process


def until(condition: Callable[[], bool], what: str, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"timed out waiting until {what}"
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def workers(pid: int) -> list[int]:
    """Returns the processes in the session of an engine."""
    found = []
    for one in Path("/proc").iterdir():
        if one.name.isdigit() and is_alive(int(one.name)):
            try:
                if os.getsid(int(one.name)) == pid:
                    found.append(int(one.name))
            except OSError:
                continue
    return found


@pytest.fixture
def clips(samples: Path) -> list[Path]:
    return sorted(path for path in samples.iterdir() if path.suffix not in {".md", ".tsv"})


def test_every_task_has_a_row_in_order(clips: list[Path]) -> None:
    tasks = [Task.probe(path).tagged(number) for number, path in enumerate(clips * 3)]
    with Engine(workers=2) as engine:
        rows = list(engine.map(tasks))
    assert [row.task.tag for row in rows] == list(range(len(tasks)))
    for row in rows:
        assert (row.error is None) == (row.path.rpartition("/")[2] != "not-media.mp4")
        assert row.error is not None or row.unwrap().path == row.path


def test_unordered_rows_are_the_same_rows(clips: list[Path]) -> None:
    with Engine(workers=2) as engine:
        rows = list(engine.map((Task.check(path) for path in clips * 2), ordered=False))
    assert sorted(row.path for row in rows) == sorted(str(path) for path in clips * 2)


def test_tasks_are_taken_only_when_there_is_room(samples: Path) -> None:
    taken = 0

    def endless() -> Iterator[Task[trim_media.Facts]]:
        nonlocal taken
        while True:
            taken += 1
            yield Task.probe(samples / "ntsc.mp4")

    with Engine(workers=1) as engine:
        rows = engine.map(endless(), in_flight=3)
        for _ in range(20):
            assert next(rows).result is not None
        assert taken <= 23
        rows.close()  # type: ignore[attr-defined]


def test_a_killed_engine_costs_no_row(clips: list[Path], tmp_path: Path) -> None:
    with Engine(workers=2) as engine:
        rows = []
        for number, row in enumerate(engine.map([Task.probe(path) for path in clips * 3])):
            rows.append(row)
            if number in (10, 40) and engine.pid is not None:
                os.kill(engine.pid, signal.SIGKILL)
    assert len(rows) == 3 * len(clips)
    assert {row.error.code for row in rows if row.error} == {"notMedia"}


def test_a_killed_worker_costs_no_row(clips: list[Path]) -> None:
    with Engine(workers=2) as engine:
        rows = []
        for number, row in enumerate(engine.map([Task.probe(path) for path in clips * 3])):
            rows.append(row)
            if number in (15, 45) and engine.pid is not None:
                for worker in set(workers(engine.pid)) - {engine.pid}:
                    os.kill(worker, signal.SIGKILL)
    assert {row.error.code for row in rows if row.error} <= {"notMedia"}


FALSE_ENGINE = """
    import json, os, sys
    for line in sys.stdin:
        task = json.loads(line)
        if "deadly" in task["path"]: os.kill(os.getpid(), 9)
        print(json.dumps({
            "id": task["id"], "error": {"code": "badTask", "message": "harmless", "hint": None,
            "status": 64, "retryable": False}, "result": None, "attempts": 1, "wall_ms": 1,
            "sandbox": [], "skipped": False}), flush=True)
"""


def test_a_task_that_kills_the_engine_costs_one_row(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_text(f"#!{sys.executable}\n" + textwrap.dedent(FALSE_ENGINE))
    program.chmod(0o755)
    tasks = [Task.probe(f"/{'deadly' if n in (7, 30) else 'mild'}/{n}") for n in range(50)]
    with Engine(workers=2, executable=program) as engine:
        rows = list(engine.map(tasks))
    codes = [row.error.code for row in rows if row.error]
    assert [n for n, code in enumerate(codes) if code == "engineDied"] == [7, 30]
    assert len(codes) == 50
    error = rows[7].error
    assert isinstance(error, trim_media.EngineDiedError) and error.retryable


def test_an_engine_that_does_not_start_says_so(tmp_path: Path) -> None:
    with pytest.raises(trim_media.EngineMissingError):
        Engine(executable=tmp_path / "nothing")
    with (
        Engine(timeout="never") as engine,
        pytest.raises(trim_media.EngineMissingError, match="never"),
    ):
        engine.probe("/nowhere")


@pytest.mark.parametrize("name", ["trim-ranges", "trim-reader"])
def test_a_thread_that_cannot_be_started_is_an_error(
    samples: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    start = threading.Thread.start

    def fail(self: threading.Thread) -> None:
        if self.name == name:
            raise RuntimeError("can't start new thread")
        start(self)

    with Engine(workers=1) as engine:
        monkeypatch.setattr(threading.Thread, "start", fail)
        row = engine.submit(Task.probe(samples / "ntsc.mp4")).result(10)
        assert row.error is not None and row.error.code == "engineMissing"
        assert "can't start new thread" in str(row.error) and engine.pid is None
        monkeypatch.undo()
        assert engine.probe(samples / "ntsc.mp4").length is not None


def test_a_task_that_waits_for_another_attempt_is_settled_by_a_close(
    samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(workers=1)
    job = _process.Job(1, Task.probe(samples / "ntsc.mp4"), engine._process._files.hold([]))
    assert job.future.set_running_or_notify_cancel()
    monkeypatch.setattr(engine._process._sender, "join", lambda _: None)
    # The sender cannot take it meanwhile.
    with engine._process._lock:
        engine._process._suspects.append(job)
        engine.close(kill=True)
    error = job.future.exception(5)
    assert isinstance(error, trim_media.TrimError) and error.code == "cancelled"


def test_a_closed_engine_leaves_no_process(samples: Path) -> None:
    engine = Engine(workers=2)
    assert list(engine.map([Task.probe(samples / "vbr.mp3")] * 8))
    pid = engine.pid
    assert pid is not None and len(workers(pid)) > 1
    engine.close()
    until(lambda: not workers(pid), "the engine has ended")
    with pytest.raises(RuntimeError, match="closed"):
        engine.probe(samples / "ntsc.mp4")


def test_an_exception_in_the_block_ends_the_engine_at_once(samples: Path) -> None:
    pid: int | None = None
    with pytest.raises(ZeroDivisionError), Engine(workers=2) as engine:
        engine.probe(samples / "ntsc.mp4")
        pid = engine.pid
        for _ in range(100):
            engine.submit(Task.waveform(samples / "over-limit.mp4"))
        raise ZeroDivisionError
    assert pid is not None
    until(lambda: not workers(pid), "the engine has ended")


INTERRUPTED = """
    import signal, sys, trim_media
    from trim_media import Task
    # A process that a shell starts in the background ignores SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    clip = sys.argv[1]
    def endless():
        while True: yield Task.probe(clip)
    try:
        with trim_media.Engine(workers=2) as engine:
            for number, row in enumerate(engine.map(endless())):
                if number == 5: print(engine.pid, flush=True)
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_an_interrupted_or_killed_program_leaves_no_process(
    samples: Path, number: int, status: int
) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(INTERRUPTED), samples / "ntsc.mp4"],
        stdout=subprocess.PIPE,
    )
    assert program.stdout is not None
    pid = int(program.stdout.readline())
    program.send_signal(number)
    try:
        assert program.wait(timeout=20) == status
    finally:
        program.kill()
        program.wait()
        program.stdout.close()
    until(lambda: not workers(pid), "the engine has ended")


def test_a_forked_process_does_not_hold_the_engine(samples: Path) -> None:
    with Engine(workers=1) as engine:
        engine.probe(samples / "ntsc.mp4")
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                engine.probe(samples / "ntsc.mp4")
            except RuntimeError:
                os.write(writer, b"refused")
            os._exit(0)
        os.close(writer)
        assert os.read(reader, 100) == b"refused"
        os.close(reader)
        os.waitpid(child, 0)
        assert engine.probe(samples / "ntsc.mp4").length is not None


def test_asyncio_runs_many_at_once_and_can_cancel_one(clips: list[Path], samples: Path) -> None:
    async def work() -> None:
        async with AsyncEngine(workers=2) as engine:
            facts = await asyncio.gather(*(engine.probe(samples / "ntsc.mp4") for _ in range(20)))
            assert len({one.length for one in facts}) == 1
            late = asyncio.create_task(engine.waveform(samples / "over-limit.mp4"))
            await asyncio.sleep(0)
            late.cancel()
            with pytest.raises(asyncio.CancelledError):
                await late
            with pytest.raises(trim_media.MediaError):
                await engine.probe(samples / "not-media.mp4")
            tasks = [Task.probe(path) for path in clips * 2]
            assert [row.path async for row in engine.map(tasks)] == [str(one.path) for one in tasks]
            some = [row.path async for row in engine.map(tasks, ordered=False)]
            assert sorted(some) == sorted(str(one.path) for one in tasks)

    asyncio.run(work())


def test_results_record_what_is_done(samples: Path, tmp_path: Path) -> None:
    results = tmp_path / "rows.jsonl"
    task = Task.cut(samples / "b-frames.mp4", tmp_path / "part.mp4", start=1, end=2)
    with Engine(results=results) as engine:
        assert engine.run(task).length == Fraction(1)
    assert json.loads(results.read_text().splitlines()[-1])["kind"] == "cut"
    with Engine(results=results, skip_done=True) as engine:
        row = next(engine.map([task]))
        assert row.skipped and row.error is None
        # The row has what was recorded.
        assert row.unwrap().length == Fraction(1)


def test_isolation_is_as_requested(samples: Path) -> None:
    for isolation, is_sealed in (("auto", True), ("off", False)):
        with Engine(workers=1, isolation=isolation) as engine:  # type: ignore[arg-type]
            row = next(engine.map([Task.probe(samples / "ntsc.mp4")]))
        assert (len(row.sandbox) > 0) == is_sealed


def test_a_timeout_is_temporary(samples: Path) -> None:
    with Engine(workers=1, timeout=Fraction(1, 1000)) as engine:
        row = next(engine.map([Task.probe(samples / "over-limit.mp4", depth="frames")]))
    assert isinstance(row.error, trim_media.TemporaryError | trim_media.MediaError)


def test_progress_counts_the_files(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tasks = [Task.probe(samples / "ntsc.mp4")] * 3
    with Engine(workers=1) as engine:
        assert len(list(engine.map(tasks, progress=True))) == 3
    try:
        import tqdm  # noqa: F401
    except ImportError:
        assert capsys.readouterr().err == ""
    else:
        assert "3/3" in capsys.readouterr().err
