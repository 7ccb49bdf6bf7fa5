"""A first-time user on the studio's page: every button and field is found by what the page shows."""

import re
import subprocess
import time

from soaking.studio_page import browser, studio

ABOUT = "a first-time user's steps from the address to the file (needs playwright)"
COUNT = 1
MOST_INPUTS = 12
MOST_SECONDS = 60


def make_clip(path):
    """Makes a clip of 70 s, longer than the limit, with something to look at."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         "gradients=s=640x360:r=25:speed=0.02:nb_colors=8:seed=11:type=spiral", "-f", "lavfi", "-i",
         "aevalsrc='0.4*sin(220*2*PI*t)*(0.5+0.5*sin(0.7*t))*abs(sin(3*t))':s=48000", "-t", "70",
         "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p", "-g", "100",
         "-c:a", "aac", path], check=True)


class Newcomer:
    """A user who knows only what the page shows."""

    def __init__(self, page):
        self.page = page
        self.inputs = 0

    def press(self, name):
        """Clicks a button by its visible name."""
        button = self.page.get_by_role("button", name=name, exact=True)
        button.wait_for(state="visible", timeout=15_000)
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

    def reads(self, text):
        self.page.get_by_text(text).locator("visible=true").first.wait_for(timeout=20_000)


def way(page):
    """Goes from the first screen to the written file; returns the number of inputs."""
    person = Newcomer(page)
    person.reads("Everything between")
    person.press("Start trimming")
    person.reads("over the")
    page.wait_for_timeout(1500)
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
    person.reads("Written")
    return person.inputs


def run(bench):
    clip = bench.folder / "walk.mp4"
    make_clip(clip)
    results = bench.folder / "results"
    results.mkdir()
    faults = []
    with browser() as launched, studio(bench.trim, clip, "--output-folder", results) as address:
        page = launched.new_page(viewport={"width": 1280, "height": 800})
        began = time.monotonic()
        page.goto(address)
        inputs = way(page)
        seconds = time.monotonic() - began
        page.close()
    written = list(results.iterdir())
    by_command = bench.folder / "command.mp4"
    subprocess.run([bench.trim, "cut", clip, "--from", "5", "--to", "50", "-o", by_command],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if [path.read_bytes() for path in written] != [by_command.read_bytes()]:
        faults.append("the file differs from the one that trim cut writes")
    if inputs > MOST_INPUTS or seconds > MOST_SECONDS:
        faults.append("it took too many inputs or too long")
    for fault in faults:
        print(f"  {fault}")
    print(f"{inputs} inputs, {seconds:.0f} s, {len(faults)} faults")
    return 1 if faults else 0
