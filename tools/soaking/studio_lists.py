"""Lists and projects on the studio's page in a real browser: imported, exported, saved, and opened again."""

import json
import subprocess
from fractions import Fraction

from soaking import bench as benches
from soaking.studio_edits import STATE
from soaking.studio_page import browser, enter, studio, wait

ABOUT = "imports and exports lists, saves and opens projects on the studio's page (needs playwright)"
COUNT = 1
LISTS = {
    "cuts.edl": b"1\t2.5\t3\n5 6 0\n7 8 1\n9.5 2\n20 30 0\n",
    "kept.csv": "1,2,äß\n8,9.5,end\n".encode(),
    "bad.edl": b"1 2 0\n3 2 0\n",
    "wrong.csv": b"1,2,a\n3,4,\xff\n",
}


def make_clip(path):
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=12", "-f", "lavfi", "-i",
         "sine=330:d=12", "-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-c:a", "aac", path], check=True)


class Dialog:
    def __init__(self, page, folder):
        self.page, self.folder, self.faults = page, folder, []

    def equal(self, what, found, wanted):
        if found != wanted:
            self.faults.append(f"{what}: {found!r} instead of {wanted!r}")

    def open(self):
        self.page.keyboard.press("I")
        self.page.locator("#lists").wait_for(state="visible")

    def close(self):
        self.page.locator("#lists").get_by_role("button", name="Close").click()

    def told(self):
        wait(self.page, "document.querySelector('#list-said').textContent.match(/:/) "
             "|| document.querySelector('#list-bad').textContent")
        self.page.wait_for_timeout(300)
        return (self.page.text_content("#list-said"), self.page.text_content("#list-bad"),
                self.page.locator("#list-notes li").all_text_contents())

    def take(self, name, adds=False):
        self.page.set_input_files("#list-file", self.folder / name)
        self.page.locator("#lists").get_by_label("after the parts" if adds else "in place of the parts").check()
        self.page.click("#list-import")
        return self.told()

    def parts(self):
        return self.page.evaluate(STATE)


def lists(dialog, trim):
    page = dialog.page
    whole = dialog.parts()
    dialog.open()
    said, bad, notes = dialog.take("cuts.edl")
    dialog.equal("what was read", (said, bad),
                 ("Imported: 3 parts, 1 marker (EDL of comskip, Kodi and MPlayer).", ""))
    dialog.equal("what was left out", [note[:20] for note in notes], ["left out: line 3: it", "does not fit: parts["])
    dialog.equal("the parts", len(dialog.parts()), 3)
    dialog.take("kept.csv", adds=True)
    dialog.equal("the parts with more", len(dialog.parts()), 5)
    page.locator("#lists").get_by_role("button", name="Undo").click()
    page.locator("#lists").get_by_role("button", name="Undo").click()
    page.wait_for_timeout(300)
    dialog.equal("two steps undo both", dialog.parts(), whole)
    for name, place in {"bad.edl": "line 2", "wrong.csv": "line 2: it is not UTF-8"}.items():
        _, bad, _ = dialog.take(name)
        if place not in bad:
            dialog.faults.append(f"{name}: refused with {bad!r}")
        dialog.equal(f"{name} changes nothing", dialog.parts(), whole)
    dialog.take("cuts.edl")
    for format_id, count in {"edl": 2, "otio": 3, "mpv": 3, "trim": 3}.items():
        page.select_option("#list-format", format_id)
        with page.expect_download() as download:
            page.click("#list-export")
        path = dialog.folder / f"exported-{format_id}-{download.value.suggested_filename}"
        download.value.save_as(path)
        shown = json.loads(benches.run([trim, "list", "show", "--json", path], 60).out)
        dialog.equal(f"the parts of {path.name}", len(shown["parts"]), count)
        dialog.equal(f"the end of the first part of {path.name}",
                     Fraction(shown["parts"][0]["to"]["value"]), Fraction(5, 2) if count == 2 else Fraction(1))
    dialog.close()


def saves(dialog):
    """The project is saved beside the output, under a name that stays."""
    dialog.open()
    for _ in range(2):
        dialog.page.click("#project-save")
        said, bad, _ = dialog.told()
        dialog.equal("where the project is", (said, bad), (f"Saved: {dialog.folder}/clip-trimmed.trimproject", ""))
    dialog.close()


def run(bench):
    clip = bench.folder / "clip.mp4"
    make_clip(clip)
    for name, content in LISTS.items():
        (bench.folder / name).write_bytes(content)
    faults = []
    with browser() as launched:
        with studio(bench.trim, clip, "--max-length", "none") as address:
            dialog = Dialog(enter(launched, address), bench.folder)
            lists(dialog, bench.trim)
            saves(dialog)
            parts = dialog.parts()
            faults += dialog.faults + dialog.page.faults
        with studio(bench.trim, bench.folder / "clip-trimmed.trimproject", "--max-length", "none") as address:
            dialog = Dialog(enter(launched, address), bench.folder)
            dialog.equal("the parts of the opened project", dialog.parts(), parts)
            dialog.page.keyboard.press("u")
            dialog.page.wait_for_timeout(300)
            dialog.equal("one step undoes them", len(dialog.parts()), 1)
            faults += dialog.faults + dialog.page.faults
    print("\n".join(faults) or "all as it should be")
    return 1 if faults else 0
