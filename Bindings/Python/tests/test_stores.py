"""Tests files in other file systems: they are read and written like local files, through a spool
that stays within its limit and is removed when its process ends."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
fsspec = pytest.importorskip("fsspec")

from pyarrow import fs as pafs  # noqa: E402

import trim_media  # noqa: E402
from trim_media.adapters import _index, _remote, _spool, _stores, _work  # noqa: E402


class Counted:
    """A store that counts what is read from it."""

    def __init__(self, path: Path) -> None:
        self.path, self.name, self.bytes, self.requests = path, path.name, 0, 0

    def state(self) -> tuple[int, str]:
        return self.path.stat().st_size, ""

    def read(self, start: int, length: int) -> bytes:
        self.requests += 1
        data = self.path.read_bytes()[start : start + length]
        self.bytes += len(data)
        return data

    def put(self, source: Path) -> None:
        raise NotImplementedError


def rows(work: _work.Work, **columns: list[Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = work(pa.table(columns)).to_pylist()
    return found


def without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in names}


def large(source: Path, target: Path, more: int) -> Path:
    """Writes a copy with a box of media at its end that no track uses."""
    data = source.read_bytes()
    with target.open("wb") as file:
        file.write(data)
        file.write((8 + more).to_bytes(4, "big") + b"mdat")
        file.truncate(len(data) + 8 + more)
    return target


def coded(target: Path, codec: str) -> Path:
    if shutil.which("ffmpeg") is None:
        pytest.skip("ffmpeg is not installed")
    picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "10", "-c:v", codec]
    command = ["ffmpeg", "-nostdin", "-v", "error", *picture, str(target)]
    subprocess.run(command, check=True, timeout=20)
    return target


@pytest.fixture
def clip(samples: Path, tmp_path: Path) -> Path:
    """A clip with media before and after its index."""
    for path in sorted(samples.glob("*.mp4")):
        data = path.read_bytes()
        if 0 < data.find(b"mdat") < data.find(b"moov") and b"mvex" not in data:
            return large(path, tmp_path / "large.mp4", 20_000_000)
    raise AssertionError("no sample has its index after its media")


def test_a_header_probe_fetches_only_the_index(clip: Path, tmp_path: Path) -> None:
    store, size = Counted(clip), clip.stat().st_size
    target = tmp_path / "part.mp4"
    assert _index.fetch_index(store, target, size, size)
    assert store.bytes < 200_000 and store.requests < 8
    whole = trim_media.probe(clip, depth="header")
    part = trim_media.probe(target, depth="header")
    assert without(dict(part.raw), "input") == without(dict(whole.raw), "input")
    assert part.bytes == whole.bytes == size
    assert target.stat().st_blocks * 512 < 400_000


def test_the_fetched_part_is_all_that_a_header_probe_reads(samples: Path, tmp_path: Path) -> None:
    in_part = 0
    # Their pictures state the field order, or that there is none.
    made = [coded(tmp_path / "made.mp4", "mpeg2video"), coded(tmp_path / "made.mov", "mjpeg")]
    with trim_media.Engine(workers=1) as engine:
        for path in [*made, *sorted(samples.glob("*.m[p4][4a]"))]:
            if path.name == "not-media.mp4":
                continue
            clip, target = (
                large(path, tmp_path / f"large-{path.name}", 300_000),
                tmp_path / f"part-{path.name}",
            )
            size = clip.stat().st_size
            if not _index.fetch_index(Counted(clip), target, size, size):
                assert not target.exists()
                continue
            in_part += 1
            whole, part = (engine.probe(one, depth="header").raw for one in (clip, target))
            assert without(dict(part), "input") == without(dict(whole), "input"), path.name
    assert in_part >= 14


def test_if_the_index_is_not_enough_the_file_is_fetched(
    samples: Path, clip: Path, tmp_path: Path
) -> None:
    cut_off = tmp_path / "cut-off.mp4"
    cut_off.write_bytes(clip.read_bytes()[:-1000])
    store = Counted(cut_off)
    assert not _index.fetch_index(store, tmp_path / "part", store.state()[0], 1 << 30)
    for number, name in enumerate(("fragmented.mp4", "vbr.mp3", "not-media.mp4")):
        path = samples / name
        grown = tmp_path / name
        grown.write_bytes(path.read_bytes() + bytes(300_000))
        target = tmp_path / f"{number}.part"
        assert not _index.fetch_index(Counted(grown), target, grown.stat().st_size, 1 << 30)
        assert not target.exists()


def test_urls_and_paths_give_the_same_rows(samples: Path, clip: Path) -> None:
    memory = fsspec.filesystem("memory")
    paths = [samples / name for name in ("ntsc.mp4", "not-media.mp4", "vbr.mp3")] + [clip]
    for path in paths:
        memory.pipe_file(f"/clips/{path.name}", path.read_bytes())
    local = rows(_work.Work("probe"), path=[str(path) for path in paths])
    urls = [f"memory://clips/{path.name}" for path in paths]
    found = rows(_work.Work("probe"), path=urls)
    assert [row["path"] for row in found] == urls
    assert [without(row, "path") for row in found] == [without(row, "path") for row in local]
    base = pafs.SubTreeFileSystem(str(samples), pafs.LocalFileSystem())
    named = rows(_work.Work("check", store=base), path=["ntsc.mp4", "absent.mp4"])
    assert [row["error_code"] for row in named] == [None, "inputMissing"]
    assert named[0]["passes"] is True


def test_a_cut_from_url_to_url_is_made_once(samples: Path, tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/in/b-frames.mp4", (samples / "b-frames.mp4").read_bytes())
    table = {"path": ["memory://in/b-frames.mp4"] * 2, "start": ["0.5", "1"], "end": ["2", "2"]}
    work = _work.Work("cut", "memory://out")
    first = rows(work, **table)
    assert [(row["error_code"], row["existed"]) for row in first] == [(None, False)] * 2
    made = {name: memory.created(name) for name in memory.ls("/out", detail=False)}
    assert len(made) == 2
    again = rows(work, **table)
    assert {name: memory.created(name) for name in memory.ls("/out", detail=False)} == made
    assert [row["existed"] for row in again] == [True, True]
    for one, other in zip(first, again, strict=True):
        assert without(one, "existed", "attempts", "bytes") == without(
            other, "existed", "attempts", "bytes"
        )
    copy = tmp_path / "copy.mp4"
    copy.write_bytes(memory.cat_file(first[0]["output"].removeprefix("memory:/")))
    assert str(trim_media.probe(copy).length) == "3/2"


def test_a_failing_store_is_a_row(samples: Path) -> None:
    class Failing(Counted):
        def read(self, start: int, length: int) -> bytes:
            raise OSError("the connection was reset")

    task = trim_media.Task.probe("ntsc.mp4")
    spool = _spool.Spool(1 << 20)
    with trim_media.Engine(workers=1) as engine, pytest.MonkeyPatch.context() as patch:
        patch.setattr(_remote, "_store", lambda *_: Failing(samples / "ntsc.mp4"))
        (row, _), *_ = _remote.done(engine, spool, [task], None)
    assert row.error is not None and row.error.retryable and row.error.code == "storeFailed"
    spool.close()


def test_a_cut_whose_source_has_no_known_state_is_a_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> _stores.Store:
        raise OSError("the connection was reset")

    monkeypatch.setattr(_work, "open_store", fail)
    (row,) = rows(_work.Work("cut", "memory://out"), path=["memory://in/b-frames.mp4"], end=["1"])
    assert (row["error_code"], row["error_retryable"]) == ("storeFailed", True)


def test_an_unsupported_url_is_a_row() -> None:
    (row,) = rows(_work.Work("probe"), path=["nothing://clips/a.mp4"])
    assert (row["error_code"], row["error_retryable"]) == ("storeFailed", False)


def test_a_spool_keeps_its_limit_and_empties(tmp_path: Path) -> None:
    spool = _spool.Spool(1000, str(tmp_path))
    seen: list[int] = []

    def use() -> None:
        for _ in range(20):
            with spool.place(300) as place:
                (place.folder / "clip").write_bytes(b"x" * 300)
                seen.append(len(list(spool.folder.glob("*/clip"))))

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(seen) == 160 and max(seen) <= 3 and spool.most <= 1000
    assert not list(spool.folder.iterdir())
    with pytest.raises(_spool.TooLargeError), spool.place(1001):
        pass
    spool.close()
    assert not list(tmp_path.iterdir())


def test_a_file_larger_than_the_spool_is_a_row(samples: Path) -> None:
    store = pafs.SubTreeFileSystem(str(samples), pafs.LocalFileSystem())
    work = _work.Work("probe", store=store, spool={"limit": 10_000})
    (row,) = rows(work, path=["ntsc.mp4"])
    assert row["error_code"] == "limitExceeded" and "spool" in row["error_message"]


@pytest.mark.parametrize(("limit", "code"), [(200_000, "limitExceeded"), (2_000_000, None)])
def test_a_cut_larger_than_its_source_keeps_the_limit(
    samples: Path, tmp_path: Path, limit: int, code: str | None
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    options = {"limit": limit, "folder": str(scratch)}
    spool, seen, done = _remote.spool_of_process(options), [0], threading.Event()

    def look() -> None:
        while not done.wait(0.002):
            seen.append(_on_disk(spool.folder))

    clip, output = samples / "under-limit.mp4", tmp_path / "made.mp4"
    store = pafs.LocalFileSystem()
    work = _work.Work("cut", store=store, spool=options, mode="reencode")
    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        (row,) = rows(work, path=[str(clip)], output=[str(output)])
    finally:
        done.set()
        watcher.join()
    assert row["error_code"] == code and output.exists() == (code is None)
    assert max(seen) <= spool.most <= limit
    if code is None:
        again = clip.stat().st_size + 2 * output.stat().st_size + (1 << 16)
        assert spool.most > again, "the first reservation was enough"


KILLED = """
    import sys, time
    from trim_media.adapters import _spool
    spool = _spool.Spool(1000, sys.argv[1])
    with spool.place(10) as place:
        (place.folder / "clip").write_bytes(b"x")
        print("there", flush=True)
        time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_process_leaves_no_spool(tmp_path: Path, number: int) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(KILLED), tmp_path], stdout=subprocess.PIPE
    )
    assert program.stdout is not None
    assert program.stdout.readline() == b"there\n"
    assert len(list(tmp_path.glob("*/1/clip"))) == 1
    program.send_signal(number)
    program.wait(timeout=20)
    program.stdout.close()
    end = time.monotonic() + 10
    while list(tmp_path.iterdir()):
        assert time.monotonic() < end, "the spool was not removed"
        time.sleep(0.01)


def test_urls_are_told_from_paths() -> None:
    assert _stores.is_url("s3://bucket/key") and _stores.is_url("memory://a?x=1")
    assert not _stores.is_url("/clips/a.mp4") and not _stores.is_url("odd?q=s3://x")


def test_a_spool_keeps_its_limit_while_many_files_are_fetched(
    samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip = samples / "broadcast.ts"
    size = clip.stat().st_size
    # There is space for two of the eight files that are requested at once.
    spool = _spool.Spool(2 * (size + (1 << 16)) + 1000, str(tmp_path))
    on_disk: list[int] = []
    looking = threading.Lock()

    class Watched(Counted):
        def read(self, start: int, length: int) -> bytes:
            data = super().read(start, length)
            with looking:
                on_disk.append(_on_disk(spool.folder) + len(data))
            return data

    monkeypatch.setattr(_stores, "_CHUNK", 8192)
    monkeypatch.setattr(_remote, "_store", lambda *_: Watched(clip))
    tasks = [trim_media.Task.probe("broadcast.ts") for _ in range(24)]
    with trim_media.Engine(workers=2) as engine:
        rows = [row for row, _ in _remote.done(engine, spool, tasks, None)]
    assert [row.error for row in rows] == [None] * 24
    assert spool.most > size + (1 << 16), "no two files were fetched at once"
    assert size < max(on_disk) <= spool.most <= spool.limit
    spool.close()


def _on_disk(folder: Path) -> int:
    """Returns the disk space that its files take, while others remove some."""
    found = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                found += Path(inside, name).stat().st_blocks * 512
    return found
