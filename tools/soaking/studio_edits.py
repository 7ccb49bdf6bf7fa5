"""What the studio's page does with several parts, keys, names and plans, in a real browser."""

import contextlib
import json
import re
import os
import signal
import subprocess

from soaking import bench as benches
from soaking.studio_page import browser, enter, studio, wait

ABOUT = "parts, snapping, keys, refused names and plans on the studio's page (needs playwright)"
COUNT = 1
LENGTH = 18
STATE = """() => document.querySelectorAll("#parts button").length
  ? [...document.querySelectorAll("#parts button")].map((button) => button.textContent)
  : [document.getElementById("time-in").value + " – " + document.getElementById("time-out").value]"""


def make_clip(path, source="testsrc2"):
    """18 s with a keyframe every 2 s, and sound."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"{source}=s=320x180:r=30", "-f", "lavfi", "-i",
         "sine=330:sample_rate=48000", "-t", str(LENGTH), "-c:v", "libx264", "-preset", "veryfast", "-bf", "2",
         "-g", "60", "-c:a", "aac", path], check=True)


class Screen:
    def __init__(self, page, trim, clip):
        self.page, self.trim, self.clip = page, trim, clip
        self.faults = []

    def check(self, what, right):
        if not right:
            self.faults.append(what)

    def equal(self, what, found, wanted):
        self.check(f"{what}: {found!r} instead of {wanted!r}", found == wanted)

    def click(self, seconds, height=60):
        """Clicks the timeline at a time."""
        box = self.page.locator("#track").bounding_box()
        # Between its borders.
        self.page.mouse.click(box["x"] + 1 + (box["width"] - 2) * seconds / LENGTH, box["y"] + height)
        self.page.wait_for_timeout(250)

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()
        self.page.wait_for_timeout(250)

    def keys(self, *names):
        for name in names:
            self.page.keyboard.press(name)
            self.page.wait_for_timeout(250)

    def type(self, field, text):
        self.page.fill(f"#{field}", text)
        self.page.press(f"#{field}", "Enter")
        self.page.wait_for_timeout(300)

    def parts(self):
        return self.page.evaluate(STATE)

    def playhead(self):
        return self.page.text_content("#playhead-time")

    def is_playing(self):
        return self.page.get_attribute("#play", "aria-pressed") == "true"

    def plan(self):
        # A newer plan takes the place of the old one when it is made.
        self.page.wait_for_timeout(700)
        wait(self.page, "document.getElementById('plan').textContent !== ''")
        return self.page.text_content("#plan")

    def summary(self, *words):
        """The sentences of `trim cut -n --json` for the same request."""
        found = benches.run([self.trim, "cut", "-n", "--json", self.clip, *words], 60)
        return [json.loads(line)["summary"] for line in records(found.out.decode())]


def records(text):
    """One record indented, or several, one a line."""
    try:
        return [json.dumps(json.loads(text))]
    except ValueError:
        return text.splitlines()


def start_again(screen):
    while not screen.page.is_disabled("#undo"):
        screen.press("Undo")


def parts(screen):
    """Split at 6 and 10, click at 8, delete: 6 to 10 goes."""
    screen.type("limit", "none")
    screen.click(6)
    screen.keys("/")
    screen.click(10)
    screen.keys("/")
    screen.equal("three parts", screen.parts(), [
        "0:00:00.000 – 0:00:06.000", "0:00:06.000 – 0:00:10.000", "0:00:10.000 – 0:00:18.000"])
    screen.click(8)
    screen.equal("the clicked part is selected", screen.page.input_value("#time-in"), "0:00:06.000")
    screen.press("Delete part")
    screen.equal("the clicked part is deleted", screen.parts(), [
        "0:00:00.000 – 0:00:06.000", "0:00:10.000 – 0:00:18.000"])
    pixels = screen.page.evaluate("""() => {
      const canvas = document.getElementById("canvas");
      const read = (share) => [...canvas.getContext("2d").getImageData(
        Math.round(canvas.width * share), 1, 1, 1).data];
      return [3 / 18, 8 / 18, 14 / 18].map(read);
    }""")
    screen.check(f"kept parts have an edge of their own, removed ones none: {pixels}",
                 pixels[1] not in (pixels[0], pixels[2]) and pixels[0] != pixels[2])
    screen.page.fill("#part-name", "opening")
    screen.page.press("#part-name", "Enter")
    screen.page.wait_for_timeout(250)
    screen.check("a part has its name", any("opening" in part for part in screen.parts()))
    first, second = screen.page.locator("#parts li").all()
    first.drag_to(second)
    screen.page.wait_for_timeout(400)
    screen.check("a dragged part changes its place", screen.parts()[0].find("10.000") >= 0)
    start_again(screen)


def snapping(screen):
    """A click, In and a split go to the same frame, and no frame stands in two parts."""
    screen.click(6.006)
    screen.equal("a click snaps", screen.playhead(), "0:00:06.000")
    screen.keys("i")
    screen.equal("In", screen.page.input_value("#time-in"), "0:00:06.000")
    screen.keys("/")
    screen.equal("no part of less than a frame", len(screen.parts()), 1)
    screen.page.select_option("#snap", "keyframe")
    screen.click(9.4)
    screen.keys("/")
    screen.check(f"a split snaps to a keyframe: {screen.parts()}", any("10.000" in p for p in screen.parts()))
    screen.page.select_option("#snap", "frame")
    start_again(screen)


# The parts, whether they are joined, the file's name, the mode and the tracks that are left out.
STATES = [
    ([(0, 6), (10, 18)], True, "clip.mp4", "smart", []),
    ([(0, 6), (10, 18)], False, "clip.mp4", "smart", []),
    ([(1.1, 5), (8, 12.3)], True, "clip.mkv", "smart", []),
    ([(1.1, 5)], True, "clip.m4a", "smart", []),
    ([(1.1, 5)], True, "clip.mp3", "smart", []),
    ([(1.1, 5), (6, 9)], True, "clip.wav", "smart", []),
    ([(2.5, 3.1)], True, "clip.mov", "smart", []),
    ([(0, 18)], True, "clip.ts", "smart", []),
    ([(3.3, 9.7)], True, "clip.mp4", "copy", []),
    ([(3.3, 9.7)], True, "clip.mp4", "edit-list", []),
    ([(3.3, 9.7)], True, "clip.mp4", "reencode", []),
    ([(3.3, 9.7)], True, "clip.mp4", "smart", ["audio"]),
    ([(3.3, 9.7)], True, "clip.mkv", "smart", ["video"]),
    ([(2, 4)], True, "clip.mkv", "smart", []),
    ([(0.5, 1.4), (1.6, 3), (9, 17)], True, "clip.mp4", "smart", []),
    ([(8, 12), (1, 3)], True, "clip.mp4", "smart", []),
    ([(1, 3), (7.7, 12.1)], True, "clip.mp4", "reencode", []),
    ([(1, 3), (7.7, 12.1)], True, "clip.ts", "copy", []),
    ([(4.2, 4.3)], True, "clip.flac", "smart", []),
    ([(5, 15.5)], True, "clip.m4a", "smart", []),
]


def plans(screen):
    """The sentence is that of the whole output, as `trim cut -n` has it."""
    page = screen.page
    output = page.input_value("#output")
    page.locator("#manner summary").click()
    for ranges, joins, name, mode, without in STATES:
        start_again(screen)
        for number, (start, end) in enumerate(ranges):
            if number:
                screen.click(end - 0.5)
                screen.keys("a")
            # The end first, where the start would be behind the old one.
            for field, value in (("time-out", end), ("time-in", start), ("time-out", end)):
                screen.type(field, str(value))
        if len(ranges) > 1 and page.is_checked("#join") != joins:
            screen.keys("J")
        screen.type("output", name)
        page.select_option("#mode", mode)
        boxes = page.get_by_role("group", name="Tracks to write")
        for kind in without:
            boxes.get_by_role("checkbox", name=re.compile(kind, re.I)).uncheck()
        found = screen.plan()
        words = [word for start, end in ranges for word in ("--keep", f"{start}..{end}")]
        words += ["--mode", mode] if mode != "smart" else []
        words += ["--tracks", "audio" if without == ["video"] else "video"] if without else []
        wanted = screen.summary(
            *words, *(["--join"] if joins and len(ranges) > 1 else []), "-o", screen.clip.with_name("x-" + name))
        if len(wanted) == 1:
            screen.equal(f"the plan of {ranges} into {name}, {mode}", found, wanted[0])
        else:
            screen.check(f"the plan of separate files: {found}", found.startswith(f"{len(wanted)} files, "))
        for kind in without:
            boxes.get_by_role("checkbox", name=re.compile(kind, re.I)).check()
    page.select_option("#mode", "smart")
    page.locator("#manner summary").click()
    start_again(screen)
    screen.type("output", output)


def keys(screen):
    """Space plays, whatever was clicked last; a control that was reached by Tab keeps its keys."""
    for name in ("Set here", "Undo", "Split", "Zoom in", "Zoom out"):
        button = screen.page.get_by_role("button", name=name).first
        if not button.is_enabled():
            continue
        button.click()
        screen.page.wait_for_timeout(200)
        screen.keys("Space")
        screen.check(f"Space plays after a click on {name}", screen.is_playing())
        screen.keys("k")
    start_again(screen)
    screen.page.locator("#snap").click()
    screen.keys("Escape")
    screen.click(5)
    screen.keys("o")
    screen.equal("o sets Out after the list of snaps", screen.page.input_value("#snap"), "frame")
    start_again(screen)
    screen.press("Preview")
    screen.page.locator("#result").wait_for(state="visible")
    wait(screen.page, "!document.getElementById('result-play').disabled")
    screen.check(f"the preview says what is re-encoded: {screen.page.text_content('#result-text')}",
                 "copied" in screen.page.text_content("#result-text"))
    screen.press("Close")
    screen.keys("Space")
    screen.check("Space plays after the preview", screen.is_playing())
    screen.keys("k")
    screen.page.focus("#mute")
    screen.keys("Tab", "Shift+Tab", "Space")
    screen.equal("Space acts on a control reached by Tab", screen.page.get_attribute("#mute", "aria-pressed"), "true")
    screen.keys("Space")
    screen.keys("?")
    screen.page.uncheck("#keys-on")
    screen.page.locator("#keys-close").click()
    before = screen.page.input_value("#time-in")
    screen.click(7)
    screen.keys("i")
    screen.equal("single keys can be turned off", screen.page.input_value("#time-in"), before)
    screen.page.locator("#show-keys").click()
    screen.page.check("#keys-on")
    screen.page.locator("#keys-close").click()
    screen.keys("i")
    screen.check("and on again", screen.page.input_value("#time-in") != before)
    screen.keys("Meta+z")
    screen.equal("Cmd acts as Ctrl", screen.page.input_value("#time-in"), before)


def names(screen, results):
    """A refused name stops the export; then the limit explains itself."""
    screen.page.fill("#output", "../x.mp4")
    screen.press("Export")
    screen.page.wait_for_timeout(1000)
    screen.check("a refused name stops Export", not list(results.iterdir()))
    screen.check("the refusal is shown", "not a file name" in screen.page.text_content("#typed-note"))
    screen.page.keyboard.press("Escape")
    screen.type("limit", "5")
    screen.check("Export waits for the limit", screen.page.is_disabled("#export"))
    screen.check("the verdict says by how much", "over the 5 s limit" in screen.page.text_content("#verdict"))
    screen.press("Remove limit")
    screen.check("Remove limit enables Export", screen.page.is_enabled("#export"))
    screen.press("Export")
    screen.page.locator("#done").wait_for(state="visible", timeout=30_000)
    screen.equal("one file", len(list(results.iterdir())), 1)


def progress(screen, address):
    """An export that takes long says how far it is; the printed address lets the same browser in again."""
    screen.page.evaluate("document.getElementById('manner').open = true")
    screen.page.select_option("#mode", "reencode")
    screen.type("output", "long.mp4")
    screen.press("Export")
    wait(screen.page, """/^([1-9]|[1-9][0-9]) %/.test(document.getElementById('progress-text').textContent)""")
    screen.page.locator("#done").wait_for(state="visible", timeout=60_000)
    screen.page.goto("about:blank")
    screen.page.goto(address)
    screen.page.locator("#editor").wait_for(state="visible", timeout=15_000)


@contextlib.contextmanager
def kept_studio(trim, clip, state):
    """A studio that keeps unfinished work, ended as by Ctrl-C."""
    process = subprocess.Popen(
        [trim, "studio", "--no-open", clip], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "XDG_STATE_HOME": str(state), "TRIM_NO_TUTORIAL": "1"})
    try:
        yield process.stdout.readline().strip()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def returns(bench, launched, clip):
    """Start, work, Ctrl-C, start: the same state; another version of the file does not get it."""
    state, faults = bench.folder / "state", []

    def visit(work):
        with kept_studio(bench.trim, clip, state) as address:
            page = launched.new_page(viewport={"width": 1280, "height": 800})
            page.goto(address)
            page.locator("#editor").wait_for(state="visible", timeout=30_000)
            page.wait_for_timeout(500)
            screen = Screen(page, bench.trim, clip)
            work(screen)
            page.wait_for_timeout(500)
            seen = [screen.parts(), *(page.input_value(f"#{field}") for field in ("limit", "output", "mode"))]
            seen.append(page.locator("#returned").is_visible())
            faults.extend(screen.faults)
            page.close()
            return seen

    def work(screen):
        screen.type("limit", "20")
        screen.click(6)
        screen.keys("/")
        screen.page.fill("#part-name", "second")
        screen.page.press("#part-name", "Enter")
        screen.type("output", "mine.mkv")
        screen.page.evaluate("document.getElementById('manner').open = true")
        screen.page.select_option("#mode", "copy")

    before = visit(work)
    after = visit(lambda screen: None)
    if before[:-1] != after[:-1] or not after[-1]:
        faults.append(f"after Ctrl-C: {after} instead of {before}")
    # Beside it, the limit that was changed.
    files = [path for path in state.rglob("*") if path.is_file() and path.name != "limit"]
    if [path.stat().st_mode & 0o777 for path in files] != [0o600] or str(clip).encode() in files[0].read_bytes():
        faults.append(f"the kept file: {files}")
    make_clip(clip, "testsrc")
    other = visit(lambda screen: None)
    if len(other[0]) != 1 or other[-1]:
        faults.append(f"another version of the file: {other}")
    return faults


def run(bench):
    clip = bench.folder / "clip.mp4"
    make_clip(clip)
    results = bench.folder / "results"
    results.mkdir()
    with browser() as launched, studio(bench.trim, clip, "--output-folder", results) as address:
        page = enter(launched, address)
        screen = Screen(page, bench.trim, clip)
        for step in (parts, snapping, plans, keys):
            step(screen)
        names(screen, results)
        progress(screen, address)
        faults = screen.faults + page.faults + returns(bench, launched, clip)
    print("\n".join(faults) or "all as it should be")
    return 1 if faults else 0
