"""Tests the studio in Firefox: reads numbered frames from the page, and exports a file in a session."""

import contextlib
import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from soaking.studio_page import (
    CONFIRMED, HIDDEN, KINDS, LENGTH, PIXELS, make_clip, picture_number, studio)

ABOUT = "trim studio in Firefox: correct frames of sixteen kinds of video (needs marionette_driver)"
COUNT = 44


class Page:
    """A page in Firefox, operated by what it shows, as a user does."""

    def __init__(self, firefox, address):
        from marionette_driver import By
        self.by, self.driver = By, firefox.driver
        self.driver.navigate(address)
        self.wait("[...document.querySelectorAll('dialog[open] button')]"
                  ".some(b => b.textContent.trim() === 'Start trimming')")
        self.button("Start trimming").click()
        self.wait("!document.getElementById('tutorial').open"
                  " && document.getElementById('still').dataset.frame !== undefined")

    def button(self, text):
        for button in self.driver.find_elements(self.by.TAG_NAME, "button"):
            if button.is_displayed() and button.text.strip() == text:
                return button
        raise LookupError(f"no button says {text}")

    def ask(self, expression, arg=None):
        # The expression is a value or a function, as in Playwright.
        return self.driver.execute_script(
            f"const asked = {expression};"
            "return typeof asked === 'function' ? asked(arguments[0]) : asked;", script_args=[arg])

    def wait(self, expression, arg=None, seconds=20):
        deadline = time.monotonic() + seconds
        while not self.ask(expression, arg):
            if time.monotonic() > deadline:
                raise TimeoutError(f"timed out waiting for: {expression}")
            time.sleep(0.03)

    def type(self, field, text):
        from marionette_driver.keys import Keys
        element = self.driver.find_element(self.by.ID, field)
        element.clear()
        element.send_keys(text + Keys.ENTER)
        self.wait(f"document.getElementById('{field}').dataset.typed === undefined")

    def number(self, which):
        from judging import marks
        return picture_number(self.ask(PIXELS, [marks.WIDTH, marks.HEIGHT, which]))


def frame_rows(page, name, chosen):
    """Goes to each chosen frame; yields a row for each."""
    page.wait("document.getElementById('screen').dataset.player !== undefined")
    for frame in chosen:
        row = {"kind": name, "frame": frame + HIDDEN.get(name, 0)}
        try:
            page.type("time-in", f"{frame}f")
            page.driver.execute_script(
                "document.activeElement.blur();"
                "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '[', bubbles: true}));")
            page.wait("frame => document.getElementById('still').dataset.frame === String(frame)",
                      frame, 10)
            with contextlib.suppress(TimeoutError):
                page.wait(CONFIRMED, frame, 3)
            row["played"] = bool(page.ask(CONFIRMED, frame))
            row["still"] = page.number("still")
            row["video"] = page.number("video") if row["played"] else row["frame"]
        except Exception as error:
            row["fault"] = str(error).splitlines()[0]
        yield row


def session(bench, firefox, folder):
    """Types the in and out points and exports; yields what went wrong."""
    clip, results = folder / "closed.mp4", folder / "results"
    results.mkdir(exist_ok=True)
    with studio(bench.trim, clip, "--output-folder", results) as address:
        page = Page(firefox, address)
        page.type("time-in", "0.6")
        page.type("time-out", "2.92")
        page.button("Export").click()
        page.wait("!!document.querySelector('a[download]')")
        by_command = folder / "by-command.mp4"
        subprocess.run([bench.trim, "cut", clip, "--from", "0.6", "--to", "2.92", "-f", "-o",
                        by_command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if by_command.read_bytes() != (results / "closed-trimmed.mp4").read_bytes():
            yield "trim cut writes a different file for the same part"


def run(bench):
    from judging.browsers import Firefox
    each, right, wrong, played = max(1, bench.count // len(KINDS)), 0, 0, {}
    firefox = Firefox()
    try:
        for kind, (options, rate) in KINDS.items():
            path = bench.folder / kind
            make_clip(path, options, rate)
            with studio(bench.trim, path) as address:
                page = Page(firefox, address)
                chosen = bench.chance(len(played)).sample(
                    range(LENGTH - 1 - HIDDEN.get(kind, 0)), each)
                for row in frame_rows(page, kind, chosen):
                    is_right = row.get("still") == row["frame"] == row.get("video")
                    right, wrong = right + is_right, wrong + (not is_right)
                    played[kind] = played.get(kind, 0) + row.get("played", False)
                    if not is_right:
                        print("  " + json.dumps(row))
        faults = list(session(bench, firefox, bench.folder))
    finally:
        firefox.close()
    for kind, count in played.items():
        print(f"  {kind}: {count} frames were also shown by the browser's player")
    for fault in faults:
        print(f"  session: {fault}")
    print(f"Firefox {firefox.version}: {right} frames correct, {wrong} wrong; the session "
          f"{'failed' if faults else 'wrote the correct file'}")
    return 1 if wrong or faults else 0
