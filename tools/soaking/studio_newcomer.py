"""A newcomer at the studio's page: every key and button is first found in what the page says."""

import re
import subprocess
import time
from pathlib import Path

from soaking.bench import ROOT
from soaking.studio_page import browser, studio

ABOUT = "a newcomer's way from the address to a file, and pictures of it (needs playwright)"
COUNT = 1
MOST_INPUTS = 12
MOST_SECONDS = 60
PICTURES = ROOT / "Documentation" / "Pictures"
NAMES = ["open", "too-long", "chosen", "result", "written"]


def make_film(path):
    """Seventy seconds of something to look at: longer than is allowed."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         "gradients=s=640x360:r=25:speed=0.02:nb_colors=8:seed=11:type=spiral", "-f", "lavfi", "-i",
         "aevalsrc='0.4*sin(220*2*PI*t)*(0.5+0.5*sin(0.7*t))*abs(sin(3*t))':s=48000", "-t", "70",
         "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p", "-g", "100",
         "-c:a", "aac", path], check=True)


class Newcomer:
    """Knows nothing but what the page shows."""

    def __init__(self, page):
        self.page = page
        self.inputs = 0

    def press(self, name):
        """A button, by the name that it shows."""
        button = self.page.get_by_role("button", name=name, exact=True)
        button.wait_for(state="visible", timeout=15_000)
        self.inputs += 1
        button.click()

    def fill(self, label, text):
        """A field, by the label beside it."""
        field = self.page.get_by_role("textbox", name=re.compile(f"^{label}"))
        field.wait_for(timeout=15_000)
        self.inputs += 1
        field.fill(text)
        field.press("Enter")
        self.page.wait_for_timeout(400)

    def reads(self, text):
        self.page.get_by_text(text).locator("visible=true").first.wait_for(timeout=20_000)


def way(page, results, picture):
    """From the first look to the file."""
    person = Newcomer(page)
    person.reads("Everything between")
    picture("open")
    person.press("Start trimming")
    person.reads("TOO LONG")
    page.wait_for_timeout(1500)
    picture("too-long")
    person.fill("In", "0:05")
    person.fill("Out", "0:50")
    person.reads("OK: under 60.5 s")
    person.reads("copied")
    picture("chosen")
    person.press("Preview")
    person.reads("The result, before it is written")
    page.locator("#result-play:enabled").wait_for(timeout=30_000)
    person.press("Next seam") if page.get_by_role("button", name="Next seam").is_visible() else None
    page.wait_for_timeout(800)
    picture("result")
    person.press("Close")
    person.press("Export")
    person.reads("Written:")
    picture("written")
    return person.inputs


def run(bench):
    film = bench.folder / "walk.mp4"
    make_film(film)
    results = bench.folder / "results"
    results.mkdir()
    faults = []
    with browser() as launched, studio(bench.trim, film, "--output-folder", results) as address:
        page = launched.new_page(viewport={"width": 1280, "height": 800})

        def picture(name):
            if bench.options.write:
                page.screenshot(path=PICTURES / f"studio-{name}.png")

        began = time.monotonic()
        page.goto(address)
        inputs = way(page, results, picture)
        seconds = time.monotonic() - began
        page.close()
    written = list(results.iterdir())
    by_command = bench.folder / "command.mp4"
    subprocess.run([bench.trim, "cut", film, "--from", "5", "--to", "50", "-o", by_command],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if [path.read_bytes() for path in written] != [by_command.read_bytes()]:
        faults.append("the file is not the one that trim cut writes")
    if inputs > MOST_INPUTS or seconds > MOST_SECONDS:
        faults.append("it took too long")
    for fault in faults:
        print(f"  {fault}")
    print(f"{inputs} inputs, {seconds:.0f} s, {len(faults)} faults")
    return 1 if faults else 0
