"""The studio in a real browser: numbered frames read from the page, and sessions to the file."""

import collections
import contextlib
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

ABOUT = "trim studio in Chromium: the right frames, whole sessions, screens (needs playwright)"
COUNT = 300
BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

H264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20"]
SOUND = ["-c:a", "aac", "-b:a", "96k"]
# What a film is called, how it is coded, and frames a second.
KINDS = {
    "closed.mp4": (H264 + ["-g", "50", "-x264-params", "open-gop=0"] + SOUND, "25"),
    "open.mp4": (H264 + ["-g", "50", "-bf", "3", "-x264-params", "open-gop=1"] + SOUND, "25"),
    "ntsc.mp4": (H264 + ["-g", "60", "-bf", "2"] + SOUND, "30000/1001"),
    "h264.mkv": (H264 + ["-g", "50", "-bf", "2"] + SOUND, "25"),
    "opus.webm": (["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "1M",
                   "-g", "50", "-c:a", "libopus"], "25"),
    "av1.mp4": (["-c:v", "libsvtav1", "-preset", "12", "-crf", "30", "-g", "50"] + SOUND, "25"),
    "h264.ts": (H264 + ["-g", "50", "-bf", "2"] + SOUND, "25"),
    "hevc.mp4": (["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none",
                  "-tag:v", "hvc1"] + SOUND, "25"),
    "mpeg2.ts": (["-c:v", "mpeg2video", "-q:v", "3", "-g", "12", "-bf", "2", "-c:a", "mp2"], "25"),
    "ac3.mp4": (H264 + ["-g", "50", "-bf", "2", "-c:a", "ac3"], "25"),
    "mpeg4.avi": (["-c:v", "mpeg4", "-q:v", "3", "-g", "50", "-c:a", "mp3"], "25"),
}
LENGTH = 100


def make_film(path, options, rate):
    from judging import marks
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p",
               "-s", f"{marks.WIDTH}x{marks.HEIGHT}", "-r", rate, "-i", "pipe:0", "-f", "lavfi",
               "-i", f"sine=440:sample_rate=48000:duration={LENGTH / 25}", "-pix_fmt", "yuv420p", *options,
               path]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        for picture in marks.pictures(LENGTH):
            process.stdin.write(picture)
        process.stdin.close()
        if process.wait() != 0:
            raise RuntimeError(f"{path.name} cannot be made here")


@contextlib.contextmanager
def studio(trim, *words):
    """A running studio and its address."""
    process = subprocess.Popen(
        [trim, "studio", "--no-open", "--first-run", *map(str, words)], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def browser():
    from playwright.sync_api import sync_playwright
    with sync_playwright() as playwright:
        path = next((path for path in BROWSERS if Path(path).exists()), None)
        launched = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"])
        try:
            yield launched
        finally:
            launched.close()


def enter(launched, address, **options):
    """A page that shows the editor; what it throws is a fault."""
    page = launched.new_page(**{"viewport": {"width": 1280, "height": 800}, **options})
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.goto(address)
    page.get_by_role("button", name="Start trimming").click(timeout=20_000)
    # A dialog gives the focus back when it closes, and what is typed meanwhile is another field's.
    page.locator("#tutorial").wait_for(state="hidden")
    page.wait_for_function("document.getElementById('still').dataset.frame !== undefined")
    return page


# The picture on top, as it is seen: the engine's still, or what the browser plays.
PIXELS = """([width, height, which]) => {
  const still = document.getElementById("still");
  const front = document.querySelector("video[data-front]");
  const from = which === "video" ? front : still.hidden ? front : still;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  context.drawImage(from, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, 32);
  return Array.from({ length: width * 32 }, (_, i) => data[4 * i + 1]);
}"""


CONFIRMED = """frame => {
  const { player, shown } = document.getElementById("screen").dataset;
  return ["browser", "stream"].includes(player) && shown === String(frame);
}"""


def number(page, which):
    """The number that a picture on the page carries."""
    import numpy as np
    from judging import marks
    green = np.array(page.evaluate(PIXELS, [marks.WIDTH, marks.HEIGHT, which]), np.uint8)
    picture = np.zeros((1, marks.HEIGHT, marks.WIDTH), np.uint8)
    picture[0, :32] = green.reshape(32, marks.WIDTH)
    return int(marks.numbers(picture.astype(float))[0])


def show_frame(page, frame):
    """Types a frame as people do, and waits until the picture says that it is there."""
    field = page.locator("#time-in")
    field.fill(f"{frame}f")
    with page.expect_response("**/text"):
        field.press("Enter")
    # What it means comes back as a state of the session, before anything that is asked for later.
    page.wait_for_function("document.getElementById('time-in').dataset.typed === undefined")
    page.wait_for_timeout(120)
    page.keyboard.press("[")
    page.wait_for_function(
        "frame => document.getElementById('still').dataset.frame === String(frame)", arg=frame,
        timeout=10_000)


def frames(bench, launched, folder, chance, count):
    """Random frames of every kind; yields a row for each."""
    for name, (options, rate) in KINDS.items():
        path = folder / name
        try:
            make_film(path, options, rate)
        except RuntimeError as error:
            yield {"kind": name, "skipped": str(error)}
            continue
        with studio(bench.trim, path) as address:
            page = enter(launched, address)
            page.locator("#screen[data-player]").wait_for(timeout=20_000)
            for frame in chance.sample(range(LENGTH - 1), count):
                try:
                    show_frame(page, frame)
                except Exception as error:
                    yield {"kind": name, "frame": frame, "still": None, "played": False,
                           "faults": [*page.faults, str(error).splitlines()[0]]}
                    continue
                # Chromium is lost in some open GOPs when it begins within them: the still lies over.
                with contextlib.suppress(Exception):
                    page.wait_for_function(CONFIRMED, arg=frame, timeout=3000)
                is_played = page.evaluate(CONFIRMED, frame)
                row = {"kind": name, "frame": frame, "still": number(page, "still"),
                       "played": is_played}
                if is_played:
                    row["video"] = number(page, "video")
                row["faults"] = page.faults
                yield row
            page.close()


def drag(page, handle, share):
    """Moves a handle with the mouse to a share of the timeline."""
    box = page.locator("#track").bounding_box()
    start = page.locator(f"#handle-{handle}").bounding_box()
    y = start["y"] + start["height"] / 2
    x = start["x"] + start["width"] / 2
    target = box["x"] + box["width"] * share
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x + (target - x) * step / 8, y)
    page.mouse.up()


def session(bench, launched, folder):
    """A newcomer from the address to a right file; yields what went wrong."""
    film = folder / "closed.mp4"
    if not film.exists():
        make_film(film, *KINDS["closed.mp4"])
    results = folder / "results"
    results.mkdir(exist_ok=True)
    with studio(bench.trim, film, "--output-folder", results) as address:
        page = enter(launched, address)
        drag(page, "in", 0.25)
        drag(page, "out", 0.75)
        page.wait_for_function("document.getElementById('plan').textContent.includes('copied')")
        start, end = (page.locator(f"#{name}").input_value() for name in ("time-in", "time-out"))
        page.get_by_role("button", name="Undo").click()
        page.get_by_role("button", name="Redo").click()
        page.wait_for_function(
            "end => document.getElementById('time-out').value === end", arg=end)
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_function("document.getElementById('play').getAttribute('aria-pressed')"
                               " === 'true'")
        page.wait_for_timeout(2600)
        page.keyboard.press("k")
        page.get_by_role("button", name="Export").click()
        page.get_by_role("link", name="Download closed-trimmed.mp4").wait_for(timeout=20_000)
        with page.expect_download() as download:
            page.get_by_role("link", name="Download closed-trimmed.mp4").click()
        handed = Path(download.value.path()).read_bytes()
        written = (results / "closed-trimmed.mp4").read_bytes()
        if handed != written:
            yield "the download is another file"
        by_command = folder / "by-command.mp4"
        subprocess.run([bench.trim, "cut", film, "--from", start, "--to", end, "-f", "-o",
                        by_command], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        if by_command.read_bytes() != written:
            yield "trim cut writes another file for the same part"
        page.get_by_role("button", name="Export").click()
        page.get_by_role("link", name="Download closed-trimmed-2.mp4").wait_for(timeout=20_000)
        page.reload()
        page.locator("#time-in").wait_for()
        page.wait_for_function(
            "start => document.getElementById('time-in').value === start", arg=start)
        yield from page.faults
        page.get_by_role("button", name="Quit").click()
        page.get_by_text("The studio has ended.").wait_for()


def run(bench):
    counts = {"right": 0, "wrong": 0, "skipped": 0}
    wrong, played = [], collections.Counter()
    with browser() as launched:
        each = max(1, bench.count // len(KINDS))
        for row in frames(bench, launched, bench.folder, bench.chance(0), each):
            if "skipped" in row:
                counts["skipped"] += 1
                print(f"  {row['kind']}: {row['skipped']}")
                continue
            is_right = row["still"] == row["frame"] == row.get("video", row["frame"])
            is_right = is_right and not row["faults"]
            counts["right" if is_right else "wrong"] += 1
            played[row["kind"]] += row["played"]
            if not is_right:
                wrong.append(row)
                print("  " + json.dumps(row))
        faults = list(session(bench, launched, bench.folder))
    for kind in KINDS:
        print(f"  {kind}: {played[kind]} of its frames were the browser's too")
    for fault in faults:
        print(f"  session: {fault}")
    print(f"{counts['right']} frames right, {counts['wrong']} wrong, {counts['skipped']} kinds "
          f"skipped; the session {'went wrong' if faults else 'ended with the right file'}")
    return 1 if wrong or faults else 0
