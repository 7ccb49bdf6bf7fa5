"""Reads addresses of real servers (nginx, an S3 server, HTTP/2) and of servers that answer wrongly on the wire, where TLS
is part of it; the suites have the cases without. Needs openssl, nginx and moto[server]; what is missing is left out."""

import contextlib
import datetime
import http.server
import importlib.util
import os
import re
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

from soaking.bench import Rows

ABOUT = "reads addresses of nginx, an S3 server and hostile TLS and HTTP/2 servers: sentence, status, time and memory"
COUNT = 25
PATIENCE = 150
MOST_BYTES = 150 << 20
SECRET = "X-Secret=abcdef123456"
# A person who sees this sees what should have been kept to itself.
LEAKS = re.compile(r"abcdef123456|X-Amz-Signature=\w|geheim")


def clip(folder):
    """Makes an MP4 with its index last."""
    path = folder / "clip.mp4"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:d=8:r=25", "-c:v", "libx264",
                    "-b:v", "3M", "-minrate", "3M", "-g", "50", path], check=True)
    return path


class Certificates:
    """An authority of this run, and what it signs."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = folder / "authority.pem"
        self._call("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=soak", "-days", "2", "-keyout",
                   folder / "authority.key", "-out", self.authority)

    def _call(self, *words):
        subprocess.run(["openssl", *map(str, words)], cwd=self.folder, check=True, capture_output=True)

    def make(self, name, host="localhost", begin=-1, end=1, signed=True):
        """Returns the files of a certificate with its key; begin and end in days from now."""
        key, request, made = (self.folder / f"{name}.{kind}" for kind in ["key", "csr", "pem"])
        self._call("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={host}", "-keyout", key, "-out", request)
        (self.folder / f"{name}.ext").write_text(f"subjectAltName=DNS:{host}\nbasicConstraints=CA:FALSE\n")
        now = datetime.datetime.now(datetime.timezone.utc)
        # `openssl x509` of Debian 12 has no dates: `openssl ca` does.
        (self.folder / f"{name}.index").write_text("")
        (self.folder / f"{name}.serial").write_text("01\n")
        (self.folder / f"{name}.conf").write_text(
            f"[ca]\ndefault_ca=a\n[a]\ndatabase={name}.index\nserial={name}.serial\nnew_certs_dir=.\n"
            "default_md=sha256\npolicy=p\nrand_serial=yes\n[p]\ncommonName=supplied\n")
        stamps = [(now + datetime.timedelta(days=days)).strftime("%Y%m%d%H%M%SZ") for days in (begin, end)]
        signer = (["-cert", self.authority, "-keyfile", self.folder / "authority.key"] if signed
                  else ["-selfsign", "-keyfile", key])
        self._call("ca", "-batch", "-config", f"{name}.conf", "-notext", "-in", request, "-out", made, "-extfile",
                   f"{name}.ext", "-startdate", stamps[0], "-enddate", stamps[1], *signer)
        return made, key


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(port):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise TimeoutError(f"nothing listens on port {port}")


@contextlib.contextmanager
def nginx(folder, root, certificate):
    """Yields the ports of HTTP and of HTTPS with HTTP/2."""
    plain, secure = free_port(), free_port()
    made, key = certificate
    (folder / "nginx.conf").write_text(f"""
{"user root;" if os.geteuid() == 0 else ""} daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.error; worker_processes 1;
events {{ worker_connections 256; }}
http {{
  log_format soak '$server_protocol $status $request_method $http_range $connection';
  access_log {folder}/nginx.access soak;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{ listen 127.0.0.1:{plain}; root {root}; }}
  server {{ listen 127.0.0.1:{secure} ssl http2; ssl_certificate {made}; ssl_certificate_key {key}; root {root};
    location /away/ {{ return 302 http://localhost:{plain}/clip.mp4; }} }}
}}
""")
    process = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-c", folder / "nginx.conf", "-p", folder],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(plain)
        wait_for(secure)
        yield plain, secure
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def store(path):
    """An S3 server with one object; yields a presigned address of it, and one whose signature is over."""
    import boto3
    from botocore.config import Config
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        client = boto3.client(
            "s3", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1", aws_access_key_id="a",
            aws_secret_access_key="b", config=Config(signature_version="s3v4", s3={"addressing_style": "path"}))
        client.create_bucket(Bucket="films")
        client.upload_file(str(path), "films", "clip.mp4")
        yield client.generate_presigned_url("get_object", Params={"Bucket": "films", "Key": "clip.mp4"}, ExpiresIn=600)
    finally:
        process.terminate()
        process.wait()


class Raw(threading.Thread):
    """A server that does with each TLS connection what a function says."""

    def __init__(self, work, certificate=None, protocols=None, most=None):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.work, self.context = work, None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(*map(str, certificate))
            if protocols:
                self.context.set_alpn_protocols(protocols)
            if most:
                self.context.set_ciphers("ALL:@SECLEVEL=0")
                self.context.minimum_version = ssl.TLSVersion.TLSv1
                self.context.maximum_version = most
        self.start()

    def run(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client):
        with contextlib.suppress(OSError, ssl.SSLError, ValueError):
            with client:
                self.work(self.context.wrap_socket(client, server_side=True) if self.context else client)


def frame(kind, flags=0, stream=0, payload=b""):
    """A frame of HTTP/2 (RFC 9113, 4.1)."""
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def second_version(answer):
    """Speaks just enough HTTP/2 to answer each request with `answer(stream)`."""
    def work(client):
        client.sendall(frame(4))
        received = b""
        while data := client.recv(65536):
            received += data
            if received.startswith(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"):
                received = received[24:]
            while len(received) >= 9:
                size = int.from_bytes(received[:3], "big")
                if len(received) < 9 + size:
                    break
                kind, flags, stream = received[3], received[4], int.from_bytes(received[5:9], "big")
                received = received[9 + size:]
                if kind == 4 and not flags & 1:
                    client.sendall(frame(4, 1))
                if kind == 1:
                    client.sendall(answer(stream))
    return work


def closing(client):
    client.recv(4096)


def plain_answer(text, then=None):
    def work(client):
        client.recv(65536)
        client.sendall(text)
        if then:
            then(client)
    return work


def dripping(client):
    while True:
        client.sendall(b"a")
        time.sleep(1)


def flooding(client):
    for _ in range(100_000):
        client.sendall(b"X-A: " + b"b" * 1000 + b"\r\n")


class NoRanges(http.server.SimpleHTTPRequestHandler):
    """Python's own server, which has no ranges."""

    def log_message(self, *_):
        pass


def cells(bench, stack):
    """Yields (name, address, wanted status, wanted words, environment)."""
    folder = bench.folder
    path = clip(folder)
    short = folder / "short.mp4"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-t", "1", "-c", "copy", short], check=True)
    made = Certificates(folder)
    good = made.make("good")
    trusted = {"SSL_CERT_FILE": str(made.authority)}
    if shutil.which("nginx") or os.path.exists("/usr/sbin/nginx"):
        plain, secure = stack.enter_context(nginx(folder, folder, good))
        yield "nginx, HTTP/1.1", f"http://127.0.0.1:{plain}/clip.mp4?{SECRET}", 0, "presented", {}
        yield "nginx, TLS and HTTP/2", f"https://localhost:{secure}/clip.mp4?{SECRET}", 0, "presented", trusted
        yield "nginx, a file that is not there", f"http://127.0.0.1:{plain}/none.mp4?{SECRET}", 66, "(404)", {}
        yield "nginx, from https to http", f"https://localhost:{secure}/away/?{SECRET}", 77, "from https:// to http://", trusted
        yield "nginx, an authority that is not trusted", f"https://localhost:{secure}/clip.mp4?{SECRET}", 69, "no secure connection", {}
        yield "nginx, a name that the certificate lacks", f"https://127.0.0.1:{secure}/clip.mp4?{SECRET}", 69, "no secure connection", trusted
        yield "nginx, plain words to a TLS port", f"http://127.0.0.1:{secure}/clip.mp4", 65, "status 400", {}
        yield "nginx, TLS to a plain port", f"https://localhost:{plain}/clip.mp4", 69, "no secure connection", trusted
    else:
        print("soak: nginx is missing: its cells are left out")
    if all(importlib.util.find_spec(name) for name in ["moto", "boto3", "flask"]):
        address = stack.enter_context(store(path))
        yield "S3, a presigned GET", address, 0, "presented", {}
        yield "S3, an object that is not there", address.replace("clip.mp4", "none.mp4"), 66, "(404)", {}
    else:
        print("soak: moto is missing: pip install 'moto[server]'")
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *words: NoRanges(*words, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stack.callback(server.shutdown)
    yield "Python's server, a short file", f"http://127.0.0.1:{server.server_port}/short.mp4", 0, "presented", {}
    for name, certificate in {
        "expired": made.make("expired", begin=-9, end=-2), "not valid yet": made.make("early", begin=2, end=9),
        "of another host": made.make("other", host="other.example"), "signed by itself": made.make("self", signed=False),
    }.items():
        port = Raw(closing, certificate).port
        yield f"TLS, a certificate {name}", f"https://localhost:{port}/clip.mp4?{SECRET}", 69, "no secure connection", trusted
    port = Raw(closing, good, most=ssl.TLSVersion.TLSv1_1).port
    yield "TLS 1.1 only", f"https://localhost:{port}/clip.mp4", 69, "no secure connection", trusted
    port = Raw(closing, good).port
    yield "TLS, then nothing", f"https://localhost:{port}/clip.mp4", 75, "broke off", trusted
    port = Raw(second_version(lambda stream: frame(3, 0, stream, struct.pack(">I", 2))), good, ["h2"]).port
    yield "HTTP/2, every stream reset", f"https://localhost:{port}/clip.mp4?{SECRET}", 75, "broke off", trusted
    port = Raw(second_version(lambda stream: frame(7, 0, 0, struct.pack(">II", 0, 11))), good, ["h2"]).port
    yield "HTTP/2, sent away at once", f"https://localhost:{port}/clip.mp4", 75, "broke off", trusted
    # :status 206 (RFC 7541, A: index 10), then DATA that no Content-Range explains.
    port = Raw(second_version(lambda stream: frame(1, 4, stream, b"\x8a") + frame(0, 1, stream, b"abc")), good, ["h2"]).port
    yield "HTTP/2, no Content-Range", f"https://localhost:{port}/clip.mp4", 65, "Content-Range", trusted
    port = Raw(second_version(lambda stream: frame(0, 0, stream, b"a" * 9000) * 3), good, ["h2"]).port
    yield "HTTP/2, a body without a head", f"https://localhost:{port}/clip.mp4", 75, "broke off", trusted
    port = Raw(plain_answer(b"HTTP/1.1 206 P\r\n", flooding)).port
    yield "100 MB of header fields", f"http://127.0.0.1:{port}/clip.mp4?{SECRET}", 65, "header fields", {}
    port = Raw(plain_answer(b"HTTP/1.1 206 P\r\nContent-Range: bytes 0-9999/10000\r\n\r\n", dripping)).port
    yield "a byte a second", f"http://127.0.0.1:{port}/clip.mp4?{SECRET}", 75, "too slowly", {}
    port = Raw(plain_answer(b"HTTP/1.1 429 X\r\nContent-Length: 0\r\n\r\n")).port
    yield "a storm of 429", f"http://user:geheim@127.0.0.1:{port}/clip.mp4?{SECRET}", 75, "(429)", {}
    yield "a machine's metadata", "http://169.254.169.254/latest/meta-data/", 77, "metadata service", {}


def watched(words, environment, folder):
    """Runs a command; returns its status, what it says, its seconds and the peak of its largest process in bytes."""
    start = time.monotonic()
    with open(folder / "text", "w+b") as text:
        process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=text, stderr=text,
                                   env={**os.environ, **environment}, cwd=folder)
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        text.seek(0)
        said = text.read().decode(errors="replace")
    return os.waitstatus_to_exitcode(status), said, time.monotonic() - start, usage.ru_maxrss << 10


def run(bench):
    with contextlib.ExitStack() as stack:
        table = list(cells(bench, stack))
        bench.count = len(table)

        def work(number, folder):
            name, address, wanted, words, environment = table[number]
            status, said, seconds, peak = watched(
                [bench.trim, "probe", address, "--allow-private-network"], environment, folder)
            findings = []
            if status != wanted:
                findings.append(f"status {status}, not {wanted}")
            if words not in said:
                findings.append(f"'{words}' is not said")
            if LEAKS.search(said):
                findings.append("a secret is shown")
            if peak > MOST_BYTES:
                findings.append(f"{peak >> 20} MiB")
            left = [path.name for path in folder.iterdir() if path.name != "text"]
            if left:
                findings.append(f"left behind: {left}")
            sentence = " ".join(said.split()) if status else "facts"
            return {"name": name, "status": status, "seconds": round(seconds, 1), "peak": peak >> 20,
                    "text": re.sub(r"127\.0\.0\.1:\d+|localhost:\d+", "host", sentence)[:200], "findings": findings}

        rows, wrong = Rows("remote_hostile"), 0
        lines = ["# Real and hostile servers", "",
                 "`tools/soak remote_hostile`: `trim probe ADDRESS`, with what it says, its exit status, the seconds it took"
                 " and the peak memory of its largest process in MiB.", "",
                 "| server | status | seconds | MiB | what trim says |", "|---|---:|---:|---:|---|"]
        for row in bench.cells(work):
            rows.add(row)
            lines.append(f"| {row['name']} | {row['status']} | {row['seconds']} | {row['peak']} | {row['text']} |")
            wrong += bool(row["findings"])
            if row["findings"]:
                print(f"cell {row['cell']}, {row['name']}: {row['findings']} {row['text']!r}", flush=True)
        log = bench.folder / "nginx.access"
        if log.exists() and bench.only is None and "HTTP/2.0 206 GET" not in log.read_text():
            print("nginx was not asked by HTTP/2")
            wrong += 1
        print("\n".join(lines))
        bench.write("remote-hostile", lines + ["", f"{wrong} of {bench.count} failed."])
        return 1 if wrong else 0
