"""Plays files in Chromium and Firefox, and reads the frame numbers from the pixels they show."""

import contextlib
import functools
import http.server
import logging
import os
import re
import shutil
import socket
import tempfile
import threading
import urllib.parse
from pathlib import Path

PAGE = Path(__file__).with_name("witness.html")
PLAYS = 30_000


class Files(http.server.BaseHTTPRequestHandler):
    """Serves the page, and any file by its path, with the range requests that browsers make for media."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        name = urllib.parse.unquote(urllib.parse.urlparse(self.path).path)
        path = PAGE if name == "/" else Path(name)
        try:
            size = path.stat().st_size
        except OSError:
            self.send_error(404)
            return
        first, last = 0, size - 1
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if asked:
            first, last = int(asked[1]), min(int(asked[2] or last), last)
        self.send_response(206 if asked else 200)
        kind = {".html": "text/html", ".webm": "video/webm", ".mkv": "video/webm",
                ".mov": "video/mp4"}.get(path.suffix, "video/mp4")
        self.send_header("Content-Type", kind)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(last - first + 1))
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.end_headers()
        with contextlib.suppress(OSError), open(path, "rb") as file:
            file.seek(first)
            self.wfile.write(file.read(last - first + 1))

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Ignores errors: a browser that navigates away abandons its requests."""


@functools.cache
def port():
    server = Server(("127.0.0.1", 0), Files)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


class Chromium:
    """Debian's Chromium, driven by Playwright."""

    name = "Chromium"

    def __init__(self):
        from playwright.sync_api import sync_playwright
        self.driver = sync_playwright().start()
        self.browser = self.driver.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--disable-gpu"])
        self.page = self.browser.new_page()
        self.page.goto(f"http://127.0.0.1:{port()}/")
        self.version = self.browser.version

    def look(self, path, seeks, plays=PLAYS):
        return self.page.evaluate(
            "([url, seeks, plays]) => witness(url, seeks, plays)",
            [str(path), [float(time) for time in seeks], plays])

    def close(self):
        self.browser.close()
        self.driver.stop()


class Firefox:
    """Debian's Firefox ESR, driven by Marionette."""

    name = "Firefox"

    def __init__(self):
        from marionette_driver.marionette import Marionette
        os.environ.setdefault("HOME", "/tmp")
        logging.disable(logging.INFO)
        self.folder = tempfile.TemporaryDirectory(prefix="trim-judge-")
        # A free port, since several instances may run at once.
        with contextlib.closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            place = free.getsockname()[1]
        self.driver = Marionette(
            bin=shutil.which("firefox-esr"), headless=True, host="127.0.0.1", port=place,
            # Marionette deletes an existing file of this name, even /dev/null.
            gecko_log=str(Path(self.folder.name) / "gecko.log"),
            prefs={"media.autoplay.default": 0, "media.autoplay.blocking_policy": 0,
                   "privacy.resistFingerprinting": False, "media.cubeb.sandbox": False})
        self.driver.start_session()
        self.driver.timeout.script = 120
        self.driver.navigate(f"http://127.0.0.1:{port()}/")
        self.version = self.driver.session_capabilities["browserVersion"]

    def look(self, path, seeks, plays=PLAYS):
        return self.driver.execute_async_script(
            "const [url, seeks, plays, done] = arguments;"
            "witness(url, seeks, plays).then(done, e => done({fault: String(e)}));",
            script_args=[str(path), [float(time) for time in seeks], plays], sandbox=None)

    def close(self):
        self.driver.quit()
        self.folder.cleanup()


def installed():
    """Returns the browsers that are installed together with their drivers."""
    found = []
    with contextlib.suppress(ImportError):
        import playwright  # noqa: F401
        if shutil.which("chromium"):
            found.append(Chromium)
    with contextlib.suppress(ImportError):
        import marionette_driver  # noqa: F401
        if shutil.which("firefox-esr"):
            found.append(Firefox)
    return found

