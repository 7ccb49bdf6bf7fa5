"""Measures how quickly the studio's page responds in a real browser, and compares it with targets."""

import random
import re
import statistics
import sys
import time
from pathlib import Path

from .clips import AAC, CACHE, H264, HEVC, ffmpeg

SEEKS = 30
STARTS = 3
REST = 1500  # ms
LOOPS = 5
# File name and minutes. The browser opens H.264 in MP4 itself, receives the packets of transport streams,
# and receives HEVC, which Debian's Chromium does not decode, as pictures of all frames.
CLIPS = [("studio-10.mp4", 10), ("studio-120.mp4", 120), ("studio-10.ts", 10), ("studio-120.ts", 120),
         ("studio-10.hevc.mp4", 10), ("studio-120.hevc.mp4", 120)]
# Targets in milliseconds; memory in MiB.
WISHED = {"seek": 100, "start": 500, "made start": 1000, "strip": 1000, "loop gap": 67,
          "result": 1000, "memory": 250}

WATCH = """() => {
  const found = {};
  const look = () => {
    const still = document.getElementById("still");
    const front = document.querySelector("video[data-front]");
    if (!found.still && still?.dataset.frame !== undefined) found.still = performance.now();
    if (!found.playable && front?.readyState >= 3) found.playable = performance.now();
    if (!(found.still && found.playable)) requestAnimationFrame(look);
  };
  look();
  window.found = found;
}"""

SEEK = """async (frame) => {
  const still = document.getElementById("still");
  const screen = document.getElementById("screen");
  const begun = performance.now();
  fetch("/files/0/text", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ purpose: "playhead", text: `${frame}f` }),
  });
  const wanted = String(frame);
  while (performance.now() - begun < 5000) {
    const isOver = !still.hidden && still.dataset.frame === wanted;
    if (isOver || screen.dataset.shown === wanted) return performance.now() - begun;
    await new Promise(requestAnimationFrame);
  }
  return null;
}"""

# The times from the last frame of one pass to the first of the next, while a second repeats.
LOOP = """(count) => new Promise((resolve) => {
  const times = [];
  const videos = document.querySelectorAll("#screen video");
  for (const video of videos) {
    const see = (now, { mediaTime }) => {
      if (!video.paused && video.hasAttribute("data-front")) times.push([now, mediaTime]);
      video.requestVideoFrameCallback(see);
    };
    video.requestVideoFrameCallback(see);
  }
  setTimeout(() => {
    const gaps = [];
    times.sort((a, b) => a[0] - b[0]);
    for (let i = 1; i < times.length; i++)
      if (times[i][1] < times[i - 1][1] - 0.5) gaps.push(times[i][0] - times[i - 1][0]);
    resolve(gaps);
  }, count * 1000 + 700);
})"""


def clip(name, minutes):
    """Makes a minute of 1080p30 with audio, repeated as often as needed by copying packets."""
    path = CACHE / name
    if not path.exists():
        is_hevc = ".hevc." in name
        minute = CACHE / ("studio-minute.hevc.mp4" if is_hevc else "studio-minute.mp4")
        if not minute.exists():
            print("bench: making a minute of 1080p (once)", file=sys.stderr)
            ffmpeg("-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=30", "-f", "lavfi", "-i",
                   "sine=r=48000", "-t", 60, *(HEVC if is_hevc else H264), "-b:v", "4M", *AAC, output=minute)
        ffmpeg("-stream_loop", minutes - 1, "-i", minute, "-c", "copy", output=path)
    return path


def memory(root):
    """Returns the peak resident set of a process, and the sum of those of its descendants, in MiB."""
    def peak(process):
        found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
        return int(found[1]) / 1024 if found else 0

    def children(process):
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield int(child)
                yield from children(child)

    return peak(root), sum(peak(child) for child in children(root))


# Milliseconds from requesting the result of a cut until it can play.
RESULT = """async () => {
  const begun = performance.now();
  const isReady = () => [...document.querySelectorAll("#result video")]
    .some((video) => video.hasAttribute("data-front") && video.readyState >= 3);
  document.getElementById("preview").click();
  while (!isReady() || document.getElementById("result-play").disabled) {
    if (performance.now() - begun > 120000) return null;
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - begun;
}"""


def measure_result(page, seconds):
    """Returns how long the result of a cut takes to play: all but a second at each end, cut within GOPs."""
    for name, time in (("out", f"{seconds - 1.04:.2f}"), ("in", "1.04")):
        page.locator(f"#time-{name}").fill(time)
        page.locator(f"#time-{name}").press("Enter")
        page.wait_for_timeout(800)
    return page.evaluate(RESULT)


def start(launched, address):
    """Opens a studio's page; returns it, and how long each part of it took to appear, in milliseconds."""
    # The page's own policy would block our scripts.
    page = launched.new_page(viewport={"width": 1280, "height": 800}, bypass_csp=True)
    page.add_init_script(f"addEventListener('DOMContentLoaded', {WATCH})")
    # What the browser does for a new window is not the studio's time.
    page.wait_for_timeout(REST)
    page.goto(address)
    # Polling a page slows it down.
    page.wait_for_timeout(REST)
    page.wait_for_function("window.found.still && window.found.playable", timeout=60_000)
    found = page.evaluate("window.found")
    page.wait_for_function(
        "performance.getEntriesByType('resource').some((e) => e.name.includes('/strip?')"
        " && e.responseEnd > 0)", timeout=60_000)
    found["strip"] = page.evaluate(
        "Math.min(...performance.getEntriesByType('resource')"
        ".filter((e) => e.name.includes('/strip?')).map((e) => e.responseEnd))")
    return page, found


ALONE = """<!doctype html><video id="video" muted preload="auto" src="{}"></video><script>
  const look = () => {{
    if (video.readyState >= 3) window.playable = performance.now();
    else requestAnimationFrame(look);
  }};
  look();
</script>"""


def measure_alone(launched, path):
    """Returns how long the browser takes to open a file on an otherwise empty page, in milliseconds."""
    html = path.with_suffix(".html")
    html.write_text(ALONE.format(path.name))
    times = []
    for _ in range(STARTS):
        page = launched.new_page(viewport={"width": 1280, "height": 800})
        page.wait_for_timeout(REST)
        page.goto(html.as_uri())
        page.wait_for_timeout(REST)
        page.wait_for_function("window.playable", timeout=60_000)
        times.append(page.evaluate("window.playable"))
        page.close()
    return statistics.median(times)


def measure_clip(launched, studios, path):
    """Measures one file; start times are medians over several studios, each started anew."""
    starts = []
    for _ in range(STARTS - 1):
        with studios() as (_, address):
            page, found = start(launched, address)
            starts.append(found)
            page.close()
    with studios() as (process, address):
        page, found = start(launched, address)
        starts.append(found)
        row = {"clip": path.name}
        for name in found:
            row[name] = statistics.median(one[name] for one in starts)
        page.get_by_role("button", name="Start trimming").click(timeout=60_000)
        frames = page.evaluate(
            "Number(document.getElementById('handle-out').getAttribute('aria-valuemax'))") * 30
        chance = random.Random(7)
        times = []
        for _ in range(SEEKS):
            times.append(page.evaluate(SEEK, chance.randrange(int(frames) - 60)))
        known = sorted(time for time in times if time is not None)
        row["seek"] = statistics.median(known) if known else None
        row["slow seek"] = known[int(len(known) * 0.9)] if known else None
        row["lost"] = times.count(None)
        page.locator("#time-in").fill("20")
        page.locator("#time-in").press("Enter")
        page.locator("#time-out").fill("21")
        page.locator("#time-out").press("Enter")
        page.wait_for_timeout(800)
        page.keyboard.press("Space")
        gaps = page.evaluate(LOOP, LOOPS)
        page.keyboard.press("k")
        row["loop gap"] = max(gaps) if gaps else None
        row["passes"] = len(gaps)
        # The result of a transport stream has different bytes, and must be written before it can play.
        if path.suffix == ".mp4":
            row["alone"] = measure_alone(launched, path)
            row["result"] = measure_result(page, frames / 30)
        row["server"], row["sealed"] = memory(process)
        page.close()
    return row


def measure_studio(trim):
    """Measures the studio, file by file."""
    from soaking.studio_page import browser, serving
    rows = []
    with browser() as launched:
        for name, minutes in CLIPS:
            began = time.monotonic()
            path = clip(name, minutes)
            rows.append(measure_clip(
                launched, lambda path=path: serving(trim, "--max-length", "none", path), path))
            print(f"bench: studio, {name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    return rows


def studio_lines(rows):
    yield (f"{'studio':15} {'playable':>9} {'alone':>9} {'picture':>9} {'strip':>9} {'seek':>9} {'9 in 10':>9} "
           f"{'loop gap':>9} {'result':>9} {'server':>9} {'sealed':>9}")

    def figure(value, limit):
        if value is None:
            return f"{'none':>9}"
        return f"{value:8.0f}{' ' if limit is None or value <= limit else '!'}"

    for row in rows:
        start = WISHED["made start" if row["clip"].endswith(".ts") else "start"]
        yield " ".join([
            f"{row['clip']:15}", figure(row["playable"], start), figure(row.get("alone"), None),
            figure(row["still"], start),
            figure(row["strip"], WISHED["strip"]), figure(row["seek"], WISHED["seek"]),
            figure(row["slow seek"], None), figure(row["loop gap"], WISHED["loop gap"]),
            figure(row.get("result"), WISHED["result"]), figure(row["server"], WISHED["memory"]), figure(row["sealed"], None)])
    yield ("  ms from opening the page (alone: a page with nothing but the file), from requesting a frame "
           "to seeing it (seek), between the passes of a loop, and from requesting the result of all but "
           "two seconds until it plays; MiB of the server and of its sealed processes; ! is above target")
