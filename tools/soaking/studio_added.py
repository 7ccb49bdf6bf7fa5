"""Files that are added to the list of another on the studio's page, in a real browser: shown, trimmed, moved, saved,
opened again, and joined; every frame of the results is judged by its number."""

import itertools
import os
import subprocess

from soaking.joins import numbers
from soaking.studio_edits import STATE
from soaking.studio_page import browser, enter, number, studio, wait

ABOUT = "adds files to the list on the studio's page, joins them and opens the work again (needs playwright)"
COUNT = 1
H264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-c:a", "aac"]
SIZE = (320, 180)
# The numbers of the frames in each file, and how it is coded.
CLIPS = {
    "a.mp4": (range(100), H264),
    "b.mp4": (range(200, 300), H264),
    "sub/c.mp4": (range(400, 450), ["-vf", "scale=640:360", *H264]),
    "d.ts": (range(500, 575), ["-c:v", "mpeg2video", "-q:v", "3", "-g", "12", "-c:a", "mp2"]),
}


def make_clip(path, frames, options):
    from judging import marks
    path.parent.mkdir(exist_ok=True)
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s",
               f"{marks.WIDTH}x{marks.HEIGHT}", "-r", "25", "-i", "pipe:0", "-f", "lavfi", "-i",
               f"sine=440:sample_rate=48000:duration={len(frames) / 25}", "-pix_fmt", "yuv420p", *options, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        for picture in itertools.islice(marks.pictures(frames.stop), frames.start, None):
            process.stdin.write(picture)
        process.stdin.close()
        if process.wait() != 0:
            raise RuntimeError(f"this FFmpeg cannot make {path.name}")


class Screen:
    def __init__(self, page, folder):
        self.page, self.folder, self.faults = page, folder, []

    def equal(self, what, found, wanted):
        if found != wanted:
            self.faults.append(f"{what}: {found!r} instead of {wanted!r}")

    def shows(self, name, frame):
        """The file of the selected part is shown: its name, and a picture that only it has."""
        wait(self.page, "name => document.getElementById('name').textContent === name", arg=name)
        wait(self.page, "!document.getElementById('still').hidden")
        self.page.wait_for_timeout(600)
        self.equal(f"the picture of {name}", number(self.page, "still"), frame)

    def add(self, *steps):
        self.page.keyboard.press("O")
        for step in steps:
            self.page.locator("#folders").get_by_role("button", name=step, exact=True).click()
        self.page.locator("#folders").wait_for(state="hidden", timeout=60_000)

    def keys(self, *names):
        for name in names:
            self.page.keyboard.press(name)
            self.page.wait_for_timeout(250)

    def type(self, field, text):
        self.page.fill(f"#{field}", text)
        self.page.press(f"#{field}", "Enter")
        self.page.wait_for_timeout(300)

    def select(self, index):
        self.page.locator("#parts button").nth(index).click()

    def parts(self):
        return self.page.evaluate(STATE)

    def plan(self):
        self.page.wait_for_timeout(700)
        wait(self.page, "document.getElementById('plan').textContent !== ''")
        return self.page.text_content("#plan")

    def export(self, output, count=1):
        """Writes it, and returns the numbers of all frames of each file."""
        self.type("output", output)
        self.keys("e")
        wait(self.page, "([name, count]) => document.querySelectorAll('#results a').length === count "
             "&& document.querySelector('#results').textContent.includes(name)",
             arg=[output.split(".")[0], count], timeout=120_000)
        names = [text.removeprefix("Download ") for text in self.page.locator("#results a").all_text_contents()]
        return [numbers(self.folder / name, SIZE) for name in names]


def edits(screen):
    """Adds three files, and trims, names, moves and removes their parts."""
    page = screen.page
    screen.shows("a.mp4", 0)
    screen.add("b.mp4")
    screen.shows("b.mp4", 200)
    screen.equal("the parts", screen.parts(),
                 ["0:00:00.000 – 0:00:04.000 a.mp4", "0:00:00.000 – 0:00:04.000 b.mp4"])
    # A third of a second is no frame: In snaps to one of this file.
    screen.type("time-in", "25f")
    screen.type("time-out", "75f")
    screen.keys("[")
    screen.shows("b.mp4", 225)
    screen.select(0)
    screen.shows("a.mp4", 0)
    screen.type("time-out", "50f")
    if "re-encoded" in screen.plan().replace("audio re-encoded", ""):
        screen.faults.append(f"files of one encoder are re-encoded: {screen.plan()}")
    screen.equal("two of one encoder", screen.export("two.mp4"), [[*range(50), *range(225, 275)]])
    screen.add("sub", "c.mp4")
    screen.shows("c.mp4", 400)
    screen.equal("why c.mp4 is re-encoded", "c.mp4: its pictures are 640x360, not 320x180" in screen.plan(), True)
    screen.add("d.ts")
    screen.shows("d.ts", 500)
    page.fill("#part-name", "broadcast")
    page.press("#part-name", "Enter")
    screen.keys("{", "{", "{")
    # Where it ends is where its last packet of audio does.
    start, _, end = screen.parts()[0].partition(" – ")
    screen.equal("the first part", (start, end.split()[-1]), ("broadcast: 0:00:00.000", "d.ts"))
    screen.add("b.mp4")
    screen.equal("a file that is added again", screen.parts()[4], "0:00:00.000 – 0:00:04.000 b.mp4")
    screen.keys("x")
    screen.equal("the count after it was removed", len(screen.parts()), 4)


WANTED = [range(500, 575), range(50), range(225, 275), range(400, 450)]


def judges(screen):
    joined = [one for part in WANTED for one in part]
    for output in ("all.mp4", "all.mkv"):
        screen.equal(f"the frames of {output}", screen.export(output), [joined])
    screen.page.uncheck("#join")
    screen.equal("a file each", screen.export("each.mkv", len(WANTED)), [list(part) for part in WANTED])
    screen.page.check("#join")


def saves(screen):
    screen.keys("I")
    screen.page.click("#project-save")
    wait(screen.page, "document.querySelector('#list-said').textContent.includes('Saved')")
    for format_id, isWritten in {"mpv": True, "edl": False}.items():
        screen.page.select_option("#list-format", format_id)
        screen.page.click("#list-export")
        screen.page.wait_for_timeout(700)
        refused = screen.page.text_content("#list-bad")
        screen.equal(f"whether {format_id} holds several files", refused == "", isWritten)
    screen.page.locator("#lists").get_by_role("button", name="Close").click()


def gone(bench, project):
    """A project whose file is another, or gone, is refused in a sentence."""
    for content, words in ((b"nothing", "b.mp4"), (None, "there is no 'b.mp4'")):
        path = bench.folder / "b.mp4"
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        found = subprocess.run([bench.trim, "studio", "--no-open", project], capture_output=True, text=True,
                               timeout=60, check=False)
        if found.returncode == 0 or words not in found.stderr:
            yield f"without b.mp4: {found.returncode}, {found.stderr!r}"


def run(bench):
    for name, (frames, options) in CLIPS.items():
        make_clip(bench.folder / name, frames, options)
    os.environ["XDG_STATE_HOME"] = str(bench.folder / "state")
    words = ["--max-length", "none"]
    faults = []
    with browser() as launched:
        with studio(bench.trim, bench.folder / "a.mp4", *words) as address:
            screen = Screen(enter(launched, address), bench.folder)
            edits(screen)
            judges(screen)
            saves(screen)
            parts = screen.parts()
            faults += screen.faults + screen.page.faults
        project = next(bench.folder.glob("*.trimproject"))
        with studio(bench.trim, project, *words) as address:
            screen = Screen(enter(launched, address), bench.folder)
            screen.equal("the parts of the opened project", screen.parts(), parts)
            screen.equal("its frames", screen.export("again.mkv"), [[one for part in WANTED for one in part]])
            faults += screen.faults + screen.page.faults
    faults += gone(bench, project)
    print("\n".join(faults) or "all as it should be")
    return 1 if faults else 0
