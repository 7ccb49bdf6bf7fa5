"""Other files, folders, the list of parts, and what a studio keeps: the page's parts beyond one file."""

import contextlib
import os
import shutil
import signal
import subprocess

from soaking.studio_edits import Screen, make_clip
from soaking.studio_page import browser

ABOUT = "files, folders, the list of parts and kept work on the studio's page (needs playwright)"
COUNT = 1
DROP = """() => {
  const data = new DataTransfer();
  data.items.add(new File(["x"], "clip.mp4", { type: "video/mp4" }));
  const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
  return event.defaultPrevented;
}"""


class Studio:
    """A studio that keeps what it should, ended as by Ctrl-C."""

    def __init__(self, bench, launched, *words, home=None, **variables):
        self.trim, self.launched = bench.trim, launched
        self.state = bench.folder / "state"
        self.process = subprocess.Popen(
            [bench.trim, "studio", "--no-open", *map(str, words)], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, "XDG_STATE_HOME": str(self.state), "TRIM_NO_TUTORIAL": "1",
                 "HOME": str(home or bench.folder), **variables})
        self.address = self.process.stdout.readline().strip()

    def open(self, clip, is_editor=True):
        page = self.launched.new_page(viewport={"width": 1280, "height": 800})
        page.goto(self.address)
        page.locator("#editor" if is_editor else "#files").wait_for(state="visible", timeout=30_000)
        page.wait_for_timeout(400)
        return Screen(page, self.trim, clip)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


@contextlib.contextmanager
def running(*words, **options):
    started = Studio(*words, **options)
    try:
        yield started
    finally:
        started.end()


def limits(bench, launched, clip):
    """A limit that was changed is there for another file and the next start; a given one is only lowered."""
    faults = []
    other = clip.with_name("other.mp4")
    with running(bench, launched, clip) as started:
        screen = started.open(clip)
        screen.equal("the default", screen.page.input_value("#limit"), "0:01:00.500")
        screen.type("limit", "9")
        screen.press("Remove limit")
        faults += screen.faults
    report = subprocess.run(
        [bench.trim, "doctor"], capture_output=True, text=True, check=False,
        env={**os.environ, "XDG_STATE_HOME": str(bench.folder / "state")}).stdout
    if "none, remembered" not in report:
        faults.append("doctor does not show the remembered limit")
    for words, wanted in (([], "none"), (["--no-state"], "0:01:00.500"), (["--max-length", "20"], "0:00:20.000")):
        with running(bench, launched, other, *words) as started:
            screen = started.open(other)
            screen.equal(f"the limit with {words}", screen.page.input_value("#limit"), wanted)
            if "20" in words:
                screen.page.fill("#limit", "30")
                screen.page.press("#limit", "Enter")
                screen.page.wait_for_timeout(300)
                screen.check("a given limit is not raised",
                             "only be lowered" in screen.page.text_content("#typed-note"))
                screen.type("limit", "5")
                screen.equal("it is lowered", screen.page.input_value("#limit"), "0:00:05.000")
            faults += screen.faults
    with running(bench, launched, other) as started:
        screen = started.open(other)
        screen.equal("what was lowered is not remembered", screen.page.input_value("#limit"), "none")
        screen.type("limit", "60.5")
        faults += screen.faults
    return faults


def opening(bench, launched, clip):
    """Other files are found by what the page shows; the first keeps its work; a dropped file is refused."""
    inner = clip.parent / "more" / "third.mp4"
    with running(bench, launched, clip) as started:
        screen = started.open(clip)
        screen.click(6)
        screen.keys("/")
        before = screen.parts()
        screen.press("Open…")
        dialog = screen.page.get_by_role("dialog")
        dialog.get_by_role("button", name="more", exact=True).click()
        dialog.get_by_role("button", name=inner.name).wait_for()
        names = dialog.locator("li").all_text_contents()
        screen.check(f"neither hidden names nor links that lead out are listed: {names}",
                     not any("secret" in name or "out" in name for name in names))
        dialog.get_by_role("button", name="Folder above").click()
        dialog.get_by_role("button", name="more", exact=True).click()
        dialog.get_by_role("button", name=inner.name).click()
        screen.page.wait_for_function("() => document.title.startsWith('third')", timeout=20_000)
        screen.page.locator("#editor").wait_for(state="visible")
        screen.equal("the second file is whole", len(screen.parts()), 1)
        screen.check("a dropped file is refused", screen.page.evaluate(DROP))
        said = screen.page.text_content("#dropped")
        screen.check(f"in a sentence: {said}", "Open…" in said)
        screen.press("Files")
        screen.page.get_by_role("link", name=clip.name).click()
        screen.page.locator("#editor").wait_for(state="visible")
        screen.page.wait_for_timeout(500)
        screen.equal("the first file keeps its work", screen.parts(), before)
        # Quit asks as long as something is not written.
        asked = []
        screen.page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
        screen.press("Quit")
        screen.check(f"Quit asks: {asked}", bool(asked) and clip.name in asked[0] and "is kept" in asked[0])
        screen.press("Undo")
        screen.press("Quit")
        screen.page.locator("#door").wait_for(state="visible")
        screen.page.wait_for_timeout(400)
        text = screen.page.text_content("#door-text")
        screen.check(f"the end is said: {text}", "Quit was pressed" in text)
        return screen.faults


def folders(bench, launched, clip):
    """Outputs go to a folder below that of the video, which is remembered; or elsewhere if it has to be."""
    faults = []
    with running(bench, launched, clip) as started:
        screen = started.open(clip)
        screen.page.locator("#choose-folder").click()
        dialog = screen.page.get_by_role("dialog")
        dialog.get_by_label("New folder").fill("../up")
        dialog.get_by_role("button", name="Make folder").click()
        screen.page.wait_for_timeout(300)
        screen.check("a folder is not made elsewhere", "not a name" in dialog.text_content())
        dialog.get_by_label("New folder").fill("results")
        dialog.get_by_role("button", name="Make folder").click()
        screen.page.wait_for_timeout(300)
        dialog.get_by_role("button", name="Write here").click()
        screen.page.wait_for_timeout(500)
        screen.press("Export")
        screen.page.locator("#done").wait_for(state="visible", timeout=30_000)
        said = screen.page.text_content("#done-text")
        screen.check(f"the folder is named: {said}", said.endswith(f"in {clip.parent}/results"))
        screen.equal("it is there", len(list((clip.parent / "results").iterdir())), 1)
        faults += screen.faults
    with running(bench, launched, clip) as started:
        screen = started.open(clip)
        screen.equal("it is remembered", screen.page.text_content("#where-name"), f"{clip.parent}/results")
        faults += screen.faults
    videos = bench.folder / "Videos"
    videos.mkdir()
    with running(bench, launched, clip, "--output-folder", bench.folder / "missing") as started:
        screen = started.open(clip)
        said = screen.page.text_content("#where-refusal")
        screen.check(f"the folder is named: {said}", str(bench.folder / "missing") in said)
        screen.press("Export")
        screen.page.locator("#alert").wait_for(state="visible")
        screen.check("Export names it too", str(bench.folder / "missing") in screen.page.text_content("#alert-text"))
        screen.press("OK")
        screen.press(f"Write to {videos}")
        screen.press("Export")
        screen.page.locator("#done").wait_for(state="visible", timeout=30_000)
        screen.equal("another one is offered", len(list(videos.iterdir())), 1)
        faults += screen.faults
    return faults


def listing(bench, launched, clip):
    """Parts have pictures, lengths and sizes; one undo takes a sort back."""
    with running(bench, launched, clip, "--max-length", "none") as started:
        screen = started.open(clip)
        for seconds in (10, 13):
            screen.click(seconds)
            screen.keys("/")
        before = screen.parts()
        screen.press("List…")
        dialog = screen.page.get_by_role("dialog")
        screen.page.wait_for_timeout(900)
        rows = dialog.locator("#parts-list li")
        text = [row.text_content() for row in rows.all()]
        screen.check(f"lengths and sizes: {text}",
                     len(text) == 3 and "0:00:03.0" in text[1] and all("about" in row for row in text))
        screen.check("pictures", screen.page.evaluate(
            "[...document.querySelectorAll('#parts-list img')].every(({ naturalWidth }) => naturalWidth > 0)"))
        dialog.get_by_role("button", name="By length").click()
        screen.page.wait_for_timeout(400)
        screen.equal("sorted by length", screen.parts(), [before[1], before[2], before[0]])
        dialog.get_by_role("button", name="Undo").click()
        screen.page.wait_for_timeout(400)
        screen.equal("one undo", screen.parts(), before)
        screen.page.screenshot(path=str(bench.folder / "list.png"))
        return screen.faults


def keeping(bench, launched, clip):
    """Three files in turn; another version is noticed; of two studios the last one counts, and says so."""
    faults, seen = [], {}
    names = [clip, clip.with_name("other.mp4"), clip.parent / "more" / "third.mp4"]
    for number, name in enumerate(names):
        with running(bench, launched, name) as started:
            screen = started.open(name)
            screen.click(4 + number)
            screen.keys("/")
            seen[name] = screen.parts()
            started.end()
            screen.page.locator("#door").wait_for(state="visible")
            screen.page.wait_for_timeout(300)
            text = screen.page.text_content("#door-text")
            screen.check(f"Ctrl-C is said: {text}", "Ctrl-C" in text and "kept" in text)
            faults += screen.faults
    for name in names:
        with running(bench, launched, name) as started, running(bench, launched, name) as second:
            screen, later = started.open(name), second.open(name)
            screen.equal(f"the work on {name.name}", screen.parts(), seen[name])
            screen.click(10)
            screen.keys("/")
            screen.page.wait_for_timeout(1500)
            later.click(12)
            later.keys("/")
            later.page.wait_for_timeout(2000)
            later.keys("k")
            screen.check("of two studios, the last one says so",
                         "last change counts" in later.page.text_content("#work-note"))
            later.press("Forget")
            later.equal("it is forgotten", len(later.parts()), 1)
            screen.page.close()
            faults += screen.faults + later.faults
    with running(bench, launched, clip) as started:
        screen = started.open(clip)
        screen.equal("nothing is left", len(screen.parts()), 1)
        screen.click(6)
        screen.keys("/")
    make_clip(clip, "testsrc")
    with running(bench, launched, clip) as started:
        screen = started.open(clip)
        screen.equal("another version has no parts", len(screen.parts()), 1)
        screen.check("it is noticed", "another version" in screen.page.text_content("#work-note"))
    for path in (bench.folder / "state").rglob("*"):
        if path.stat().st_mode & 0o777 != (0o600 if path.is_file() else 0o700):
            faults.append(f"others can read {path}")
        if path.is_file() and str(clip.parent).encode() in path.read_bytes():
            faults.append(f"a path is in {path}")
    return faults + screen.faults


def run(bench):
    folder = bench.folder / "videos"
    (folder / "more").mkdir(parents=True)
    clip = folder / "clip.mp4"
    make_clip(clip)
    make_clip(folder / "other.mp4", "smptebars")
    make_clip(folder / "more" / "third.mp4", "pal75bars")
    (bench.folder / "out").mkdir()
    shutil.copy(clip, bench.folder / "out" / "out.mp4")
    (folder / "more" / "out").symlink_to(bench.folder / "out")
    (folder / "more" / "link-out.mp4").symlink_to(bench.folder / "out" / "out.mp4")
    shutil.copy(clip, folder / "more" / ".secret.mp4")
    faults = []
    with browser() as launched:
        for step in (limits, opening, folders, listing, keeping):
            try:
                faults += [f"{step.__name__}: {fault}" for fault in step(bench, launched, clip)]
            except Exception as error:  # noqa: BLE001: a step that stops is a fault, and the others go on
                faults.append(f"{step.__name__}: {error}")
            shutil.rmtree(bench.folder / "state", ignore_errors=True)
    print("\n".join(faults) or "all as it should be")
    return 1 if faults else 0
