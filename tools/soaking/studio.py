"""Tests the studio in Chromium: reads numbered frames from the page, and exports a file in a session."""

import collections
import contextlib
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from soaking.studio_page import (
    CONFIRMED, HIDDEN, KINDS, LENGTH, MANNERS, await_player, browser, drag, enter, make_clip, number, studio,
    wait)

ABOUT = "trim studio in Chromium: correct frames of sixteen kinds of video (needs playwright)"
COUNT = 300


def show_frame(page, frame):
    """Types a frame number as a user does, and waits until the page shows that frame."""
    field = page.locator("#time-in")
    field.fill(f"{frame}f")
    with page.expect_response("**/text"):
        field.press("Enter")
    # The answer is a new state of the session, which arrives before any later one.
    wait(page, "document.getElementById('time-in').dataset.typed === undefined")
    page.wait_for_timeout(120)
    page.keyboard.press("[")
    wait(page, "frame => document.getElementById('still').dataset.frame === String(frame)", arg=frame,
        timeout=10_000)


def frames(bench, launched, folder, chance, count):
    """Shows random frames of every kind of video; yields a row for each."""
    for name, (options, rate) in KINDS.items():
        path = folder / name
        try:
            make_clip(path, options, rate)
        except RuntimeError as error:
            yield {"kind": name, "skipped": str(error)}
            continue
        with studio(bench.trim, path) as address:
            page = enter(launched, address)
            await_player(page)
            if name in MANNERS:
                wanted = "wanted => document.getElementById('screen').dataset.manner === wanted"
                try:
                    wait(page, wanted, arg=MANNERS[name], timeout=20_000)
                except TimeoutError:
                    found = page.evaluate("document.getElementById('screen').dataset.manner")
                    page.faults.append(f"its tracks are delivered as {found}")
            for frame in chance.sample(range(LENGTH - 1 - HIDDEN.get(name, 0)), count):
                try:
                    show_frame(page, frame)
                except Exception as error:
                    yield {"kind": name, "frame": frame, "still": None, "played": False,
                           "faults": [*page.faults, str(error).splitlines()[0]]}
                    continue
                # Chromium cannot start inside some open GOPs: then the still covers its video.
                with contextlib.suppress(Exception):
                    wait(page, CONFIRMED, arg=frame, timeout=3000)
                is_played = page.evaluate(CONFIRMED, frame)
                row = {"kind": name, "frame": frame + HIDDEN.get(name, 0), "still": number(page, "still"),
                       "played": is_played}
                if is_played:
                    row["video"] = number(page, "video")
                row["faults"] = page.faults
                yield row
            page.close()


def session(bench, launched, folder):
    """Runs a first-time user's session up to a correct file; yields what went wrong."""
    clip = folder / "closed.mp4"
    if not clip.exists():
        make_clip(clip, *KINDS["closed.mp4"])
    results = folder / "results"
    results.mkdir(exist_ok=True)
    with studio(bench.trim, clip, "--output-folder", results) as address:
        page = enter(launched, address, is_late=True)
        drag(page, "in", 0.25)
        before = page.locator("#time-out").input_value()
        drag(page, "out", 0.75)
        # The plan may still be that of the first drag.
        wait(page, "before => document.getElementById('time-out').value !== before", arg=before)
        wait(page, "document.getElementById('plan').textContent.includes('copied')")
        page.wait_for_timeout(300)
        start, end = (page.locator(f"#{name}").input_value() for name in ("time-in", "time-out"))
        page.get_by_role("button", name="Undo").click()
        page.get_by_role("button", name="Redo").click()
        wait(page, "end => document.getElementById('time-out').value === end", arg=end)
        page.get_by_role("button", name="Play", exact=True).click()
        wait(page, "document.getElementById('play').getAttribute('aria-pressed')"
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
            yield "the download differs from the written file"
        by_command = folder / "by-command.mp4"
        subprocess.run([bench.trim, "cut", clip, "--from", start, "--to", end, "-f", "-o",
                        by_command], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        if by_command.read_bytes() != written:
            yield "trim cut writes a different file for the same part"
        page.get_by_role("button", name="Export").click()
        page.get_by_role("link", name="Download closed-trimmed-2.mp4").wait_for(timeout=20_000)
        page.reload()
        page.locator("#time-in").wait_for()
        wait(page, "start => document.getElementById('time-in').value === start", arg=start)
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
        print(f"  {kind}: {played[kind]} frames were also shown by the browser's player")
    for fault in faults:
        print(f"  session: {fault}")
    print(f"{counts['right']} frames correct, {counts['wrong']} wrong, {counts['skipped']} kinds "
          f"skipped; the session {'failed' if faults else 'wrote the correct file'}")
    return 1 if wrong or faults else 0
