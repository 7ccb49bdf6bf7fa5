"""Find… on the studio's page in a real browser: what is found is that of `trim find`, and one undo brings all back.

The command, a batch, Python and the page find the same in whole and damaged files, and say what they cannot look at."""

import json
import subprocess
import sys
import time

from soaking import bench as benches
from soaking.studio_edits import STATE
from soaking.studio_page import browser, enter, studio, wait

ABOUT = "finds by command, batch, Python and page, in damaged files too; keeps, removes and splits (needs playwright)"
COUNT = 1
WAIT = 60_000
KINDS = ["silence", "black", "still", "scenes", "fades"]
# What all of them say, for files in which something can be looked for.
COLUMNS = ["range", "tracks", "thresholds", "findings", "not_examined", "not_looked_for"]


def make_clip(path, length=9):
    """A tone that is silent from 2 s to 4 s, black from 5 s to 6 s, and another picture from 7 s."""
    half = f"s=320x180:r=25:d={length}"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2={half}", "-f", "lavfi", "-i",
         f"mandelbrot=s=320x180:r=25,trim=duration={length}", "-f", "lavfi", "-i",
         f"aevalsrc='if(between(t,2,4),0,0.3*sin(2*PI*330*t))':s=48000:d={length}", "-filter_complex",
         "[0][1]overlay=enable='gte(t,7)',drawbox=t=fill:color=black:enable='between(t,5,5.99)'[v]", "-map", "[v]",
         "-map", "2", "-t", str(length), "-c:v", "libx264",
         "-preset", "veryfast", "-bf", "2", "-c:a", "pcm_s16le", "-f", "mov", path], check=True)


def found(trim, clip, *kinds):
    """What `trim find` finds."""
    done = benches.run([trim, "find", "--json", *[f"--{kind}" for kind in kinds], clip], 60)
    return json.loads(done.out)


class Panel:
    def __init__(self, page):
        self.page, self.faults = page, []

    def equal(self, what, got, wanted):
        if got != wanted:
            self.faults.append(f"{what}: {got!r} instead of {wanted!r}")

    def press(self, name):
        self.page.locator("#find").get_by_role("button", name=name, exact=True).click()
        self.page.wait_for_timeout(300)

    def choose(self, *kinds):
        if not self.page.locator("#find form").is_visible():
            self.page.locator("#find summary").click()
        for kind in ["silence", "black", "still", "scene", "fade"]:
            box = self.page.locator(f"#find input[name={kind}]")
            if box.is_enabled():
                box.set_checked(kind in kinds)

    def look(self):
        before = self.page.evaluate("document.querySelector('#find [role=status]').textContent")
        self.press("Find")
        wait(self.page, """before => { const said = document.querySelector('#find [role=status]').textContent;
          return said !== before && said.includes('found'); }""", before, WAIT)
        self.page.wait_for_timeout(400)

    def show(self, kind):
        self.page.locator("#find .found select").first.select_option(kind)
        self.page.wait_for_timeout(200)

    def rows(self):
        return self.page.evaluate("[...document.querySelectorAll('#find-rows li button')].map((one) => one.textContent)")

    def parts(self):
        return self.page.evaluate(STATE)

    def playhead(self):
        return self.page.text_content("#playhead-time")


def clock(value, places=3):
    seconds = float(value["seconds"]) if "seconds" in value else 0
    return f"0:{int(seconds) // 60:02}:{seconds % 60:06.{places}f}"


def lists(panel, trim, clip):
    """The list of each kind is that of the command."""
    page = panel.page
    page.keyboard.press("d")
    page.locator("#find").wait_for(state="visible")
    panel.choose("silence", "black", "scene")
    panel.look()
    stated = found(trim, clip, "silence", "black", "scenes")["findings"]
    for kind in ["silence", "black", "scene"]:
        panel.show(kind)
        wanted = [f"{clock(one['from'])} – {clock(one['to'])}" for one in stated if one["kind"] == kind]
        panel.equal(f"the list of {kind}", panel.rows(), wanted)
    if len({one["kind"] for one in stated}) != 3:
        panel.faults.append("the clip does not have everything to find")


def jumps(panel):
    """A row and both buttons take the playhead there."""
    page = panel.page
    panel.show("silence")
    page.locator("#find-rows button").first.click()
    page.wait_for_timeout(300)
    panel.equal("the playhead is where silence begins", panel.playhead(), "0:00:02.000")
    panel.show("black")
    panel.press("Next finding")
    panel.equal("the playhead is where black begins", panel.playhead(), "0:00:05.000")


def acts(panel):
    """Each action is undone by one undo."""
    page = panel.page
    whole = panel.parts()
    panel.show("silence")
    panel.press("Remove these")
    removed = panel.parts()
    panel.equal("two parts remain", len(removed), 2)
    panel.equal("less a margin", removed[0], "0:00:00.000 – 0:00:02.100")
    panel.press("Undo")
    panel.equal("one undo brings all back", panel.parts(), whole)
    panel.show("black")
    panel.press("Keep these")
    panel.equal("only black is kept", page.input_value("#time-in"), "0:00:05.000")
    panel.press("Undo")
    panel.show("scene")
    panel.press("Split here")
    panel.equal("a part for each scene", len(panel.parts()), len(panel.rows()))
    page.locator("#find-rows input").first.uncheck()
    panel.press("Undo")
    panel.equal("one undo joins all", panel.parts(), whole)
    panel.equal("and there is nothing else to undo", page.is_disabled("#undo"), True)
    panel.press("Close")
    panel.equal("the parts are shown again", page.locator("#parts-area").is_visible(), True)


def refusals(panel):
    page = panel.page
    page.keyboard.press("d")
    panel.choose("silence")
    page.fill("#find input[name=silence_level]", "loud")
    page.locator("#find").get_by_role("button", name="Find", exact=True).click()
    wait(page, "document.querySelector('#find [role=alert]').textContent.includes('loud')")
    page.fill("#find input[name=silence_level]", "-40")
    panel.choose()
    page.locator("#find").get_by_role("button", name="Find", exact=True).click()
    wait(page, "document.querySelector('#find [role=alert]').textContent.includes('Choose')")


def stops(launched, bench, faults):
    """A long search is stopped by Stop, and by closing the page."""
    long = bench.folder / "long.mov"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=50:d=60", "-c:v",
                    "libx264", "-preset", "ultrafast", long], check=True)
    with studio(bench.trim, long) as address:
        page = enter(launched, address)
        panel = Panel(page)
        for is_closed in [False, True]:
            if not panel.page.locator("#find").is_visible():
                page.keyboard.press("d")
            panel.choose("black", "scene")
            panel.press("Find")
            wait(page, "document.querySelector('#find [role=status]').textContent.includes('Looking')")
            if not is_closed:
                panel.press("Stop")
                wait(page, "!document.querySelector('#find .primary').disabled")
        cookies, origin = page.context.cookies(), address.split("#")[0]
        page.close()
        context = launched.new_context()
        context.add_cookies(cookies)
        deadline = time.monotonic() + 20
        while True:
            arrival = context.request.get(f"{origin}arrival").json()
            if not arrival["opening"]["state"]["finding"].get("page"):
                break
            if time.monotonic() > deadline:
                faults.append("a search goes on after its page was closed")
                break
            time.sleep(0.5)
        if arrival["opening"]["state"]["finding"]["number"] != 0:
            faults.append("the long search was over before its page was closed")
        faults += panel.faults + page.faults


def damaged(clip):
    """Makes files of a clip that are damaged, or lack something, each in its own way."""
    whole = clip.read_bytes()
    yield clip
    # In the middle of the media data; at many places; and the headers of some packets.
    for name, places in {"middle": range(len(whole) // 3, len(whole) // 3 + 60_000),
                         "scattered": range(len(whole) // 4, len(whole) * 3 // 4, 9_973),
                         "half": range(len(whole) // 2, len(whole) * 9 // 10)}.items():
        broken = clip.with_stem(name)
        data = bytearray(whole)
        for place in places:
            data[place] ^= 0x5A
        broken.write_bytes(data)
        yield broken
    ways = {"cut.ts": ["-c:v", "copy", "-c:a", "mp2"], "cut.mkv": ["-c", "copy"], "mute.mov": ["-an", "-c", "copy"],
            "blind.mov": ["-vn", "-c", "copy"], "fragments.mp4": ["-c:v", "copy", "-c:a", "aac", "-movflags",
                                                                   "frag_keyframe+empty_moov"]}
    for name, words in ways.items():
        made = clip.with_name(name)
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", clip, *words, made], check=True)
        if not name.endswith("mov"):
            # As after a full disk.
            made.write_bytes(made.read_bytes()[:made.stat().st_size * 3 // 5])
        yield made
    for name, data in {"end.mov": whole[:len(whole) * 9 // 10], "text.mov": b"not a film"}.items():
        clip.with_name(name).write_bytes(data)
        yield clip.with_name(name)


def stated(trim, path):
    """What the command finds, or the code of its error."""
    done = benches.run([trim, "find", "--json", path], 120)
    answer = json.loads(done.out)
    return {"error": answer["error"]["code"]} if done.status else {name: answer[name] for name in COLUMNS}


def fronts(launched, bench, clip, faults):
    """The command, a batch, Python and the page find the same, and say the same of what they cannot look at."""
    sys.path.insert(0, str(benches.ROOT / "Bindings/Python/src"))
    import trim_media

    files = list(damaged(clip))
    lines = "".join(json.dumps({"op": "find", "path": str(path)}) + "\n" for path in files)
    rows = subprocess.run([bench.trim, "batch", "--failures", "ok"], input=lines.encode(), capture_output=True,
                          check=False).stdout.splitlines()
    batch = {row["input"]["path"]: row for row in map(json.loads, rows) if row.get("input")}
    print("| file | findings | not examined (s) | not looked for | error |", "|---|---:|---:|---|---|", sep="\n")
    with trim_media.Engine(workers=1, executable=str(bench.trim)) as engine:
        for path in files:
            wanted = stated(bench.trim, path)
            row = batch[str(path)]
            result = row.get("result")
            said = {name: result[name] for name in COLUMNS} if result else {"error": row["error"]["code"]}
            if said != wanted:
                faults.append(f"{path.name}: a batch finds {said} instead of {wanted}"[:600])
            try:
                found = engine.find(path)
                told = [(one.kind, str(one.start), str(one.end)) for one in found.findings]
                told += [(one.track, str(one.start), str(one.end)) for one in found.not_examined]
                told += [(one.kind, one.reason) for one in found.not_looked_for]
            except trim_media.TrimError as error:
                told = error.code
            if told != python_form(wanted):
                faults.append(f"{path.name}: Python finds {told} instead of {wanted}"[:600])
            if "error" not in wanted:
                shown(launched, bench, path, wanted, faults)
            unseen = sum(one["to"]["seconds"] - one["from"]["seconds"] for one in wanted.get("not_examined", []))
            lacks = " ".join(one["kind"] for one in wanted.get("not_looked_for", []))
            print(f"| {path.name} | {len(wanted.get('findings', []))} | {unseen:.2f} | {lacks} | "
                  f"{wanted.get('error', '')} |")


def python_form(wanted):
    if "error" in wanted:
        return wanted["error"]
    values = [(one["kind"], one["from"]["value"], one["to"]["value"]) for one in wanted["findings"]]
    values += [(one["track"], one["from"]["value"], one["to"]["value"]) for one in wanted["not_examined"]]
    return values + [(one["kind"], one["reason"]) for one in wanted["not_looked_for"]]


def shown(launched, bench, path, wanted, faults):
    """What the page lists is what the command finds."""
    with studio(bench.trim, path, "--max-length", "none") as address:
        try:
            page = enter(launched, address,
                         has_pictures=not any(one["kind"] == "black" for one in wanted["not_looked_for"]))
        except Exception as error:
            faults.append(f"{path.name}: the page does not open it: {error}"[:300])
            return
        panel = Panel(page)
        page.keyboard.press("d")
        kinds = {"silence", "black", "still", "scene", "fade"} - {one["kind"] for one in wanted["not_looked_for"]}
        panel.choose(*kinds)
        panel.look()
        for kind in sorted(kinds):
            listed = [f"{clock(one['from'])} – {clock(one['to'])}" for one in wanted["findings"] if one["kind"] == kind]
            if listed:
                panel.show(kind)
                panel.equal(f"{path.name}: the list of {kind}", panel.rows(), listed)
        gaps = page.evaluate("[...document.querySelectorAll('#find .gaps li')].map((one) => one.textContent)")
        panel.equal(f"{path.name}: the gaps that are said", len(gaps), len(wanted["not_examined"]))
        faults += panel.faults + page.faults
        page.close()


def run(bench):
    clip = bench.folder / "clip.mov"
    make_clip(clip)
    faults = []
    with browser() as launched:
        with studio(bench.trim, clip, "--max-length", "none") as address:
            page = enter(launched, address)
            panel = Panel(page)
            lists(panel, bench.trim, clip)
            jumps(panel)
            acts(panel)
            refusals(panel)
            faults += panel.faults + page.faults
        fronts(launched, bench, clip, faults)
        stops(launched, bench, faults)
    print("\n".join(faults) or "all as it should be")
    return 1 if faults else 0
