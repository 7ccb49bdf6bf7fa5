"""Tests files of the caller's own file systems: the engine says which ranges it needs."""

from __future__ import annotations

import asyncio
import io
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
from trim_media import Engine, StoredFile, Task, _stores  # noqa: E402


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
