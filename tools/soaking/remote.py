"""Reads a film by HTTP from a server that counts what it sends, with trim and beside it with ffprobe, ffmpeg and
mediainfo; then compares the rows of corpus files at addresses with those of the files."""

import http.server
import json
import os
import re
import socketserver
import subprocess
import threading
import urllib.parse
from pathlib import Path

from soaking.bench import ROOT, Rows, run as run_to_end

ABOUT = "files at addresses: requests and bytes of each job, and rows that equal those of the local files"
COUNT = 60
PAGE = ROOT / "Documentation" / "Remote.md"
MARK = "<!-- table: made by tools/soak remote -->"
END = "<!-- end of table -->"

FILM = ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=90,noise=alls=60:allf=t",
        "-f", "lavfi", "-i", "sine=f=440:r=48000:d=90", "-c:v", "libx264", "-preset", "ultrafast",
        "-g", "50", "-keyint_min", "50", "-sc_threshold", "0", "-b:v", "25M", "-minrate", "25M",
        "-maxrate", "25M", "-bufsize", "12M", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "128k"]
LAYOUTS = {
    "last.mp4": ("index last", []),
    "first.mp4": ("index first", ["-movflags", "+faststart"]),
    "fragmented.mp4": ("fragmented", ["-movflags", "frag_keyframe+empty_moov"]),
    "film.mkv": ("MKV", []),
    "film.ts": ("TS", []),
}
# Measured elsewhere (mediabunny 1.55), in the order of the layouts.
QUOTED = ["| mediabunny, duration | 2, 1.38 | 1, 0.34 | 3, 1.16 | 3, 7.26 | 12, 28.6 |",
          "| mediabunny, all video packets | – | 1, 0.34 | – | 3, 285.3 | – |"]
PART = ["--from", "60.3", "--to", "65.3"]
# The bytes of the part and of two GOPs, and half a megabyte.
MOST_OF_CUT = 16_000_000 + 2 * 6_500_000 + 500_000
# The most requests and bytes for trim: an index of 52 kB and 0.6 MB.
BOUNDS = {
    ("probe", "first.mp4"): (1, 660_000), ("probe", "last.mp4"): (2, 660_000),
    ("keyframes", "first.mp4"): (1, 660_000), ("keyframes", "last.mp4"): (2, 660_000),
    ("cut", "first.mp4"): (4, MOST_OF_CUT), ("cut", "last.mp4"): (4, MOST_OF_CUT),
    ("cut", "film.mkv"): (4, MOST_OF_CUT), ("cut", "fragmented.mp4"): (4, MOST_OF_CUT),
    ("probe", "fragmented.mp4"): (3, 1_000_000), ("keyframes", "fragmented.mp4"): (3, 1_000_000),
    ("probe", "film.mkv"): (3, 2_000_000), ("keyframes", "film.mkv"): (3, 2_000_000),
    ("check", "film.mkv"): (3, 2_000_000), ("check", "fragmented.mp4"): (3, 1_000_000),
    ("strip", "first.mp4"): (12, 10 * 6_500_000), ("strip", "last.mp4"): (13, 10 * 6_500_000),
}


class Counter:
    """What was asked of the server, and how much it sent."""

    def __init__(self):
        self.lock = threading.Lock()
        self.reset()

    def reset(self):
        with self.lock:
            self.requests, self.bytes = 0, 0

    def add(self, requests, count):
        with self.lock:
            self.requests += requests
            self.bytes += count


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """A client that hangs up has read enough."""


def serve(folder, counter):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *words):
            pass

        def do_GET(self):
            name = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path).lstrip("/")
            path = folder / name
            counter.add(1, 0)
            if not path.is_file() or folder.resolve() not in path.resolve().parents:
                self.send_response(404)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            size = path.stat().st_size
            first, last = 0, size - 1
            asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
            if asked:
                first = int(asked[1])
                last = min(last, int(asked[2])) if asked[2] else last
            if asked and first > last:
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{size}")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(206 if asked else 200)
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("ETag", f'"{size}-{path.stat().st_mtime_ns}"')
            if asked:
                self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
            self.send_header("Content-Length", str(last - first + 1))
            self.end_headers()
            with path.open("rb") as file:
                file.seek(first)
                left = last - first + 1
                while left:
                    block = file.read(min(left, 1 << 16))
                    self.wfile.write(block)
                    counter.add(0, len(block))
                    left -= len(block)

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def make(folder):
    made = folder / "last.mp4"
    result = run_to_end(["ffmpeg", "-nostdin", "-v", "error", *FILM, made], 600)
    for name, (_, options) in LAYOUTS.items():
        if result.status == 0 and name != "last.mp4":
            result = run_to_end(["ffmpeg", "-nostdin", "-v", "error", "-i", made, "-c", "copy",
                                 *options, folder / name], 600)
    if result.status:
        raise SystemExit(f"soak: cannot make the film: {result.err}")


def jobs(trim, address, folder, name):
    """The commands, with the words of the row that each fills."""
    ending = Path(name).suffix
    allow = "--allow-private-network"
    yield "probe", "trim probe", [trim, "probe", "--json", allow, address]
    yield "keyframes", "trim probe --keyframes", [trim, "probe", "--json", "--keyframes", allow, address]
    yield "check", "trim check", [trim, "check", "--json", "--max-length", "none", allow, address]
    if ending != ".ts":
        yield "cut", "trim cut, 5 s", [trim, "cut", allow, address, *PART, "-f", "-o", folder / f"cut{ending}"]
    if ending == ".mp4":
        yield "strip", "trim strip, ten exact pictures", [
            trim, "strip", allow, address, "-f", "-o", folder / "strip.png"]
    yield "ffprobe", "ffprobe, header", ["ffprobe", "-v", "error", "-show_format", "-show_streams", address]
    if ending != ".ts":
        yield "ffprobe packets", "ffprobe, all video packets", [
            "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts", address]
    yield "mediainfo", "mediainfo", ["mediainfo", address]
    if ending != ".ts":
        yield "ffmpeg cut", "ffmpeg -ss 60.3 -t 5 -c copy", [
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-ss", "60.3", "-i", address, "-t", "5", "-c",
            "copy", folder / f"ffmpeg{ending}"]
    if ending == ".mp4":
        yield "ffmpeg picture", "ffmpeg, one exact picture", [
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-ss", "60.3", "-i", address, "-frames:v", "1",
            folder / "ffmpeg.png"]


def measured(bench, rows):
    """Yields a row for each job and layout."""
    films = bench.folder / "films"
    films.mkdir()
    make(films)
    counter = Counter()
    server = serve(films, counter)
    for name in LAYOUTS:
        address = f"http://127.0.0.1:{server.server_port}/{name}"
        for job, words, command in jobs(bench.trim, address, bench.folder, name):
            counter.reset()
            outcome = run_to_end(command, 300)
            row = {"job": job, "words": words, "layout": name, "status": outcome.status,
                   "requests": counter.requests, "bytes": counter.bytes, "findings": []}
            bound = BOUNDS.get((job, name))
            if bound and outcome.status:
                row["findings"].append(f"status {outcome.status}: {outcome.err[-300:]}")
            if bound and (row["requests"] > bound[0] or row["bytes"] > bound[1]):
                row["findings"].append(f"more than {bound[0]} requests and {bound[1]} bytes")
            rows.add(row)
            yield row
    server.shutdown()


def table(found):
    """The table, in Markdown."""
    heads = [words for words, _ in LAYOUTS.values()]
    lines = ["| job (requests, MB) | " + " | ".join(heads) + " |",
             "|---|" + "---|" * len(heads)]
    for words in dict.fromkeys(row["words"] for row in found):
        cells = []
        for name in LAYOUTS:
            row = next((r for r in found if r["words"] == words and r["layout"] == name), None)
            cells.append(f"{row['requests']}, {row['bytes'] / 1e6:.2f}" if row else "–")
        shown = f"**{words}**" if words.startswith("trim") else words
        lines.append(f"| {shown} | " + " | ".join(cells) + " |")
    return lines + QUOTED


def comparable(text, name):
    """What a row says, without where the file is."""
    try:
        value = json.loads(text)
    except ValueError:
        return text.replace(str(name), "FILE")
    if isinstance(value, dict):
        value.pop("input", None)
        value.pop("output", None)
        value.pop("remote", None)
    return value


def compared(bench, rows):
    """Yields a row for each corpus file whose answers differ."""
    corpus = os.environ.get("TRIM_CORPUS")
    if not corpus:
        print("soak: TRIM_CORPUS is not set: no files are compared")
        return
    folder = Path(corpus).resolve()
    files = sorted(path for path in folder.rglob("*")
                   if path.is_file() and path.parent.name != "LICENCES"
                   and path.suffix.lower() not in (".tsv", ".jsonl", ".md", ".txt"))
    step = max(1, len(files) // bench.count)
    files = files[::step][:bench.count]
    server = serve(folder, Counter())

    def work(number, own):
        path = files[number]
        place = urllib.parse.quote(str(path.relative_to(folder)))
        address = f"http://127.0.0.1:{server.server_port}/{place}?key=secret"
        findings = []
        ending = path.suffix if path.suffix in (".mp4", ".mov", ".mkv") else ".mkv"
        commands = {
            "probe": (["probe", "--json", "--keyframes"], None),
            "check": (["check", "--json"], None),
            "strip": (["strip", "--json", "--count", "3", "-o"], "strip.png"),
            "cut": (["cut", "--json", "--from", "0", "--for", "0.5", "-o"], f"cut{ending}"),
        }
        for command, (words, made) in commands.items():
            answers = []
            for kind, source in ("local", path), ("remote", address):
                output = own / f"{kind}-{made}" if made else None
                options = ["--allow-private-network"] if kind == "remote" else []
                outcome = run_to_end(
                    [bench.trim, *words, *([output] if output else []), *options, source], 120)
                if "secret" in outcome.err or b"secret" in outcome.out:
                    findings.append(f"{command} shows the query")
                content = output.read_bytes() if output and output.exists() else None
                answers.append((outcome.status, comparable(
                    outcome.out.decode(errors="replace"), output or source), content))
            if answers[0] != answers[1]:
                what = ["status", "row", "file"]
                differs = [w for w, a, b in zip(what, *answers) if a != b]
                findings.append(f"{command}: {', '.join(differs)}")
        return {"file": str(path.relative_to(folder)), "findings": findings}

    bench.count = len(files)
    for row in bench.cells(work):
        rows.add(row)
        yield row
    server.shutdown()


def write(lines):
    text = PAGE.read_text()
    start, end = text.index(MARK) + len(MARK), text.index(END)
    PAGE.write_text(text[:start] + "\n" + "\n".join(lines) + "\n" + text[end:])
    print(f"written to {PAGE.relative_to(ROOT)}")


def run(bench):
    rows, wrong = Rows("remote"), 0
    found = list(measured(bench, rows))
    lines = table(found)
    print("\n".join(lines))
    for row in found:
        for finding in row["findings"]:
            wrong += 1
            print(f"{row['words']}, {row['layout']}: {finding}")
    if bench.options.write:
        write(lines)
    same = 0
    for row in compared(bench, rows):
        same += not row["findings"]
        for finding in row["findings"]:
            wrong += 1
            print(f"{row['file']}: {finding}")
    print(f"{same} of {bench.count} files: every row at an address is that of the file")
    return 1 if wrong else 0
