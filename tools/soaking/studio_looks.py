"""Screenshots of the studio's page in five sizes and both schemes, and what must be in sight in each."""

import subprocess
from pathlib import Path

from soaking.bench import ROOT
from soaking.studio_newcomer import make_clip
from soaking.studio_page import browser, drag, enter, studio, wait

ABOUT = "twelve screenshots of the studio's page, and its layout (needs playwright); --write keeps six"
COUNT = 1
SIZES = {"desktop": (1280, 800), "small": (1024, 768), "large": (1920, 1080), "tablet": (768, 1024),
         "phone": (390, 844)}
PICTURES = ROOT / "Documentation" / "Pictures"
# The pictures for Documentation/Studio.md: the state, the size and the scheme.
CHOSEN = {("parts", "desktop", "light"), ("parts", "desktop", "dark"), ("written", "large", "light"),
          ("podcast", "desktop", "dark"), ("parts", "phone", "light"), ("written", "tablet", "dark")}
MINUTES = 40
README = ("parts", "desktop", "light")
# What lies in the window, and the smallest control there.
LAYOUT = """() => {
  const box = (id) => document.querySelector(id)?.getBoundingClientRect();
  const isIn = (found) => Boolean(found) && found.height > 0 && found.top >= 0 && found.bottom <= innerHeight
    && found.left >= 0 && found.right <= innerWidth;
  const controls = [...document.querySelectorAll("button, select, input, summary, .done a")]
    .filter((control) => control.checkVisibility() && !control.matches(".handle"))
    .map((control) => [control.matches("input[type=checkbox]") ? control.closest("label") : control, control.id])
    .map(([control, id]) => [control.getBoundingClientRect().height, id || control.textContent.trim()]);
  return { picture: box("#screen").height, export: isIn(box("#export")), download: isIn(box("#results a")),
           covers: innerWidth > 640 && innerWidth <= 960 && box(".export").top < box(".timeline").bottom,
           track: box("#track").height, smallest: controls.sort(([a], [b]) => a - b)[0],
           wide: document.documentElement.scrollWidth > innerWidth || box(".side").right > innerWidth
             || box("#kind").right > innerWidth || box(".transport .end").right > box(".timeline").right + 1 };
}"""


def make_podcast(path):
    """Forty minutes of sound alone that is loud and quiet as speech is."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         "aevalsrc='0.6*sin(180*2*PI*t)*abs(sin(1.7*t))*(0.3+0.7*abs(sin(0.013*t)))':s=16000",
         "-t", str(60 * MINUTES), "-c:a", "libmp3lame", "-b:a", "32k", path], check=True)


class Look:
    def __init__(self, page, size, scheme, bench):
        self.page, self.size, self.scheme, self.bench = page, size, scheme, bench
        self.faults = []

    def layout(self, state, wanted=None):
        """Measures the page; `wanted` is the height that the picture must have kept."""
        self.page.wait_for_timeout(400)
        found = self.page.evaluate(LAYOUT)
        place = f"{self.size} {self.scheme} {state}"
        if not found["export"]:
            self.faults.append(f"{place}: Export is not in the window")
        if state == "written" and not found["download"]:
            self.faults.append(f"{place}: the download is not in the window")
        if wanted is not None and abs(found["picture"] - wanted) >= 1:
            self.faults.append(f"{place}: the picture is {found['picture']} px high, not {wanted}")
        if self.size == "phone" and found["smallest"][0] < 40:
            self.faults.append(f"{place}: a control of {found['smallest']} px")
        if found["covers"]:
            self.faults.append(f"{place}: the export panel covers the timeline")
        if found["wide"]:
            self.faults.append(f"{place}: wider than the window")
        return found

    def picture(self, state):
        self.page.wait_for_timeout(300)
        path = self.bench.folder / f"{state}-{self.size}-{self.scheme}.png"
        self.page.screenshot(path=path)
        if self.bench.options.write and (state, self.size, self.scheme) in CHOSEN:
            keep(path, PICTURES / f"look-{state}-{self.size}-{self.scheme}.webp")
        if self.bench.options.write and (state, self.size, self.scheme) == README:
            keep(path, PICTURES / "studio.webp")


def keep(path, kept):
    """Stores a screenshot small enough for a page."""
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-c:v", "libwebp", "-quality", "82", kept], check=True)


def six_parts(page):
    """Six parts, two of them named, and two markers."""
    page.keyboard.press("M")
    page.keyboard.type("none")
    page.keyboard.press("Enter")
    box = page.locator("#track").bounding_box()
    for number in range(1, 6):
        page.mouse.click(box["x"] + box["width"] * number / 6, box["y"] + 40)
        page.wait_for_timeout(200)
        page.keyboard.press("/")
        page.wait_for_timeout(200)
        if number in (2, 4):
            page.keyboard.press("c")
            page.fill("#part-name", ["", "", "opening", "", "interview"][number])
            page.press("#part-name", "Enter")
            page.wait_for_timeout(200)
    # Something is removed between two parts.
    page.mouse.click(box["x"] + box["width"] * 0.4, box["y"] + 40)
    page.wait_for_timeout(200)
    page.keyboard.press("o")
    page.wait_for_timeout(300)


def video(look):
    """One part, six parts, the tracks open, then a written result."""
    page = look.page
    height = look.layout("one part")["picture"]
    six_parts(page)
    look.layout("six parts", height)
    look.picture("parts")
    page.locator("#manner summary").click()
    look.layout("tracks", height)
    page.locator("#manner summary").click()
    page.locator("#export").click()
    page.locator("#done").wait_for(state="visible", timeout=60_000)
    page.locator("#manner summary").click()
    look.layout("written", height)
    page.locator("#manner summary").click()
    look.picture("written")


def podcast(look):
    """The waveform has the place of the picture, and handles answer while it is long."""
    page = look.page
    wait(page, "document.getElementById('track').dataset.levels !== undefined", timeout=90_000)
    found = look.layout("podcast")
    if found["track"] < 0.3 * page.viewport_size["height"]:
        look.faults.append(f"{look.size}: the waveform is {found['track']} px high")
    began = page.evaluate("performance.now()")
    drag(page, "in", 0.25)
    drag(page, "out", 0.75)
    wait(page, "!document.getElementById('time-in').value.startsWith('0:00:')")
    taken = page.evaluate("performance.now()") - began
    if taken > 3000:
        look.faults.append(f"{look.size}: two handles took {taken:.0f} ms")
    look.picture("podcast")


def pinch(page):
    """Two fingers zoom; the playhead stays where it is."""
    box = page.locator("#track").bounding_box()
    session = page.context.new_cdp_session(page)
    y = box["y"] + 40
    before = page.text_content("#playhead-time")
    view = page.text_content("#view-end")

    def touch(kind, *places):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": box["x"] + box["width"] * x, "y": y, "id": number} for number, x in enumerate(places)]})

    touch("touchStart", 0.4)
    touch("touchMove", 0.41)
    touch("touchStart", 0.41, 0.6)
    for step in range(1, 9):
        touch("touchMove", 0.41 - step * 0.03, 0.6 + step * 0.03)
    touch("touchEnd")
    page.wait_for_timeout(500)
    faults = []
    if page.text_content("#playhead-time") != before:
        faults.append(f"a pinch moved the playhead from {before} to {page.text_content('#playhead-time')}")
    if page.text_content("#view-end") == view:
        faults.append("a pinch did not zoom")
    return faults


def run(bench):
    clip, sound = bench.folder / "walk.mp4", bench.folder / "podcast.mp3"
    make_clip(clip)
    make_podcast(sound)
    faults = []
    with browser() as launched:
        for number, (size, (width, height)) in enumerate(SIZES.items()):
            for scheme in ["light", "dark"]:
                # Each size in one scheme, and the first and the last in both.
                if scheme != ["light", "dark"][number % 2] and size not in ("desktop", "phone"):
                    continue
                options = {"viewport": {"width": width, "height": height}, "color_scheme": scheme,
                           "has_touch": size == "phone"}
                for path, work in [(clip, video), (sound, podcast)]:
                    if work is podcast and size not in ("desktop", "phone"):
                        continue
                    results = bench.folder / f"{size}-{scheme}-{work.__name__}"
                    results.mkdir()
                    with studio(bench.trim, path, "--output-folder", results) as address:
                        page = enter_any(launched, address, work is podcast, **options)
                        look = Look(page, size, scheme, bench)
                        if size == "phone" and work is video:
                            look.faults += pinch(page)
                            page.locator("#zoom-all").click()
                        work(look)
                        faults += look.faults + page.faults
                        page.close()
    for fault in faults:
        print(f"  {fault}")
    made = sorted(Path(bench.folder).glob("*.png"))
    print(f"{len(made)} screenshots, {len(faults)} faults")
    if bench.options.pictures:
        bench.options.pictures.mkdir(parents=True, exist_ok=True)
        for path in made:
            path.replace(bench.options.pictures / path.name)
    return 1 if faults else 0


def enter_any(launched, address, is_sound, **options):
    if not is_sound:
        return enter(launched, address, **options)
    page = launched.new_page(**options)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.goto(address)
    page.get_by_role("button", name="Start trimming").click(timeout=60_000)
    page.locator("#tutorial").wait_for(state="hidden")
    page.locator("#editor").wait_for(state="visible")
    return page
