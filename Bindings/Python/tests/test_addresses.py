"""Tests `http` addresses, which the engine fetches itself: only where it was allowed to."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import large_clips as clips
import pytest

import trim_media
from trim_media import Engine, Task


class Server(ThreadingHTTPServer):
    """Sends ranges of the files that it has, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.asked: list[tuple[str, str | None]] = []
        self.sent = 0
        self.tag = "1"
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        data = self.server.files.get(self.path.partition("?")[0])
        self.server.asked.append((self.path, self.headers.get("Authorization")))
        if data is None:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["Range"])
        assert found is not None
        start, end = int(found[1]), min(int(found[2]) + 1, len(data))
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(data)}")
        self.send_header("Content-Length", str(end - start))
        self.send_header("ETag", f'"{self.server.tag}"')
        self.end_headers()
        self.wfile.write(data[start:end])
        self.server.sent += end - start

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def allowed() -> Iterator[Engine]:
    with Engine(workers=2, allow_private_network=True) as engine:
        yield engine


def test_an_address_is_read_by_ranges_where_it_is_allowed(
    allowed: Engine, engine: Engine, samples: Path, tmp_path: Path, server: Server
) -> None:
    local = tmp_path / "local.mp4"
    local.write_bytes(clips.index_last(samples))
    server.files["/a.mp4"] = local.read_bytes()
    address = f"{server.url}/a.mp4"
    found = allowed.probe(address, keyframes=True)
    assert (found.path, found.length) == (address, engine.probe(local).length)
    assert len(server.asked) == 2 and server.sent < 1e6
    assert allowed.check(address).passes
    cut = allowed.cut(address, tmp_path / "cut.mp4", start=1, end=2)
    assert cut.length == 1
    strip = allowed.strip(address, tmp_path / "strip.png", count=2)
    assert len(strip.pictures) == 2
    with pytest.raises(trim_media.InputError, match="a loopback address") as caught:
        engine.probe(address)
    assert (caught.value.code, caught.value.status) == ("addressRefused", 77)


def test_another_file_at_the_address_is_another_answer(
    allowed: Engine, samples: Path, server: Server
) -> None:
    for name in ("ntsc.mp4", "late-start.mp4"):
        server.files["/b.mp4"] = (samples / name).read_bytes()
        server.tag = name
        assert allowed.probe(f"{server.url}/b.mp4").length == allowed.probe(samples / name).length


def test_a_query_is_shown_nowhere(allowed: Engine, samples: Path, server: Server) -> None:
    server.files["/c.mp4"] = (samples / "ntsc.mp4").read_bytes()
    rows = list(
        allowed.map(Task.probe(f"{server.url}/{name}?sig=SECRET") for name in ("c.mp4", "no.mp4"))
    )
    assert [one.error and one.error.code for one in rows] == [None, "inputMissing"]
    assert server.asked[0][0].endswith("?sig=SECRET")
    assert rows[0].path == f"{server.url}/c.mp4?…"
    assert "SECRET" not in "".join(f"{one!r} {one.raw} {one.error}" for one in rows)


def test_header_fields_go_to_their_server(samples: Path, server: Server) -> None:
    server.files["/d.mp4"] = (samples / "ntsc.mp4").read_bytes()
    fields = {"Authorization": "Bearer SECRET"}
    with (
        Server() as other,
        Engine(workers=1, allow_private_network=True, headers={server.url: fields}) as engine,
    ):
        other.files = server.files
        assert engine.probe(f"{server.url}/d.mp4").length is not None
        assert engine.probe(f"{other.url}/d.mp4").length is not None
        assert engine.pid is not None
        arguments = Path(f"/proc/{engine.pid}/cmdline").read_bytes()
        assert b"SECRET" not in arguments
        assert [one[1] for one in server.asked] == ["Bearer SECRET"]
        assert [one[1] for one in other.asked] == [None]
        other.shutdown()
    refused: list[Any] = [{}, {"host": fields}, {server.url: {"A": "b\r\nC: d"}}]
    for wrong in refused:
        with pytest.raises(ValueError, match="header field"):
            Engine(headers=wrong)


def test_the_functions_of_the_package_are_configured(samples: Path, server: Server) -> None:
    server.files["/e.mp4"] = (samples / "ntsc.mp4").read_bytes()
    try:
        with pytest.raises(trim_media.InputError):
            trim_media.probe(f"{server.url}/e.mp4")
        trim_media.configure(allow_private_network=True)
        assert trim_media.probe(f"{server.url}/e.mp4").length is not None
    finally:
        trim_media.configure()


def _wait(port: int) -> None:
    end = time.monotonic() + 60
    while True:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert time.monotonic() < end, "the server did not start"
        time.sleep(0.1)


# Those of other packages.
@pytest.mark.filterwarnings("ignore")
def test_a_presigned_address_of_an_object_store_is_read(allowed: Engine, samples: Path) -> None:
    pytest.importorskip("moto")
    boto3 = pytest.importorskip("boto3")
    with socket.create_server(("127.0.0.1", 0)) as one:
        port = one.getsockname()[1]
    program = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(port)
        place = f"http://127.0.0.1:{port}"
        keys = {"aws_access_key_id": "me", "aws_secret_access_key": "x", "region_name": "us-east-1"}
        client = boto3.client("s3", endpoint_url=place, **keys)
        client.create_bucket(Bucket="clips")
        data = clips.index_last(samples)
        client.put_object(Bucket="clips", Key="in/a.mp4", Body=data)
        given = {"Bucket": "clips", "Key": "in/a.mp4"}
        address = client.generate_presigned_url("get_object", Params=given)
        found = allowed.probe(address)
        assert found.bytes == len(data) and "Signature" not in found.path
        s3fs = pytest.importorskip("s3fs")
        system = s3fs.S3FileSystem(
            key="me", secret="x", client_kwargs={"endpoint_url": place, "region_name": "us-east-1"}
        )
        stored = trim_media.StoredFile("clips/in/a.mp4", system)
        assert allowed.probe(stored).length == found.length
        with pytest.raises(trim_media.InputError):
            allowed.probe(trim_media.StoredFile("clips/in/nowhere.mp4", system))
    finally:
        process.kill()
        process.wait()
