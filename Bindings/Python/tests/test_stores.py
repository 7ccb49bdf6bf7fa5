"""Tests files in other file systems: they are read like local files, and written through a spool
that stays within its limit and is removed when its process ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import large_clips as clips
import pytest

pa = pytest.importorskip("pyarrow")
fsspec = pytest.importorskip("fsspec")
memory_system: Any = pytest.importorskip("fsspec.implementations.memory").MemoryFileSystem

from pyarrow import fs as pafs  # noqa: E402

import trim_media  # noqa: E402
from trim_media import _stores  # noqa: E402
from trim_media.adapters import _remote, _spool, _work  # noqa: E402


def rows(work: _work.Work, **columns: list[Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = work(pa.table(columns)).to_pylist()
    return found


def without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in names}


def test_urls_and_paths_give_the_same_rows(samples: Path, tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    large = tmp_path / "large.mp4"
    large.write_bytes(clips.index_last(samples))
    paths = [samples / name for name in ("ntsc.mp4", "not-media.mp4", "vbr.mp3")] + [large]
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


def test_a_cut_whose_source_has_no_known_state_is_a_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> _stores.Store:
        raise OSError("the connection was reset")

    monkeypatch.setattr(_work, "open_store", fail)
    (row,) = rows(_work.Work("cut", "memory://out"), path=["memory://in/b-frames.mp4"], end=["1"])
    assert (row["error_code"], row["error_retryable"]) == ("storeFailed", True)


def test_what_a_failing_store_raised_is_a_row(samples: Path) -> None:
    class Failing(memory_system):  # type: ignore[misc]
        cachable = False

        def cat_file(self, *_: Any, **__: Any) -> bytes:
            raise OSError("the connection was reset")

    system = Failing()
    system.pipe_file("/f/ntsc.mp4", (samples / "ntsc.mp4").read_bytes())
    (row,) = rows(_work.Work("probe", store=system), path=["/f/ntsc.mp4"])
    assert (row["error_code"], row["error_retryable"]) == ("storeFailed", True)
    assert "the connection was reset" in row["error_message"]
    assert row["path"] == "/f/ntsc.mp4"


def test_a_probe_of_a_store_needs_no_room(samples: Path) -> None:
    store = pafs.SubTreeFileSystem(str(samples), pafs.LocalFileSystem())
    work = _work.Work("probe", store=store, spool={"limit": 1})
    assert [row["error_code"] for row in rows(work, path=["ntsc.mp4"])] == [None]


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
        first = 2 * (clip.stat().st_size + (1 << 16)) + (1 << 16)
        assert spool.most > first, "the first reservation was enough"


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


def _on_disk(folder: Path) -> int:
    """Returns the disk space that its files take, while others remove some."""
    found = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                found += Path(inside, name).stat().st_blocks * 512
    return found
