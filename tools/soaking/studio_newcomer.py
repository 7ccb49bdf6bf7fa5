"""First-time users on the studio's page: every button and field is found by what the page shows."""

import re
import subprocess
import time

from soaking.studio_page import browser, studio

ABOUT = "first-time users' steps from the address to the file (needs playwright)"
COUNT = 6
MOST_SECONDS = 120
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREEN = {"viewport": {"width": 1280, "height": 800}}


def ffmpeg(path, *words):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *words, path], check=True)


def make_clip(path):
    """70 s, longer than the limit, with something to look at."""
    ffmpeg(path, "-f", "lavfi", "-i", "gradients=s=640x360:r=25:speed=0.02:nb_colors=8:seed=11:type=spiral", "-f",
           "lavfi", "-i", "aevalsrc='0.4*sin(220*2*PI*t)*(0.5+0.5*sin(0.7*t))*abs(sin(3*t))':s=48000", "-t", "70",
           "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p", "-g", "100",
           "-c:a", "aac")


def make_film(path):
    """30 minutes; the middle minute begins and ends between keyframes."""
    ffmpeg(path, "-f", "lavfi", "-i", "testsrc=s=320x180:r=25", "-f", "lavfi", "-i", "sine=330:sample_rate=48000",
           "-t", "1800", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "107", "-c:a", "aac")


def make_podcast(path):
    """40 minutes of sound alone."""
    ffmpeg(path, "-f", "lavfi", "-i", "aevalsrc='0.3*sin(200*2*PI*t)*abs(sin(2*t))*(0.5+0.5*sin(0.05*t))':s=44100",
           "-t", "2400", "-c:a", "aac", "-b:a", "64k")


class Newcomer:
    """A user who knows only what the page shows."""

    def __init__(self, page):
        self.page = page
        self.inputs = 0

    def press(self, name, seconds=15):
        """Clicks a button by its visible name."""
        button = self.page.get_by_role("button", name=name, exact=True)
        button.wait_for(state="visible", timeout=seconds * 1000)
        self.inputs += 1
        button.click()

    def fill(self, label, text):
        """Fills in a field by its label."""
        field = self.page.get_by_role("textbox", name=re.compile(f"^{label}"))
        field.wait_for(timeout=15_000)
        self.inputs += 1
        field.fill(text)
        field.press("Enter")
        self.page.wait_for_timeout(400)

    def reads(self, text, seconds=20):
        self.page.get_by_text(text).locator("visible=true").first.wait_for(timeout=seconds * 1000)


def short_clip(page, person):
    """Trims to 45 s, and looks at the result first."""
    person.reads("Everything between")
    person.press("Start trimming")
    person.reads("over the")
    person.fill("In", "0:05")
    person.fill("Out", "0:50")
    person.reads("OK: under 60.5 s")
    person.reads("copied")
    person.press("Preview")
    person.reads("The result, before it is written")
    page.locator("#result-play:enabled").wait_for(timeout=30_000)
    person.press("Next seam") if page.get_by_role("button", name="Next seam").is_visible() else None
    page.wait_for_timeout(800)
    person.press("Close")
    person.press("Export")
    person.reads("Written", seconds=90)


def without_middle(page, person):
    """Removes the middle minute of a film."""
    person.press("Start trimming")
    person.reads("over the")
    person.fill("In", "14:30")
    person.fill("Out", "15:30")
    person.press("Remove In–Out")
    person.press("Remove limit")
    person.reads("copied")
    person.press("Export")
    person.reads("Written", seconds=90)


def second_file(page, person):
    """Opens another file of the folder without a terminal, and exports the first half of it."""
    person.press("Start trimming")
    person.press("Open…")
    person.press("second.mp4")
    page.wait_for_function("() => document.title.startsWith('second')", timeout=20_000)
    person.fill("Out", "35")
    person.reads("OK: under 60.5 s")
    person.press("Export")
    person.reads("Written", seconds=90)


def half_podcast(page, person):
    """Keeps 20 of 40 minutes of a podcast, whose waveform is on the screen."""
    person.press("Start trimming")
    page.wait_for_function("() => document.getElementById('track').dataset.levels !== undefined", timeout=20_000)
    person.fill("In", "10:00")
    person.fill("Out", "30:00")
    person.press("Remove limit")
    person.reads("copied")
    person.press("Export")
    person.reads("Written", seconds=90)


# What someone does, the file, the greatest number of inputs, and the same file by command.
WAYS = [
    (short_clip, SCREEN, "clip.mp4", 12, "clip.mp4", ["--from", "5", "--to", "50"]),
    (without_middle, SCREEN, "film.mp4", 8, "film.mp4", ["--remove", "14:30..15:30"]),
    (second_file, SCREEN, "clip.mp4", 8, "second.mp4", ["--to", "35"]),
    (half_podcast, SCREEN, "podcast.m4a", 8, "podcast.m4a", ["--from", "10:00", "--to", "30:00"]),
    (without_middle, PHONE, "film.mp4", 8, "film.mp4", ["--remove", "14:30..15:30"]),
    (half_podcast, PHONE, "podcast.m4a", 8, "podcast.m4a", ["--from", "10:00", "--to", "30:00"]),
]


def walk(bench, launched, number):
    """Yields what is wrong with one of the ways."""
    way, size, opened, most, cut, words = WAYS[number]
    results = bench.folder / f"results-{number}"
    results.mkdir()
    name = f"{way.__name__} {'on a phone' if size is PHONE else 'on a screen'}"
    with studio(bench.trim, bench.folder / opened, "--output-folder", results) as address:
        context = launched.new_context(**size)
        page = context.new_page()
        person = Newcomer(page)
        began = time.monotonic()
        try:
            page.goto(address)
            way(page, person)
        except Exception as error:
            yield f"{name}: {str(error).splitlines()[0]}"
        seconds = time.monotonic() - began
        context.close()
    print(f"{name}: {person.inputs} inputs, {seconds:.0f} s")
    by_command = bench.folder / f"command-{number}{(bench.folder / cut).suffix}"
    subprocess.run([bench.trim, "cut", bench.folder / cut, *words, "-o", by_command], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if [path.read_bytes() for path in results.iterdir()] != [by_command.read_bytes()]:
        yield f"{name}: the file differs from the one that trim cut writes"
    if person.inputs > most or seconds > MOST_SECONDS:
        yield f"{name}: it took too many inputs or too long"


def run(bench):
    make_clip(bench.folder / "clip.mp4")
    make_film(bench.folder / "film.mp4")
    make_podcast(bench.folder / "podcast.m4a")
    (bench.folder / "second.mp4").write_bytes((bench.folder / "clip.mp4").read_bytes())
    faults = []
    with browser() as launched:
        for number in [bench.only] if bench.only is not None else range(len(WAYS)):
            faults += walk(bench, launched, number)
    for fault in faults:
        print(f"  {fault}")
    print(f"{len(WAYS)} ways, {len(faults)} faults")
    return 1 if faults else 0
