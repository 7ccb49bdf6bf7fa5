"""Checks the studio's page against WCAG 2.2 AA with axe-core."""

import importlib.util
import itertools
import subprocess
import sys
from pathlib import Path

from soaking.studio_page import KINDS, browser, drag, make_clip, studio, wait

ABOUT = "checks the studio's page against WCAG 2.2 AA (needs playwright and axe-playwright-python)"
COUNT = 52
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SIZES = {"screen": (1280, 860), "phone": (390, 844)}


def axe():
    found = importlib.util.find_spec("axe_playwright_python")
    if not found:
        sys.exit("soak: axe-core is missing: pip install axe-playwright-python")
    return (Path(found.submodule_search_locations[0]) / "axe.min.js").read_text()


def check(page, script, place):
    """Returns the violations in what the page shows now."""
    page.wait_for_timeout(300)
    page.evaluate(script)
    result = page.evaluate("rules => axe.run(document, { runOnly: rules })", RULES)
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    faults = [f"{place}: {fault['id']}: {fault['nodes'][0]['html'][:160]}"
              for fault in result["violations"]]
    # WCAG 1.4.10 (Reflow): no scrolling in two directions.
    return faults + ([f"{place}: wider than the window"] if wide else [])


def screens(page):
    """Goes through everything that the page can show; yields the name of each screen."""
    page.get_by_role("button", name="Start trimming").wait_for(timeout=20_000)
    yield "tutorial"
    page.get_by_role("button", name="Start trimming").click()
    wait(page, "document.getElementById('still').dataset.frame !== undefined")
    drag(page, "in", 0.2)
    drag(page, "out", 0.7)
    page.locator("#manner summary").click()
    page.get_by_role("button", name="Add part").click()
    yield "editor"
    page.get_by_role("button", name="Keys").click()
    yield "keys"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Mark", exact=True).click()
    page.get_by_role("button", name="1 marker").click()
    yield "markers"
    page.keyboard.press("Escape")
    page.locator("#manner summary").click()
    for button in ["Open…", "Choose folder…", "List…"]:
        page.get_by_role("button", name=button).click()
        page.get_by_role("dialog").wait_for(timeout=20_000)
        yield button.strip("…").lower()
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Find…").click()
    yield "wishes"
    page.locator("#find").get_by_role("button", name="Find", exact=True).click()
    page.locator("#find-rows li").first.wait_for(timeout=20_000)
    yield "findings"
    page.locator("#find").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Preview").click()
    page.locator("#result-play:enabled").wait_for(timeout=20_000)
    yield "result"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Export").click()
    page.locator("#done").wait_for(timeout=20_000)
    yield "export"
    page.locator("#limit").fill("nonsense")
    page.locator("#limit").press("Enter")
    yield "refusal"


def sound(page):
    """What is different without pictures."""
    page.get_by_role("button", name="Start trimming").click(timeout=20_000)
    wait(page, "document.getElementById('track').dataset.levels !== undefined")
    drag(page, "in", 0.2)
    yield "sound"


def make_sound(path):
    """Sound alone, in two tracks, of which either can be heard."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=300:duration=4", "-f", "lavfi", "-i",
         "sine=500:duration=4", "-map", "0", "-map", "1", "-c:a", "aac", path], check=True)


def run(bench):
    script = axe()
    clip = bench.folder / "closed.mp4"
    make_clip(clip, *KINDS["closed.mp4"])
    heard = bench.folder / "sound.m4a"
    make_sound(heard)
    faults, count = [], 0
    with browser() as launched:
        for scheme in ["light", "dark"]:
            for size, work in itertools.product(SIZES, [screens, sound]):
                width, height = SIZES[size]
                with studio(bench.trim, clip if work is screens else heard, "--output-folder", bench.folder) as address:
                    # The page's content security policy blocks other scripts.
                    context = launched.new_context(
                        viewport={"width": width, "height": height}, color_scheme=scheme,
                        bypass_csp=True, reduced_motion="reduce")
                    page = context.new_page()
                    page.goto(address)
                    for name in work(page):
                        count += 1
                        faults += check(page, script, f"{scheme} {size} {name}")
                    context.close()
    for fault in faults:
        print(f"  {fault}")
    print(f"{count} screens checked, {len(faults)} violations")
    bench.write("studio-access", [
        "# The studio's page and WCAG 2.2 AA", "",
        f"`tools/soak studio_access`: {count} screens (light and dark, desktop and phone size) "
        f"checked with axe-core, {len(faults)} violations."])
    return 1 if faults else 0
