"""Markers, saved frames and the audio track that is heard, on the studio's page in a real browser."""

import subprocess

from soaking import bench as benches
from soaking.studio_edits import Screen
from soaking.studio_page import browser, enter, studio, wait

ABOUT = "markers, saved frames and other audio tracks on the studio's page (needs playwright)"
COUNT = 1
LENGTH = 18


def make_clip(path):
    """18 s with two audio tracks: a tone, and silence."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30", "-f", "lavfi", "-i",
         "sine=330:sample_rate=48000", "-f", "lavfi", "-i", "anullsrc=r=48000", "-map", "0", "-map", "1",
         "-map", "2", "-t", str(LENGTH), "-c:v", "libx264", "-preset", "veryfast", "-bf", "2", "-g", "60",
         "-c:a", "aac", "-metadata:s:a:1", "language=fra", path], check=True)


def rows(screen):
    return screen.page.evaluate("""() => [...document.querySelectorAll("#marker-rows li")].map((row) =>
      [row.querySelector("button").textContent, row.querySelector("input").value])""")


def markers(screen):
    """Added by key and by button, named, jumped to, deleted and undone."""
    page = screen.page
    screen.click(6)
    screen.keys("c")
    screen.click(12)
    screen.press("Mark")
    screen.equal("two markers", rows(screen), [["0:00:06.000", ""], ["0:00:12.000", ""]])
    screen.keys(";")
    screen.equal("the previous marker", screen.playhead(), "0:00:06.000")
    screen.press("› Next marker")
    screen.equal("the next marker", screen.playhead(), "0:00:12.000")
    screen.press("2 markers")
    page.get_by_role("textbox", name="Name of the marker at 0:00:06.000").fill("goal")
    page.keyboard.press("Tab")
    page.wait_for_timeout(300)
    screen.equal("a marker has its name", rows(screen)[0], ["0:00:06.000", "goal"])
    screen.press("Delete the marker at 0:00:12.000")
    screen.equal("a marker is deleted", len(rows(screen)), 1)
    page.locator("#markers-close").click()
    screen.keys("u")
    screen.equal("undo brings it back", len(rows(screen)), 2)
    screen.keys("C")
    screen.equal("the one at the playhead is deleted by key", rows(screen), [["0:00:06.000", "goal"]])


def frames(screen, folder):
    """The saved frame is the one on screen, as `trim strip` draws it."""
    screen.click(6.04)
    shown = screen.playhead()
    with screen.page.expect_download() as saved:
        screen.keys("f")
    name = saved.value.suggested_filename
    screen.equal("the name of the frame", name, f"clip-{shown.replace(':', '-')}.png")
    found, wanted = folder / "saved.png", folder / "wanted.png"
    saved.value.save_as(found)
    benches.run([screen.trim, "strip", screen.clip, "--from", shown, "--for", "0.01", "--count", "1", "--width",
                 "320", "-o", wanted], 60)
    screen.check("the saved frame is that of trim strip", pixels(found) == pixels(wanted))


def pixels(path):
    return benches.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], 60).out


def loudness(path):
    """The greatest level in dB, as FFmpeg decodes it."""
    done = benches.run(["ffmpeg", "-hide_banner", "-i", path, "-af", "volumedetect", "-f", "null", "-"], 60)
    return float(done.err.split("max_volume:")[1].split()[0])


def tracks(screen, folder):
    """The other track is heard and drawn; the export is the same."""
    page = screen.page
    names = page.locator("#heard option").all_text_contents()
    screen.check(f"both audio tracks are listed: {names}", len(names) == 2 and "fra" in names[1])
    first = page.get_attribute("#track", "data-levels")
    page.select_option("#heard", index=1)
    wait(page, "first => document.getElementById('track').dataset.levels !== first", first)
    screen.check("the page says that the export is not affected",
                 "The export is not affected" in page.text_content("#preview-note"))
    with page.expect_response(lambda reply: "/sounds/" in reply.url and "/segment" in reply.url) as reply:
        screen.keys("Space")
    heard = folder / "heard.mp4"
    heard.write_bytes(reply.value.body())
    screen.check(f"the second track is silent: {loudness(heard)} dB", loudness(heard) < -80)
    page.wait_for_timeout(1500)
    place = page.evaluate("document.querySelector('video[data-front]').currentTime")
    screen.check("it plays", screen.is_playing() and place > 6)
    screen.keys("k")
    page.select_option("#heard", index=0)
    wait(page, "first => document.getElementById('track').dataset.levels === first", first)
    wait(page, "document.querySelector('video[data-front]').src.endsWith('/media')")
    screen.check("the note is gone", not page.locator("#preview-note").is_visible())
    page.select_option("#heard", index=1)
    screen.press("Export")
    page.locator("#done").wait_for(state="visible", timeout=30_000)
    command = folder / "command.mp4"
    benches.run([screen.trim, "cut", screen.clip, "--from", "0", "--to", str(LENGTH), "-o", command], 60)
    written = [path.read_bytes() for path in (folder / "results").iterdir()]
    screen.check("the file is that of trim cut", written == [command.read_bytes()])


def run(bench):
    clip = bench.folder / "clip.mp4"
    make_clip(clip)
    (bench.folder / "results").mkdir()
    with browser() as launched, studio(bench.trim, clip, "--output-folder", bench.folder / "results") as address:
        page = enter(launched, address)
        screen = Screen(page, bench.trim, clip)
        markers(screen)
        frames(screen, bench.folder)
        tracks(screen, bench.folder)
        faults = screen.faults + page.faults
    print("\n".join(faults) or "all as it should be")
    return 1 if faults else 0
