"""Runs a studio in a real browser, reads from its page, and makes the clips that are shown there."""

import contextlib
import subprocess
import sys
import time
from pathlib import Path

BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

H264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20"]
SOUND = ["-c:a", "aac", "-b:a", "96k"]
# The name, encoder options and frame rate of each clip.
KINDS = {
    "closed.mp4": (H264 + ["-g", "50", "-x264-params", "open-gop=0"] + SOUND, "25"),
    "open.mp4": (H264 + ["-g", "50", "-bf", "3", "-x264-params", "open-gop=1"] + SOUND, "25"),
    "ntsc.mp4": (H264 + ["-g", "60", "-bf", "2"] + SOUND, "30000/1001"),
    "h264.mkv": (H264 + ["-g", "50", "-bf", "2"] + SOUND, "25"),
    "opus.webm": (["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "1M",
                   "-g", "50", "-c:a", "libopus"], "25"),
    "av1.mp4": (["-c:v", "libsvtav1", "-preset", "12", "-crf", "30", "-g", "50"] + SOUND, "25"),
    "h264.ts": (H264 + ["-g", "50", "-bf", "2"] + SOUND, "25"),
    "joined.ts": (H264 + ["-g", "50", "-bf", "2"] + SOUND, "25"),
    "hevc.mp4": (["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none",
                  "-tag:v", "hvc1"] + SOUND, "25"),
    "mpeg2.ts": (["-c:v", "mpeg2video", "-q:v", "3", "-g", "12", "-bf", "2", "-c:a", "mp2"], "25"),
    "ac3.mp4": (H264 + ["-g", "50", "-bf", "2", "-c:a", "ac3"], "25"),
    "h264.avi": (H264 + ["-g", "50", "-bf", "2", "-c:a", "mp3"], "25"),
    "mpeg4.avi": (["-c:v", "mpeg4", "-q:v", "3", "-g", "50", "-c:a", "mp3"], "25"),
    "edits.mp4": (H264 + ["-g", "50", "-bf", "2"] + SOUND, "25"),
    "vfr.mp4": (H264 + ["-g", "50", "-bf", "2", "-vf",
                        "settb=1/90000,setpts='(N/25+0.009*sin(N*2.1))/TB'", "-fps_mode",
                        "passthrough", "-enc_time_base", "1/90000", "-video_track_timescale",
                        "90000"] + SOUND, "25"),
    "rotated.mp4": (H264 + ["-g", "50", "-bf", "2", "-vf", "hflip,vflip"] + SOUND, "25"),
}
# The number of frames that an edit list hides, which is the number of the first frame shown.
HIDDEN = {"edits.mp4": 12}
# Options for a copy of a clip's packets, before and after the input name; the first ones that this
# FFmpeg supports are used.
COPIES = {
    "edits.mp4": [(["-ss", "0.48"], [])],
    "rotated.mp4": [(["-display_rotation", "180"], []), ([], ["-metadata:s:v:0", "rotate=180"])],
}
# How Chromium gets the video and audio of files that it cannot open: copied or re-encoded ("made").
MANNERS = {
    "h264.ts": "copied copied", "joined.ts": "copied made", "hevc.mp4": "made copied",
    "mpeg2.ts": "made made", "ac3.mp4": "copied made", "h264.avi": "copied copied", "mpeg4.avi": "made copied",
}
LENGTH = 100


def make_clip(path, options, rate):
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
            raise RuntimeError(f"this FFmpeg cannot make {path.name}")
    if path.name in COPIES:
        copy(path, COPIES[path.name])
    if path.name == "joined.ts":
        join_halves(path)


def join_halves(path):
    """Splits a clip and concatenates its halves, each with timestamps from 0."""
    part = path.with_name("half-%d.ts")
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-c", "copy", "-f", "segment",
                    "-segment_times", str(LENGTH / 50), "-reset_timestamps", "1", part], check=True)
    halves = [path.with_name(part.name % number) for number in range(2)]
    path.write_bytes(b"".join(half.read_bytes() for half in halves))


def copy(path, ways):
    whole = path.with_stem(path.stem + "-whole")
    path.rename(whole)
    for before, behind in ways:
        words = ["ffmpeg", "-v", "error", "-y", *before, "-i", whole, "-c", "copy", *behind, path]
        if subprocess.run(words, stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return
    raise RuntimeError(f"this FFmpeg cannot make {path.name}")


@contextlib.contextmanager
def serving(trim, *words):
    """Runs a studio; yields its process ID and address."""
    process = subprocess.Popen(
        [trim, "studio", "--no-open", "--first-run", *map(str, words)], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)
    try:
        yield process.pid, process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def studio(trim, *words):
    """Runs a studio; yields its address."""
    with serving(trim, *words) as (_, address):
        yield address


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


def wait(page, expression, arg=None, timeout=30_000):
    """Waits until an expression is true on the page.

    It polls from outside: the page's content security policy forbids evaluating strings inside it."""
    deadline = time.monotonic() + timeout / 1000
    while not page.evaluate(expression, arg):
        if time.monotonic() > deadline:
            raise TimeoutError(f"timed out waiting for: {expression}")
        page.wait_for_timeout(20)


def enter(launched, address, *, is_late=False, has_pictures=True, **options):
    """Opens a page that shows the editor; collects the errors that it throws in `faults`.

    `is_late` delays the page's own code until the browser has the video."""
    page = launched.new_page(**{"viewport": {"width": 1280, "height": 800}, **options})
    if is_late:
        page.route("**/player.js", lambda route: (time.sleep(1), route.continue_()))
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.goto(address)
    page.get_by_role("button", name="Start trimming").click(timeout=60_000)
    # A closing dialog restores the focus, so text typed before that would go to another field.
    page.locator("#tutorial").wait_for(state="hidden")
    if has_pictures:
        wait(page, "document.getElementById('still').dataset.frame !== undefined")
    return page


def await_player(page):
    """Waits until the page knows who plays the file; reloads it once, and says in what state it was."""
    has_player = "document.getElementById('screen').dataset.player !== undefined"
    try:
        wait(page, has_player, timeout=20_000)
    except TimeoutError:
        print("  no player after 20 s:", page.evaluate(STATE), *page.faults, file=sys.stderr)
        page.reload()
        wait(page, has_player, timeout=20_000)


STATE = """(() => {
  const { readyState, networkState, currentTime, seeking, paused, error } = document.getElementById("video");
  return JSON.stringify({ readyState, networkState, currentTime, seeking, paused, error: error?.message,
    visible: document.visibilityState });
})()"""


# The visible picture (the engine's still, else the browser's video), or the video alone.
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
    """Reads the frame number from a picture on the page."""
    from judging import marks
    return picture_number(page.evaluate(PIXELS, [marks.WIDTH, marks.HEIGHT, which]))


def picture_number(green):
    """Decodes the frame number from what PIXELS returns."""
    import numpy as np
    from judging import marks
    green = np.array(green, np.uint8)
    picture = np.zeros((1, marks.HEIGHT, marks.WIDTH), np.uint8)
    picture[0, :32] = green.reshape(32, marks.WIDTH)
    return int(marks.numbers(picture.astype(float))[0])


def drag(page, handle, share):
    """Drags a handle with the mouse to a fraction of the timeline."""
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
