"""Finds silence, black, still pictures, hard cuts and fades in made clips whose every boundary is known, beside ffmpeg's
detectors and PySceneDetect."""

import collections
import json
import re
import subprocess

import numpy

from soaking import bench as benches

ABOUT = "finds silence, black, still pictures, cuts and fades in made clips; beside ffmpeg and PySceneDetect"
COUNT = 125
PATIENCE = 120
WIDTH, HEIGHT = 320, 180
# dBFS, and seconds.
LEVELS, WINDOW, SHORTEST = range(-75, -25, 5), 0.01, 0.03
# How far a fade's ends may be off, in frames: its first and last ones change hardly anything.
FADE_EDGE = 5
VIDEO = {
    "h264.mp4": ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-bf", "2"],
    "hevc.mp4": ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"],
    "mpeg2.ts": ["-c:v", "mpeg2video", "-q:v", "3", "-bf", "2"],
    "vp9.webm": ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "2M"],
    "mpeg4.avi": ["-c:v", "mpeg4", "-q:v", "3"],
    "ffv1.mkv": ["-c:v", "ffv1"],
}
SOUND = {"pcm.wav": ["-c:a", "pcm_s16le"], "flac.flac": ["-c:a", "flac"],
         "aac.m4a": ["-c:a", "aac", "-b:a", "192k"], "opus.mkv": ["-c:a", "libopus", "-b:a", "128k"]}
RATES = ["25", "30000/1001", "24000/1001", "50", "vfr"]
KINDS = ["silence", "black", "still", "scene", "fade"]
# How clips start: their video at zero, all of it later, or the video after the sound.
STARTS = ["zero", "zero", "later", "behind"]
TOOLS = ["trim", "ffmpeg", "ffmpeg, each channel", "scenedetect", "scenedetect, luma"]


def texture(chance):
    """Returns a picture of its own, twice as large as a frame: blotches of a random size, light and contrast."""
    source = numpy.random.default_rng(chance.randrange(1 << 32))
    size = chance.choice([6, 12, 24, 48])
    coarse = source.random((2 * HEIGHT // size + 2, 2 * WIDTH // size + 2))
    fine = numpy.kron(coarse, numpy.ones((size, size)))[:2 * HEIGHT, :2 * WIDTH]
    low = chance.uniform(40, 120)
    return low + fine * chance.uniform(40, 235 - low)


class Scene:
    """A texture that moves; some stand still, and some are fast pans."""

    def __init__(self, chance, moves=True):
        self.texture = texture(chance)
        self.x, self.y = (chance.uniform(-6, 6), chance.uniform(-3, 3)) if moves else (0, 0)

    def frame(self, number):
        # To and fro: a texture has an end.
        x, y = int(bounced(self.x * number, WIDTH)), int(bounced(self.y * number, HEIGHT))
        return self.texture[y:y + HEIGHT, x:x + WIDTH].copy()


def bounced(place, size):
    place = abs(place) % (2 * size)
    return min(place, 2 * size - place)


def grain(pictures, chance, strength):
    """Adds noise to pictures."""
    source = numpy.random.default_rng(chance.randrange(1 << 32))
    return [picture + source.normal(0, strength, picture.shape) for picture in pictures]


def boxed(pictures, bar):
    """Covers the top and the bottom, as a letterbox does."""
    for picture in pictures:
        picture[:bar], picture[HEIGHT - bar:] = 16, 16
    return pictures


def fading(chance):
    """Returns scenes that fade to black or white and back, only one way, or cut to black; and where they fade."""
    pictures, found = [], []
    for _ in range(chance.randint(2, 3)):
        scene, how = Scene(chance), chance.choice(["through", "through", "out", "in", "cut", "flash", "dissolve"])
        part = [scene.frame(place) for place in range(chance.randint(25, 40))]
        level, held = chance.choice([16.0, 16.0, 235.0]), chance.randint(1, 20)
        out, back = chance.randint(8, 40), chance.randint(8, 40)
        at = len(pictures) + len(part)
        if how == "flash":
            part += [numpy.full((HEIGHT, WIDTH), 235.0)] * chance.randint(1, 3)
        elif how == "dissolve":
            other = Scene(chance)
            part += [scene.frame(len(part)) * (1 - share) + other.frame(place) * share
                     for place, share in enumerate(numpy.linspace(0, 1, out))]
        else:
            if how in ("through", "out"):
                part += [level + (scene.frame(len(part)) - level) * (1 - place / out) for place in range(1, out)]
            part += [numpy.full((HEIGHT, WIDTH), level)] * held
            if how in ("through", "in"):
                scene = Scene(chance)
                part += [level + (scene.frame(place) - level) * place / back for place in range(1, back)]
            if how != "cut":
                start = at if how != "in" else at + held
                found.append((start, len(pictures) + len(part) - (held if how == "out" else 0)))
            scene = scene if how == "in" or how == "through" else Scene(chance)
            part += [scene.frame(back + place) for place in range(chance.randint(25, 40))]
        pictures += part
    return grain(pictures, chance, chance.choice([0, 0, 1.5])), found


def film(kind, chance):
    """Returns pictures, and the ranges of frames that are to be found."""
    pictures, found = [], []
    if kind == "fade":
        return fading(chance)
    if kind == "scene":
        for number in range(chance.randint(2, 5)):
            scene, length = Scene(chance), chance.randint(12, 45)
            if number:
                found.append(len(pictures))
            part = [scene.frame(place) for place in range(length)]
            decoy = chance.choice(["none", "none", "flash", "dissolve", "fade"])
            if decoy == "flash" and length > 24:
                at = chance.randint(8, length - 12)
                for place in range(at, at + chance.randint(1, 3)):
                    part[place] = numpy.full((HEIGHT, WIDTH), 230.0)
            elif decoy == "dissolve" and length > 30:
                other, span = Scene(chance), length - 12
                for place in range(6, length):
                    share = min(1, (place - 6) / span)
                    part[place] = part[place] * (1 - share) + other.frame(place) * share
            elif decoy == "fade" and length > 30:
                for place in range(length - 20, length):
                    part[place] = 16 + (part[place] - 16) * (length - place) / 21
            pictures += part
        return grain(pictures, chance, chance.choice([0, 0, 2, 5])), found
    scene = Scene(chance)
    scene.x, scene.y = chance.choice([(4, 1), (-5, 0), (3, -2)])
    for _ in range(chance.randint(1, 3)):
        pictures += [scene.frame(len(pictures) + place) for place in range(chance.randint(15, 40))]
        length = chance.randint(1, 100) if kind == "black" else chance.randint(30, 60)
        found.append((len(pictures), len(pictures) + length))
        held = numpy.full((HEIGHT, WIDTH), 16.0) if kind == "black" else scene.frame(len(pictures))
        pictures += [held.copy() for _ in range(length)]
    pictures += [scene.frame(len(pictures) + place) for place in range(20)]
    if chance.random() < 0.3:
        boxed(pictures, chance.choice([20, 24, 30]))
    return grain(pictures, chance, chance.choice([0, 0, 1.5])), found


def encode(path, pictures, options, rate, start):
    before, beside, after = [], [], []
    if start == "later":
        after = ["-output_ts_offset", "1.3"]
    elif start == "behind":
        before = ["-f", "lavfi", "-i", "sine=440:sample_rate=48000:duration=2", "-itsoffset", "0.64"]
        beside = ["-map", "0", "-map", "1", "-c:a", "pcm_s16le" if path.suffix in (".mkv", ".avi") else "mp2"]
    shown = ["-vf", "settb=1/90000,setpts='(N/25+0.009*sin(N*2.1))/TB'", "-fps_mode", "passthrough",
             "-enc_time_base", "1/90000"] if rate == "vfr" else []
    if rate == "vfr" and path.suffix == ".mp4":
        shown += ["-video_track_timescale", "90000"]
    command = ["ffmpeg", "-v", "error", "-y", *before, "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{WIDTH}x{HEIGHT}",
               "-color_range", "tv", "-r", "25" if rate == "vfr" else rate, "-i", "pipe:0", "-pix_fmt", "yuv420p",
               *options, *beside, *shown, *after, str(path)]
    data = b"".join(numpy.clip(picture, 0, 255).astype(numpy.uint8).tobytes() for picture in pictures)
    return subprocess.run(command, input=data, capture_output=True, timeout=PATIENCE).returncode == 0


def times(path):
    """Returns when the frames are shown, from the start of the file on."""
    out = benches.run(["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
                       "frame=best_effort_timestamp_time:format=start_time", "-of", "json", path], PATIENCE).out
    facts = json.loads(out)
    shown = [float(frame["best_effort_timestamp_time"]) for frame in facts["frames"]]
    return [one - float(facts["format"]["start_time"]) for one in shown]


def trim_found(bench, path, *words):
    result = benches.run([bench.trim, "find", path, "--json", *words], PATIENCE)
    if result.status != 0:
        raise RuntimeError(f"status {result.status}: {result.err[:200]}")
    return json.loads(result.out)


def ffmpeg_log(path, *words):
    return benches.run(["ffmpeg", "-nostdin", "-hide_banner", "-i", path, *words, "-f", "null", "-"], PATIENCE).err


def pairs(log, start, end, last):
    """Returns ranges from a detector's log; the last may be open."""
    starts = [float(one) for one in re.findall(start + r"[=:] ?(-?[\d.]+)", log)]
    ends = [float(one) for one in re.findall(end + r"[=:] ?(-?[\d.]+)", log)]
    return list(zip(starts, ends + [last] * (len(starts) - len(ends))))


def hits(found, wanted, tolerance):
    """Returns how many were found, and how many were found but are not there."""
    left, right = list(found), 0
    for one in wanted:
        near = next((other for other in left if all(abs(a - b) <= tolerance for a, b in zip(one, other))), None)
        if near is not None:
            left.remove(near)
            right += 1
    return right, len(left)


def pictures_cell(bench, kind, number, folder, row):
    chance = bench.chance(number)
    name = list(VIDEO)[number // len(KINDS) % len(VIDEO)]
    rate = chance.choice(RATES if not name.endswith((".avi", ".ts")) else RATES[:-1])
    pictures, found = film(kind, chance)
    path = folder / name
    # AVI cannot start late, and the others hold no sound that begins where it is said to.
    late = STARTS if name.endswith((".mkv", ".ts")) else STARTS[:-1] if not name.endswith(".avi") else ["zero"]
    start = chance.choice(late)
    row |= {"clip": name, "rate": rate, "start": start}
    if not encode(path, pictures, VIDEO[name], rate, start):
        return row | {"skipped": True}
    shown = times(path)
    if len(shown) != len(pictures):
        return row | {"skipped": True}
    near = min(b - a for a, b in zip(shown, shown[1:])) / 2
    end = shown[-1] + near * 2
    moment = [*shown, end]
    if kind == "scene":
        wanted = [(moment[place],) for place in found]
        own = [(one["from"]["seconds"],) for one in trim_found(bench, path, "--scenes")["findings"][1:]]
        log = ffmpeg_log(path, "-vf", "scdet=t=10")
        theirs = {"ffmpeg": [(float(at) - shift(log),) for at in re.findall(r"lavfi.scd.time: ([\d.]+)", log)],
                  **scenedetect(path, shown[0])}
    elif kind == "fade":
        # The first and the last fading frame change hardly anything.
        near *= 2 * FADE_EDGE + 1
        wanted = [(moment[first], moment[last]) for first, last in found]
        own = [(one["from"]["seconds"], one["to"]["seconds"])
               for one in trim_found(bench, path, "--fades")["findings"]]
        theirs = {"scenedetect": faded(path, shown[0], wanted)}
    else:
        wanted = [(moment[start], moment[stop]) for start, stop in found]
        words = ["--black"] if kind == "black" else ["--still", "--still-for", "0.5"]
        own = [(one["from"]["seconds"], one["to"]["seconds"])
               for one in trim_found(bench, path, *words)["findings"]]
        filters = "blackdetect=d=0" if kind == "black" else "freezedetect=d=0.5"
        log = ffmpeg_log(path, "-vf", filters)
        prefix = "black_" if kind == "black" else "freeze_"
        theirs = {"ffmpeg": pairs(log, prefix + "start", prefix + "end", end)}
        if kind == "black":
            theirs["ffmpeg"] = [(float(a), float(b)) for a, b in
                                re.findall(r"black_start:([\d.]+) black_end:([\d.]+)", log)]
        base = shift(log)
        theirs["ffmpeg"] = [(a - base, b - base) for a, b in theirs["ffmpeg"]]
        if kind == "still":
            # Held frames shorter than asked for are none.
            wanted = [one for one in wanted if one[1] - one[0] >= 0.5]
            defined = stills(path, moment)
            row["defined"], row["exact"] = len(defined), hits(own, defined, near)
    row["wanted"] = len(wanted)
    row["trim"] = hits(own, wanted, near)
    row["others"] = {tool: hits(one, wanted, near) for tool, one in theirs.items() if one is not None}
    if row["trim"] != (len(wanted), 0):
        row["findings"] = [[list(one) for one in own], [list(one) for one in wanted]]
    return row


def shift(log):
    """Returns the start of the file's timeline, which ffmpeg's filters keep and trim does not count."""
    found = re.search(r"Duration: [^,]+, start: (-?[\d.]+)", log)
    return float(found[1]) if found else 0.0


def scenedetect(path, first):
    """Returns PySceneDetect's cuts with its defaults, and with those that suit the clips: of luma, and of scenes
    as short as trim's; None where it is not installed or cannot read the file. It counts from the first frame."""
    try:
        from scenedetect import AdaptiveDetector, ContentDetector, detect
        ways = {"scenedetect": ContentDetector(),
                "scenedetect, luma": AdaptiveDetector(luma_only=True, min_scene_len=6)}
        return {name: [(scene[0].get_seconds() + first,) for scene in detect(str(path), way)[1:]]
                for name, way in ways.items()}
    except Exception:
        return {}


def faded(path, first, wanted):
    """Returns a fade for each cut of PySceneDetect's detector of fades: the one that it is in, whatever its ends."""
    try:
        from scenedetect import ThresholdDetector, detect
        cuts = [scene[0].get_seconds() + first for scene in
                detect(str(path), ThresholdDetector(min_scene_len=6, add_final_scene=True))[1:]]
    except Exception:
        return None
    return [next((one for one in wanted if one[0] <= cut <= one[1]), (cut, cut)) for cut in cuts]


def silence_cell(bench, number, folder, row):
    chance = bench.chance(number)
    name = list(SOUND)[number // len(KINDS) % len(SOUND)]
    rate, channels, level = 48_000, chance.choice([1, 2, 6]), chance.choice(LEVELS)
    # All channels together, each by itself, or relative to the loudness.
    way = chance.choice(["all", "all", "each", "loud"])
    source = numpy.random.default_rng(chance.randrange(1 << 32))
    parts = []
    for _ in range(chance.randint(1, 4)):
        loud = 10 ** (chance.uniform(max(-26, level + 10), -6) / 20)
        quiet = chance.choice([0, 10 ** (chance.uniform(level - 40, level - 8) / 20)])
        parts.append(source.normal(0, loud, (int(rate * chance.uniform(0.2, 1.5)), channels)))
        parts.append(source.normal(0, quiet, (int(rate * chance.uniform(0.03, 5)), channels)))
        if way == "each":
            # Another channel goes on.
            parts[-1][:, chance.randrange(channels)] = source.normal(0, loud, len(parts[-1]))
    parts.append(source.normal(0, 0.1, (int(rate * 0.3), channels)))
    sound = numpy.clip(numpy.concatenate(parts), -1, 1)
    path = folder / name
    made = subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "f32le", "-ar", str(rate), "-ac", str(channels), "-i", "pipe:0",
         *SOUND[name], str(path)], input=sound.astype("<f4").tobytes(), capture_output=True, timeout=PATIENCE)
    row |= {"clip": name, "channels": channels, "way": way, "level": level}
    if made.returncode != 0:
        return row | {"skipped": True}
    found = trim_found(
        bench, path, "--silence", "--silence-for", str(SHORTEST), "--channels", "each" if way == "each" else "all",
        "--silence-level", f"loud{level + 10}" if way == "loud" else str(level))
    own = [(one["channel"] or 0, one["from"]["seconds"], one["to"]["seconds"]) for one in found["findings"]]
    out = benches.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-f", "f32le", "-"], PATIENCE).out
    decoded = numpy.frombuffer(out, "<f4").reshape(-1, channels).astype(float)
    if way == "loud":
        level = found["thresholds"]["silence"]["level_dbfs"]
        if not loudness(decoded, rate) - 0.11 <= level - found["thresholds"]["silence"]["below_loudness_db"] \
                <= loudness(decoded, rate) + 0.01:
            raise RuntimeError(f"{level} dBFS is not what {loudness(decoded, rate)} makes")
    apart = [decoded[:, [place]] for place in range(channels)] if way == "each" else [decoded]
    wanted = [(place + (way == "each"), a / rate, b / rate)
              for place, sound in enumerate(apart) for a, b in silences(sound, rate, level)]
    log = ffmpeg_log(path, "-af", f"silencedetect=n={level}dB:d={SHORTEST}" + ":mono=1" * (way == "each"))
    base, end = shift(log), len(decoded) / rate
    theirs = []
    for place in range(len(apart)):
        lines = log if way != "each" or channels == 1 else "\n".join(
            line for line in log.splitlines() if f"channel: {place} " in line)
        theirs += [(place + (way == "each"), a - base, b - base)
                   for a, b in pairs(lines, "silence_start", "silence_end", end)]
    row["wanted"] = len(wanted)
    # A tenth of a sample; another decode may differ in the last bit, and move an edge by one.
    row["trim"] = hits(own, wanted, 1.1 / rate)
    row["exact"] = hits(own, wanted, 0.1 / rate)
    row["others"] = {"ffmpeg, each channel" if way == "each" else "ffmpeg": hits(theirs, wanted, WINDOW)}
    if row["trim"] != (len(wanted), 0):
        row["findings"] = [own, wanted]
    return row


def loudness(sound, rate):
    """The level that a twentieth of the windows above -70 dBFS reach, of the loudest channel."""
    size = -(-rate // 100)
    whole = sound[:len(sound) // size * size].reshape(-1, size, sound.shape[1])
    levels = 10 * numpy.log10(numpy.maximum((whole ** 2).mean(1).max(1), 1e-30))
    levels = numpy.sort(levels[levels >= -70])
    return levels[len(levels) - -(-len(levels) // 20)]


def stills(path, moment):
    """The definition, on decoded frames: no area of 64 in a row differs by more than 7 of 255 from the frame before, nor
    by more than 16 from the first."""
    out = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"],
        stdout=subprocess.PIPE, check=True, timeout=PATIENCE).stdout
    frames = numpy.frombuffer(out, numpy.uint8).reshape(-1, WIDTH * HEIGHT * 3 // 2)[:, :WIDTH * HEIGHT]
    side = WIDTH // 64
    means = frames.reshape(len(frames), HEIGHT // side, side, 64, side).astype(int).sum((2, 4)) // side ** 2
    grids = numpy.clip((means - 16) * 255 // 219, 0, 255)
    runs, first = [], 0
    for place in range(1, len(grids) + 1):
        if place < len(grids) and abs(grids[place] - grids[place - 1]).max() <= 7 \
                and abs(grids[place] - grids[first]).max() <= 16:
            continue
        runs.append((moment[first], moment[place]))
        first = place
    return [(a, b) for a, b in runs if b - a >= 0.5]


def silences(sound, rate, level):
    """The definition, on decoded samples: those in a window of 10 ms in which no channel reaches the level."""
    size = -(-rate // 100)
    total = numpy.cumsum(numpy.vstack([numpy.zeros((1, sound.shape[1])), sound ** 2]), axis=0)
    quiet = ((total[size:] - total[:-size]) < size * 10 ** (level / 10)).all(axis=1)
    runs, start, stop = [], None, None
    for place in numpy.flatnonzero(quiet):
        if start is None or place > stop:
            if start is not None:
                runs.append((start, stop))
            start = place
        stop = place + size
    if start is not None:
        runs.append((start, stop))
    return [(int(a), int(b)) for a, b in runs if b - a >= rate * SHORTEST]


def cell(bench, number, folder):
    kind = KINDS[number % len(KINDS)]
    row = {"kind": kind}
    try:
        if kind == "silence":
            return silence_cell(bench, number, folder, row)
        return pictures_cell(bench, kind, number, folder, row)
    except Exception as error:
        return row | {"failed": f"{type(error).__name__}: {error}"[:300]}


def run(bench):
    rows = benches.Rows("finding")
    counts = collections.defaultdict(collections.Counter)
    for row in bench.cells(lambda number, folder: cell(bench, number, folder)):
        count = counts[row["kind"]]
        if "failed" in row or "findings" in row:
            rows.add(row)
            print(json.dumps(row)[:600])
        if "failed" in row:
            count["failed"] += 1
        elif "skipped" in row:
            count["skipped"] += 1
        else:
            count["clips"] += 1
            for tool, (right, false) in {"trim": row["trim"], **row["others"]}.items():
                count[tool, "right"] += right
                count[tool, "false"] += false
                count[tool, "wanted"] += row["wanted"]
            if "exact" in row:
                count["exact"] += row["exact"][0]
                count["inexact"] += row["exact"][1]
                count["defined"] += row.get("defined", row["wanted"])
    lines = [
        "# Findings", "",
        f"`tools/soak finding --count {bench.count} --seed {bench.seed}`: made clips with known boundaries. Right is "
        "exact to the frame, for silence to the sample by the definition of `trim find` (ffmpeg's: to 10 ms).", "",
        "| kind | tool | clips | to find | right | false |", "|---|---|---:|---:|---:|---:|"]
    for kind, count in counts.items():
        for tool in TOOLS:
            if count[tool, "wanted"]:
                lines.append(f"| {kind} | {tool} | {count['clips']} | {count[tool, 'wanted']} | "
                             f"{count[tool, 'right']} | {count[tool, 'false']} |")
    still = counts["still"]
    if still["defined"]:
        # An encoder changes held frames, visibly by the definition at times.
        lines += ["", f"Still pictures by the definition of `trim find`, on the decoded frames: {still['exact']} of "
                      f"{still['defined']} right, {still['inexact']} false."]
    print("\n".join(lines))
    if bench.only is None:
        bench.write("finding", lines)
    wrong = sum(count["failed"] for count in counts.values())
    wrong += still["defined"] - still["exact"] + still["inexact"]
    for kind in ["silence", "black"]:
        wrong += counts[kind]["trim", "wanted"] - counts[kind]["trim", "right"] + counts[kind]["trim", "false"]
    for kind in ["scene", "fade"]:
        count = counts[kind]
        found = count["trim", "right"] + count["trim", "false"]
        wrong += count["trim", "right"] < 0.98 * max(count["trim", "wanted"], found)
    return 1 if wrong else 0
