"""Probes very many addresses of one server with one run of trim, and counts: connections at the server, and the memory of
the command and of the process that fetches. Memory must not grow with the number of addresses."""

import http.server
import json
import os
import re
import subprocess
import threading
import time
from pathlib import Path

from soaking.bench import Rows
from soaking.remote import Server

ABOUT = "many addresses in one run: connections, and memory that does not grow with their number"
COUNT = 1000
JOBS = 8
# So much more than for an eighth of the addresses.
MOST_GROWTH = 8 << 20
MOST_BYTES = 150 << 20
SECRET = "abcdef123456"


def serve(content):
    """Returns a server of the same file at every path, which counts connections and requests."""
    lock = threading.Lock()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self):
            super().setup()
            with lock:
                server.connections += 1

        def log_message(self, *words):
            pass

        def do_GET(self):
            with lock:
                server.asked += 1
            first, last = map(int, re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["Range"]).groups())
            part = content[first:last + 1]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(content)}")
            self.send_header("Content-Length", str(len(part)))
            self.send_header("ETag", '"one"')
            self.end_headers()
            self.wfile.write(part)

    server = Server(("127.0.0.1", 0), Handler)
    server.connections = server.asked = 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def peak(process):
    """The peak memory of a process in bytes (proc(5), VmHWM); 0 when it has ended."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) << 10 if found else 0


def fetcher(process):
    """The child of a process that fetches; `None` where there is none yet."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        # A child dies with the thread that started it, which is its parent here.
        for task in os.listdir(f"/proc/{process}/task"):
            children += Path(f"/proc/{process}/task/{task}/children").read_text().split()
    except OSError:
        return None
    for child in children:
        try:
            if b"__fetch" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
        except OSError:
            continue
    return None


def measured(bench, words, lines, folder):
    """Runs a command with addresses on its standard input, and watches it."""
    (folder / "list").write_text(lines)
    with open(folder / "list") as given, open(folder / "out", "w+b") as out:
        start = time.monotonic()
        process = subprocess.Popen([str(bench.trim), *words], stdin=given, stdout=out, stderr=subprocess.STDOUT)
        command = other = 0
        child = None
        while process.poll() is None:
            child = child or fetcher(process.pid)
            command, other = max(command, peak(process.pid)), max(other, peak(child) if child else 0)
            time.sleep(0.02)
        out.seek(0)
        return process.returncode, out.read().decode(errors="replace"), command, other, time.monotonic() - start


def run(bench):
    clip = bench.folder / "clip.mp4"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x64:d=1:r=25", "-c:v", "libx264", clip],
                   check=True)
    content = clip.read_bytes()
    rows, wrong = Rows("remote_many"), 0
    lines = ["# Many addresses in one run", "",
             f"`tools/soak remote_many`: one run with {JOBS} jobs, each address another one on the same server, with a query;"
             " the peak memory of the command and of the process that fetches in MiB.", "",
             "| run | addresses | requests | connections | command | fetcher | seconds |", "|---|---:|---:|---:|---:|---:|---:|"]
    for name, words, line in [
        ("batch", ["batch", "--allow-private-network", "-j", JOBS],
         lambda at: json.dumps({"op": "probe", "path": at})),
        ("probe", ["probe", "--jsonl", "--allow-private-network", "-j", JOBS, "--files-from", "-"], lambda at: at),
    ]:
        peaks = []
        for count in (max(1, bench.count // 8), bench.count):
            server = serve(content)
            places = [f"http://127.0.0.1:{server.server_port}/{number:06}/clip.mp4?key={SECRET}{number:06}{'x' * 200}"
                      for number in range(count)]
            status, said, command, other, seconds = measured(
                bench, [str(word) for word in words], "\n".join(map(line, places)) + "\n", bench.folder)
            server.shutdown()
            found = [json.loads(text) for text in said.splitlines() if text.startswith("{")]
            findings = []
            if status or len(found) != count or any(row.get("error") for row in found):
                findings.append(f"status {status}, {len(found)} rows: {said[-300:]!r}")
            if any((row.get("remote") or {}).get("requests") != 1 for row in found):
                findings.append("a row does not say that it took one request")
            if SECRET in said:
                findings.append("a secret is shown")
            if server.asked != count or server.connections > JOBS:
                findings.append(f"{server.asked} requests, {server.connections} connections")
            peaks.append((command, other))
            if max(command, other) > MOST_BYTES:
                findings.append(f"{command >> 20} and {other >> 20} MiB")
            if len(peaks) == 2 and any(late > early + MOST_GROWTH for early, late in zip(*peaks)):
                findings.append(f"memory grows: {peaks}")
            rows.add({"run": name, "addresses": count, "requests": server.asked, "connections": server.connections,
                      "command": command, "fetcher": other, "findings": findings})
            lines.append(f"| {name} | {count} | {server.asked} | {server.connections} | {command / 2**20:.1f} |"
                         f" {other / 2**20:.1f} | {seconds:.1f} |")
            for finding in findings:
                wrong += 1
                print(f"{name}, {count} addresses: {finding}", flush=True)
    print("\n".join(lines))
    bench.write("remote-many", lines)
    return 1 if wrong else 0
