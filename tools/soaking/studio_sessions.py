"""Runs random sessions on the studio's page: each must end with the file that trim cut writes."""

import contextlib
import json
import shutil
import subprocess

from soaking.studio_page import KINDS, browser, drag, enter, make_clip, studio, wait

ABOUT = "random sessions on the studio's page: the same files as trim cut writes (needs playwright)"
COUNT = 40
CLIPS = ["closed.mp4", "open.mp4", "ntsc.mp4", "h264.mkv", "h264.ts", "hevc.mp4", "ac3.mp4"]
ENDINGS = ["mp4", "mkv", "mov"]
SECONDS = 4


class Session:
    """A user who drags, types and presses keys at random."""

    def __init__(self, page, chance):
        self.page = page
        self.chance = chance
        self.steps = []
        self.count = 1

    def settle(self):
        """Waits until the page has the new state and its plan."""
        self.page.wait_for_timeout(150)
        wait(self.page, "document.getElementById('time-in').dataset.typed === undefined"
            " && document.getElementById('plan').textContent !== ''", timeout=20_000)

    def key(self, name):
        self.page.locator("#timeline").focus()
        self.page.keyboard.press(name)

    def type(self, field, text):
        self.page.locator(f"#{field}").fill(text)
        with self.page.expect_response("**/text"):
            self.page.locator(f"#{field}").press("Enter")

    def act(self):
        chance = self.chance
        place = chance.random() * SECONDS
        frame = chance.randrange(SECONDS * 25)
        action, *values = chance.choice([
            ("drag", chance.choice(["in", "out"]), chance.random()),
            ("type", "time-in", f"{min(place, 3):.3f}"), ("type", "time-out", f"{frame}f"),
            ("type", "time-in", f"{frame // 2}f"), ("type", "time-out", f"{max(1, place):.2f}"),
            ("key", "u"), ("key", "U"), ("key", "i"), ("key", "o"), ("key", "."), ("key", ","),
            ("key", "n"), ("key", "ArrowRight"), ("key", "ArrowLeft"), ("key", str(frame % 10)),
            ("key", "/"), ("key", "a"), ("key", "x"), ("key", "J"), ("key", "("), ("key", ")"),
            ("key", "{"), ("key", "z"), ("key", "Space"),
        ])
        self.steps.append([action, *values])
        if action == "drag":
            if self.page.locator(f"#handle-{values[0]}").is_visible():
                drag(self.page, *values)
        elif action == "type":
            # Rejected text stays in its field, with the reason.
            with contextlib.suppress(TimeoutError):
                self.type(*values)
                self.page.wait_for_timeout(60)
                if self.page.locator("#typed-note").text_content():
                    self.page.locator(f"#{values[0]}").focus()
                    self.page.keyboard.press("Escape")
        else:
            self.key(*values)
            if values == ["Space"]:
                self.page.wait_for_timeout(300)
                self.key("k")
        self.settle()

    def split(self):
        """Splits at two random frames, and deletes nothing: several parts."""
        for frame in sorted(self.chance.sample(range(10, SECONDS * 25 - 10), 2)):
            self.page.locator("#track").click(
                position={"x": self.page.locator("#track").bounding_box()["width"] * frame / (SECONDS * 25), "y": 60})
            self.steps.append(["split", frame])
            self.key("/")
            self.settle()

    def ranges(self):
        """Returns the exact parts of the session, and whether they are joined.

        The page shows three decimals, and a typed time with three decimals means the frame next to it."""
        arrival = self.page.evaluate("fetch('/arrival').then((answer) => answer.json())")
        parts = arrival["opening"]["state"]["message"]["screen"]["list"]
        ranges = [(part["range"]["start"], part["range"]["end"]) for part in parts["parts"]]
        return ranges, parts["joins"]


def judge(trim, clip, session, results, folder):
    """Exports, and compares the result with that of the command line; yields differences."""
    page = session.page
    ranges, joins = session.ranges()
    session.count = len(ranges)
    mode = session.chance.choice(["smart", "smart", "copy", "reencode"])
    ending = session.chance.choice(ENDINGS)
    page.locator("#manner summary").click()
    with page.expect_response("**/text"):
        page.locator("#mode").select_option(mode)
    if ending != clip.suffix[1:]:
        with page.expect_response("**/text"):
            page.locator("#kind").select_option(ending)
    session.steps.append(["export", mode, ending, ranges, joins])
    page.wait_for_timeout(150)
    page.get_by_role("button", name="Export").click()
    page.locator("#done, #alert").locator("visible=true").first.wait_for(timeout=60_000)
    words = ["--mode", mode]
    for start, end in ranges:
        words += ["--keep", f"{start}..{end}"]
    name = f"{clip.stem}-trimmed.{ending}"
    mine = folder / "command"
    mine.mkdir()
    done = subprocess.run(
        [trim, "cut", clip, *words, *(["--join"] if joins and len(ranges) > 1 else []), "-o",
         mine / name], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    written = {path.name: path.read_bytes() for path in results.iterdir()}
    wanted = {path.name: path.read_bytes() for path in mine.iterdir()}
    if page.locator("#alert").is_visible():
        if done.returncode == 0:
            yield f"refused: {page.locator('#alert-text').text_content()}"
    elif done.returncode != 0:
        yield f"trim cut refuses: {done.stderr.strip()}"
    elif written != wanted:
        yield f"wrote {sorted(written)}, trim cut wrote {sorted(wanted)}: " + ", ".join(
            name for name in wanted if written.get(name) != wanted[name])


def too_long(session, results):
    """Checks that a part over the limit is not exported, and that the page says so."""
    page = session.page
    session.type("limit", "0.01")
    wait(page, "document.getElementById('export').disabled")
    if "over the" not in page.locator("#verdict").text_content():
        yield "the verdict does not say that it is too long"
    session.key("e")
    page.wait_for_timeout(300)
    if any(results.iterdir()):
        yield "a part that is too long was written"


def gone(session, results):
    """Checks that the page reports a missing output folder, and continues."""
    page = session.page
    shutil.rmtree(results)
    page.get_by_role("button", name="Export").click()
    page.locator("#alert").wait_for(timeout=20_000)
    page.locator("#alert-close").click()
    page.locator("#alert").wait_for(state="hidden")
    results.mkdir()
    return []


def run_one(bench, launched, folder, cell):
    chance = bench.chance(cell)
    clip = bench.folder / chance.choice(CLIPS)
    if not clip.exists():
        make_clip(clip, *KINDS[clip.name])
    results = folder / "results"
    results.mkdir(parents=True)
    faults = []
    with studio(bench.trim, clip, "--output-folder", results) as address:
        page = enter(launched, address)
        session = Session(page, chance)
        session.settle()
        try:
            for _ in range(chance.randrange(3, 12)):
                session.act()
            if cell % 2 == 0:
                session.split()
            ends = [too_long, gone] if cell % 5 == 4 else []
            for end in ends[cell // 5 % 2:][:1]:
                session.steps.append([end.__name__])
                faults += end(session, results)
            if not ends:
                faults += judge(bench.trim, clip, session, results, folder)
        except Exception as error:
            faults.append(str(error).splitlines()[0])
        faults += page.faults
        page.close()
    return {"cell": cell, "clip": clip.name, "steps": session.steps, "parts": session.count, "faults": faults}


def run(bench):
    wrong = several = 0
    cells = [bench.only] if bench.only is not None else range(bench.count)
    with browser() as launched:
        for cell in cells:
            row = run_one(bench, launched, bench.folder / str(cell), cell)
            several += row["parts"] > 1
            if row["faults"]:
                wrong += 1
                print("  " + json.dumps(row), flush=True)
            shutil.rmtree(bench.folder / str(cell), ignore_errors=True)
    right = len(cells) - wrong
    print(f"{right} sessions correct ({several} of all with several parts), {wrong} wrong")
    bench.write("studio-sessions", [
        "# Sessions on the studio's page", "",
        f"`tools/soak studio_sessions --count {bench.count} --seed {bench.seed}`: {right} ended with "
        f"the files that `trim cut` writes for the same parts, {wrong} did not. {several} had several parts."])
    return 1 if wrong else 0
