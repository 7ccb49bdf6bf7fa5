"""Tests files of the caller's own file systems: the engine says which ranges it needs."""

from __future__ import annotations

import asyncio
import io
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import large_clips as clips
import pytest

fsspec = pytest.importorskip("fsspec")
memory_system: Any = pytest.importorskip("fsspec.implementations.memory").MemoryFileSystem

import trim_media  # noqa: E402
from trim_media import Engine, StoredFile, Task, _serving, _stores  # noqa: E402


@dataclass
class Counts:
    requests: int = 0
    bytes: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Counted(memory_system):  # type: ignore[misc]
    """A file system in memory that counts, and can fail."""

    protocol = "counted"
    cachable = False
    store: dict[str, Any] = {}  # noqa: RUF012 - as the class that it inherits it from
    pseudo_dirs = [""]  # noqa: RUF012

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.counts = Counts()
        self.before: Callable[[int], None] = lambda _: None
        """Called with the number of each request."""

    def cat_file(
        self, path: str, start: int | None = None, end: int | None = None, **_: Any
    ) -> Any:
        counts = self.counts
        with counts.lock:
            counts.requests += 1
            number = counts.requests
        self.before(number)
        data = super().cat_file(path, start=start, end=end)
        with counts.lock:
            counts.bytes += len(data)
        return data


@pytest.fixture
def system() -> Iterator[Counted]:
    Counted.store.clear()
    yield Counted()
    Counted.store.clear()


def without(facts: trim_media.Facts) -> dict[str, Any]:
    return {key: value for key, value in facts.raw.items() if key not in ("input", "path")}


@pytest.mark.parametrize(
    ("kind", "requests", "most"),
    [
        ("index_first", 1, 0.6e6),
        ("index_last", 2, 0.7e6),
        ("fragmented", 3, 1.2e6),
        ("matroska", 6, 5e6),
    ],
)
def test_only_what_an_answer_needs_is_asked_for(
    engine: Engine,
    samples: Path,
    tmp_path: Path,
    system: Counted,
    kind: str,
    requests: int,
    most: float,
) -> None:
    make = getattr(clips, kind)
    data = make(tmp_path if kind == "matroska" else samples)
    assert len(data) > 8 << 20
    local = tmp_path / "local.mkv"
    local.write_bytes(data)
    system.pipe_file("/clips/a.mp4", data)
    found = engine.probe(StoredFile("/clips/a.mp4", system), depth="header", keyframes=True)
    wanted = engine.probe(local, depth="header", keyframes=True)
    assert (found.path, found.bytes) == ("counted://clips/a.mp4", len(data))
    assert found.durations.declared == wanted.durations.declared
    if kind.startswith("index"):
        assert found.length == wanted.length is not None
        assert found.tracks[0].keyframes == wanted.tracks[0].keyframes
    assert system.counts.requests <= requests, system.counts
    assert system.counts.bytes <= most, system.counts


def test_every_depth_gives_the_facts_of_the_local_file(
    engine: Engine, samples: Path, system: Counted
) -> None:
    for name in ("b-frames.mp4", "chapters.mkv", "broadcast.ts", "vbr.mp3", "fragmented.mp4"):
        system.pipe_file(name, (samples / name).read_bytes())
        for depth in ("auto", "packets"):
            options: Any = {"depth": depth, "keyframes": True}
            found = engine.probe(StoredFile(name, system), **options)
            assert without(found) == without(engine.probe(samples / name, **options)), name


def test_a_cut_reads_its_range(
    engine: Engine, samples: Path, tmp_path: Path, system: Counted
) -> None:
    data = clips.index_last(samples)
    local = tmp_path / "local.mp4"
    local.write_bytes(data)
    system.pipe_file("/a.mp4", data)
    cut = engine.cut(StoredFile("/a.mp4", system), tmp_path / "cut.mp4", start=1, end="2.5")
    assert system.counts.bytes < 1.5e6, system.counts
    wanted = engine.cut(local, tmp_path / "wanted.mp4", start=1, end="2.5")
    assert (tmp_path / "cut.mp4").read_bytes() == (tmp_path / "wanted.mp4").read_bytes()
    assert cut.parts == wanted.parts
    joined = engine.join(
        [StoredFile("/a.mp4", system), local], tmp_path / "all.mp4", mode="reencode"
    )
    assert joined.length > 8
    strip = engine.strip(StoredFile("/a.mp4", system), tmp_path / "strip.png", count=2)
    assert len(strip.pictures) == 2


def test_what_one_call_was_told_is_not_used_for_the_next(
    engine: Engine, samples: Path, system: Counted
) -> None:
    for name in ("ntsc.mp4", "late-start.mp4"):
        system.pipe_file("/a.mp4", (samples / name).read_bytes())
        found = engine.probe(StoredFile("/a.mp4", system))
        assert found.length == engine.probe(samples / name).length


def test_a_long_range_is_at_most_four_requests_at_once(system: Counted) -> None:
    data = bytes(range(256)) * (36 << 12)
    system.pipe_file("/a.mp4", data)
    groups: list[int] = []
    plain = system.cat_ranges

    def cat_ranges(paths: list[str], *ranges: Any, **options: Any) -> Any:
        groups.append(len(paths))
        return plain(paths, *ranges, **options)

    system.cat_ranges = cat_ranges
    store = _stores.store_of(StoredFile("/a.mp4", system))
    assert store.read(5, len(data) - 9, at_once=4) == data[5:-4]
    assert groups == [4, 1]
    with Engine(workers=16) as engine:
        server = engine._process._files
        assert server.count * server._at_once <= 16


@pytest.mark.parametrize("change", ["shorter", "other", "gone"])
def test_a_file_that_changes_meanwhile_is_refused(
    engine: Engine, samples: Path, tmp_path: Path, system: Counted, change: str
) -> None:
    data = clips.index_last(samples)
    system.pipe_file("/a.mp4", data)

    def interfere(number: int) -> None:
        if number != 2:
            return
        if change == "gone":
            system.rm_file("/a.mp4")
        else:
            time.sleep(0.01)
            system.pipe_file("/a.mp4", data[:-9000] if change == "shorter" else data)

    system.before = interfere
    with pytest.raises(trim_media.TemporaryError) as caught:
        engine.cut(StoredFile("/a.mp4", system), tmp_path / "cut.mp4", start=1, end=2)
    assert (caught.value.code, caught.value.retryable) == ("inputChanged", True)
    assert not list(tmp_path.iterdir())


def test_what_a_file_system_raises_is_the_cause(
    engine: Engine, samples: Path, system: Counted
) -> None:
    system.pipe_file("/a.mp4", clips.index_last(samples))
    raised = ConnectionResetError("https://host.example/a.mp4?sig=SECRET was reset")

    def fail(number: int) -> None:
        if number == 2:
            raise raised

    system.before = fail
    with pytest.raises(trim_media.TemporaryError) as caught:
        engine.probe(StoredFile("/a.mp4", system))
    error = caught.value
    assert error.__cause__ is raised
    assert (error.code, error.status, error.retryable) == ("storeFailed", 75, True)
    assert str(error).startswith("counted://a.mp4: ") and "was reset" in str(error)
    assert "SECRET" not in str(error)
    # The next call asks again.
    assert engine.probe(StoredFile("/a.mp4", system)).length is not None


def test_a_missing_file_and_an_unknown_scheme_are_errors(engine: Engine, system: Counted) -> None:
    with pytest.raises(trim_media.InputError) as caught:
        engine.probe(StoredFile("/nowhere.mp4", system))
    assert (caught.value.code, caught.value.status) == ("inputMissing", 66)
    with pytest.raises(trim_media.InputError) as caught:
        engine.probe("memory://nowhere/a.mp4")
    assert caught.value.code == "inputMissing"
    with pytest.raises(trim_media.TrimError, match="nothing") as other:
        engine.probe(StoredFile("nothing://a.mp4"))
    assert (other.value.code, other.value.retryable) == ("storeFailed", False)
    assert isinstance(other.value.__cause__, ValueError)


@pytest.mark.parametrize("number", range(5))
def test_open_files_are_read_through_their_own_methods(
    engine: Engine, samples: Path, system: Counted, number: int
) -> None:
    clip = samples / "ntsc.mp4"
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/x/a.mp4", clip.read_bytes())
    files: list[Callable[[], Any]] = [
        lambda: io.BytesIO(clip.read_bytes()),
        lambda: clip.open("rb"),
        lambda: fsspec.open("memory://x/a.mp4"),
        lambda: memory.open("/x/a.mp4"),
        lambda: pytest.importorskip("pyarrow").OSFile(str(clip)),
    ]
    file = files[number]()
    if hasattr(file, "seek"):
        file.seek(7)
    found = engine.probe(file)
    assert found.length == engine.probe(clip).length
    if hasattr(file, "seek"):
        assert file.tell() == 7
        file.close()


def test_a_text_file_is_refused(engine: Engine) -> None:
    with pytest.raises(trim_media.TrimError, match="'rb'"):
        engine.probe(io.StringIO("text"))


def test_files_of_one_name_are_told_apart(engine: Engine, samples: Path) -> None:
    names = ["ntsc.mp4", "late-start.mp4", "b-frames.mp4"] * 4
    tasks = [Task.probe(io.BytesIO((samples / name).read_bytes())) for name in names]
    lengths = [row.unwrap().length for row in engine.map(tasks)]
    assert lengths == [engine.probe(samples / name).length for name in names]


def test_many_files_are_read_in_parallel(samples: Path, system: Counted) -> None:
    system.pipe_file("/a.mp4", (samples / "ntsc.mp4").read_bytes())
    with Engine(workers=2) as engine, ThreadPoolExecutor(8) as threads:
        source = StoredFile("/a.mp4", system)
        found = list(threads.map(lambda _: engine.probe(source).length, range(40)))
    assert found == [Fraction(1001, 250)] * 40

    async def main() -> list[Any]:
        async with trim_media.AsyncEngine(workers=1) as engine:
            return list(await asyncio.gather(*(engine.check(source) for _ in range(4))))

    assert [one.passes for one in asyncio.run(main())] == [True] * 4


def test_a_file_of_pyarrow_is_read_by_ranges(engine: Engine, samples: Path) -> None:
    pafs = pytest.importorskip("pyarrow.fs")
    base = pafs.SubTreeFileSystem(str(samples), pafs.LocalFileSystem())
    assert engine.check(StoredFile("under-limit.mp4", base)).passes
    with pytest.raises(trim_media.InputError, match="no such file"):
        engine.check(StoredFile("nowhere.mp4", base))


def test_nothing_of_an_address_that_may_be_secret_is_shown(engine: Engine, samples: Path) -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/s/a.mp4?sig=SECRET", (samples / "ntsc.mp4").read_bytes())
    url = "memory://s/a.mp4?sig=SECRET"
    row = engine.submit(Task.probe(url)).result()
    assert row.error is None and row.path == "memory://s/a.mp4?…"
    assert "SECRET" not in repr(row) + repr(StoredFile(url)) + repr(row.task)
    with pytest.raises(trim_media.InputError) as caught:
        engine.probe("memory://me:SECRET@s/b.mp4?sig=SECRET")
    assert "SECRET" not in str(caught.value) + repr(caught.value)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("s3://me:SEC/RET+x@bucket/a.mp4", "s3://…"),
        ("https://me:SEC/RET@host/a.mp4?b", "https://…"),
        ("s3://me:SECRET@bucket/a.mp4", "s3://bucket/a.mp4"),
        ("s3://me:SEC@RET@bucket/a.mp4", "s3://bucket/a.mp4"),
        ("https://host:8080/@b/a:c.mp4?d", "https://host:8080/@b/a:c.mp4?…"),
        ("https://[::1]/a.mp4#b", "https://[::1]/a.mp4"),
        ("https://[::1]:80/a.mp4", "https://[::1]:80/a.mp4"),
    ],
)
def test_a_password_with_a_slash_is_not_shown(url: str, shown: str) -> None:
    assert _stores.shown_url(url) == shown
    assert _stores.without_secrets(f"no {url}, sorry").startswith(f"no {shown}")


def test_a_store_that_a_query_would_choose_is_not_asked(engine: Engine) -> None:
    listening = __import__("socket").create_server(("127.0.0.1", 0))
    with listening:
        listening.settimeout(0.1)
        place = f"127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(trim_media.TrimError):
            engine.probe(f"s3://bucket/a.mp4?scheme=http&endpoint_override={place}&region=x")
        with pytest.raises(TimeoutError):
            listening.accept()


def test_a_process_that_dies_is_asked_again_by_the_next(samples: Path, system: Counted) -> None:
    system.pipe_file("/a.mp4", (samples / "ntsc.mp4").read_bytes())
    with Engine(workers=1) as engine:
        assert engine.probe(StoredFile("/a.mp4", system)).length == Fraction(1001, 250)
        first = engine.pid
        assert first is not None
        __import__("os").kill(first, 9)
        assert engine.probe(StoredFile("/a.mp4", system)).length == Fraction(1001, 250)
        assert engine.pid != first


class Caching(Counted):
    """It knows the files that it was asked for, until its cache is invalidated."""

    protocol = "caching"
    known: dict[str, Any] = {}  # noqa: RUF012

    def info(self, path: str, **_: Any) -> Any:
        found = self.known.setdefault(path, super().info(path))
        return {key: found[key] for key in ("name", "type", "size")} | {"blob_id": found["created"]}

    def invalidate_cache(self, path: str | None = None) -> None:
        self.known.clear()


@pytest.mark.parametrize("is_given", [True, False])
def test_a_wrapped_file_system_is_asked_for_what_is_there_now(
    system: Counted, monkeypatch: pytest.MonkeyPatch, is_given: bool
) -> None:
    pafs = pytest.importorskip("pyarrow.fs")
    caching = Caching()
    wrapped = pafs.PyFileSystem(pafs.FSSpecHandler(caching))
    if not is_given:
        monkeypatch.setattr(
            pafs, "FileSystem", type("", (), {"from_uri": lambda _: (wrapped, "/a")})
        )
    store = _stores.open_store("/a" if is_given else "hf://a", wrapped if is_given else None)
    caching.pipe_file("/a", b"one")
    size, mark = store.state()
    assert size == 3 and mark not in ("", "None")
    time.sleep(0.001)
    caching.pipe_file("/a", b"other")
    assert store.state()[0] == 5 and store.state()[1] != mark


class _WordlessError(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.mark.parametrize("raised", [asyncio.CancelledError(), _WordlessError(), SystemExit(3)])
def test_whatever_a_file_system_raises_is_answered(
    engine: Engine, samples: Path, system: Counted, raised: BaseException
) -> None:
    system.pipe_file("/a.mp4", (samples / "ntsc.mp4").read_bytes())

    def fail(number: int) -> None:
        if number == 1:
            raise raised

    system.before = fail
    with pytest.raises(trim_media.TemporaryError, match="its file system failed") as caught:
        engine.probe(StoredFile("/a.mp4", system))
    assert caught.value.__cause__ is raised
    assert engine.probe(StoredFile("/a.mp4", system)).length is not None


@pytest.mark.parametrize("size", [-1, 1 << 63, 1 << 80])
def test_a_size_that_no_file_has_is_answered(engine: Engine, system: Counted, size: int) -> None:
    system.info = lambda path, **_: {"name": path, "type": "file", "size": size}
    with pytest.raises(trim_media.TrimError, match="a size that no file has"):
        engine.probe(StoredFile("/a.mp4", system))


def test_an_engine_that_cannot_ask_any_more_is_started_again(
    samples: Path, system: Counted
) -> None:
    system.pipe_file("/a.mp4", (samples / "ntsc.mp4").read_bytes())
    with Engine(workers=1) as engine:
        assert engine.probe(StoredFile("/a.mp4", system)).length is not None
        first = engine.pid
        for line in engine._process._files._sockets:
            line.shutdown(socket.SHUT_RDWR)
        with pytest.raises(trim_media.TemporaryError, match="does not answer"):
            engine.probe(StoredFile("/a.mp4", system))
        assert engine.probe(StoredFile("/a.mp4", system)).length is not None
        assert engine.pid != first


def test_lines_are_lost_when_the_other_side_closed_them(system: Counted) -> None:
    system.pipe_file("/a.mp4", b"media")
    is_asked, may_answer = threading.Event(), threading.Event()

    def hang(_: int) -> None:
        is_asked.set()
        may_answer.wait(20)

    system.before = hang
    server = _serving.RangeServer(1)
    (name,) = server.hold([StoredFile("/a.mp4", system)]).names
    assert name is not None
    others = server.connect()
    others[0].sendall(struct.pack("<4q", 0, len(name), 0, 5) + name.encode())
    assert is_asked.wait(20)
    for other in others[1:]:
        other.close()
    assert not server.are_lost()
    others[0].close()
    assert server.are_lost()
    may_answer.set()


def test_a_thread_that_cannot_be_started_closes_the_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    start, left = threading.Thread.start, [2]

    def fail(self: threading.Thread) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise RuntimeError("can't start new thread")
        start(self)

    monkeypatch.setattr(threading.Thread, "start", fail)
    server = _serving.RangeServer(1)
    with pytest.raises(RuntimeError):
        server.connect()
    end = time.monotonic() + 10
    assert len(server._sockets) == 3
    while any(one.fileno() >= 0 for one in server._sockets):
        assert time.monotonic() < end, "lines are open"
        time.sleep(0.01)


class _Hanging(io.BytesIO):
    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.is_read, self.may_end = threading.Event(), threading.Event()

    def read(self, size: int | None = -1, /) -> bytes:
        self.is_read.set()
        self.may_end.wait(20)
        return super().read(size)


# Python 3.12 warns of a fork where there are threads.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_open_file_that_hangs_blocks_no_other_and_no_fork() -> None:
    hanging, other = _Hanging(b"media"), io.BytesIO(b"media")
    thread = threading.Thread(target=_stores.store_of(hanging).read, args=(0, 5), daemon=True)
    thread.start()
    assert hanging.is_read.wait(20)
    assert _stores._turns.turn(hanging).lock.locked()
    found: list[bytes] = []
    reader = threading.Thread(
        target=lambda: found.append(_stores.store_of(other).read(1, 3)), daemon=True
    )
    reader.start()
    reader.join(5)
    assert found == [b"edi"]
    child = os.fork()
    if child == 0:
        hanging.may_end.set()
        is_free = _stores._turns.turn(hanging).lock.acquire(timeout=2)
        os._exit(0 if is_free else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    hanging.may_end.set()
    thread.join(5)
    assert not thread.is_alive()


def test_a_cause_is_of_the_error_that_the_engine_was_told(system: Counted) -> None:
    system.pipe_file("/a.mp4", b"some media")
    server = _serving.RangeServer(1)
    held = server.hold([StoredFile("/a.mp4", system)])
    (name,) = held.names
    assert name is not None
    raised = TimeoutError("too late")

    def fail(number: int) -> None:
        if number == 2:
            raise raised

    system.before = fail
    assert server._answer(0, name, 0, 2) == (10, b"so")
    assert server._answer(1, name, 5, 2)[1].startswith(b"timedOut\n")
    assert held.cause("timedOut") is raised and held.cause("storeFailed") is None
    # That another range can be read says nothing of this one.
    assert server._answer(1, name, 0, 5) == (10, b"some ")
    assert held.cause("timedOut") is raised
    assert server._answer(1, name, 4, 4) == (10, b" med")
    assert held.cause("timedOut") is None
