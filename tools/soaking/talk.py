"""Removes the silence of made talks whose every word is marked, beside ffmpeg's usual recipe.

A talk is words of noise, which are all different, in a room that is not quite silent; every frame carries its
number. Of the output, each word is looked for by correlation, so that what is counted is what is there: lost
samples, and how far sound and picture are apart."""

import collections
import json
import re
import subprocess

import numpy

from judging import marks
from soaking import bench as benches

ABOUT = "removes the silence of made talks with marked words; beside ffmpeg's silencedetect, select and aselect"
COUNT = 40
PATIENCE = 180
RATE = marks.RATE
# The defaults of both programs, and of trim's margin.
LEVEL, SHORTEST, MARGIN = -40, 0.5, 0.1
# How far a word is looked for from where it should be, in s; beyond, it counts as lost.
REACH = 0.5
# The most that sound and picture may be apart, in s.
APART = 0.001
X264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "24", "-sc_threshold", "0"]
# Lossless sound is compared sample by sample.
KINDS = {
    "h264.mov": (X264, ["-c:a", "pcm_s16le"]),
    "h264.mkv": (X264, ["-c:a", "flac"]),
    "h264.mp4": (X264, ["-c:a", "aac", "-b:a", "160k"]),
    "hevc.mp4": (["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-tag:v", "hvc1"],
                 ["-c:a", "aac", "-b:a", "160k"]),
}
RATES = {"25": (25, 1), "30000/1001": (30000, 1001), "50": (50, 1)}


def talk(chance):
    """Returns the sound, and the first sample and the end of each word."""
    source = numpy.random.default_rng(chance.randrange(1 << 32))
    parts, words, place = [], [], 0

    def add(piece):
        nonlocal place
        parts.append(piece)
        place += len(piece)

    add(numpy.zeros(int(RATE * chance.uniform(0.1, 1.5))))
    for _ in range(chance.randint(5, 9)):
        for _ in range(chance.randint(1, 6)):
            length = int(RATE * chance.uniform(0.08, 0.6))
            shape = numpy.ones(length)
            # Consonants begin and end softly.
            for side in (shape, shape[::-1]):
                soft = int(RATE * chance.uniform(0.005, 0.05))
                side[:soft] *= (1 - numpy.cos(numpy.linspace(0, numpy.pi, soft))) / 2
            word = source.normal(0, 10 ** (chance.uniform(-24, -12) / 20), length)
            words.append((place, place + length))
            add(word * shape)
            add(numpy.zeros(int(RATE * chance.uniform(0.03, 0.25))))
        add(numpy.zeros(int(RATE * chance.uniform(0.4, 2.5))))
    sound = numpy.concatenate(parts)
    sound = sound + source.normal(0, 10 ** (chance.uniform(-75, -52) / 20), len(sound))
    return (numpy.clip(sound, -1, 1) * 32767).round().astype("<i2"), words


def make(path, sound, options, rate, length, group, frames):
    raw = path.with_suffix(".raw")
    raw.write_bytes(sound.tobytes())
    video, audio = options
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s",
               f"{marks.WIDTH}x{marks.HEIGHT}", "-r", rate, "-i", "pipe:0", "-f", "s16le", "-ar", str(RATE), "-ac", "1",
               "-i", raw, *video, "-g", str(group), "-bf", "2", "-t", str(length), *audio, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        for picture in marks.pictures(frames):
            process.stdin.write(bytes(picture))
        process.stdin.close()
        if process.wait(PATIENCE) != 0:
            raise RuntimeError(f"this FFmpeg cannot make {path.name}")


def probed(path, *words):
    return json.loads(benches.run(["ffprobe", "-v", "error", "-of", "json", *words, path], PATIENCE).out)


def pictures(path):
    """Returns the number and the time of every frame."""
    shown = probed(path, "-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp_time")["frames"]
    raw = benches.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough",
                       "-f", "rawvideo", "-pix_fmt", "gray", "-"], PATIENCE).out
    luma = numpy.frombuffer(raw, numpy.uint8).reshape(-1, marks.HEIGHT, marks.WIDTH)
    return list(zip(marks.numbers(luma).tolist(), [float(one["best_effort_timestamp_time"]) for one in shown]))


def heard(path):
    """Returns the decoded samples, and when the first is heard."""
    start = probed(path, "-select_streams", "a:0", "-show_entries", "stream=start_time")["streams"][0]["start_time"]
    raw = benches.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-"],
                      PATIENCE).out
    return numpy.frombuffer(raw, "<f4").astype(float), float(start)


def found(word, sound, near):
    """Returns where a word is in the sound, by correlation around a place, and how like it that is."""
    first = max(0, near - int(REACH * RATE))
    field = sound[first:near + len(word) + int(REACH * RATE)]
    if len(field) < len(word):
        return None, 0
    size = 1 << (len(field) + len(word)).bit_length()
    match = numpy.fft.irfft(numpy.fft.rfft(field, size) * numpy.conj(numpy.fft.rfft(word, size)), size)
    place = int(numpy.argmax(match[:len(field) - len(word) + 1]))
    piece = field[place:place + len(word)]
    return first + place, match[place] / max(1e-12, numpy.linalg.norm(piece) * numpy.linalg.norm(word))


def judged(path, original, words, kept, rate):
    """Returns the words that are not found, the samples of the others that are not theirs, and how far sound and
    picture are apart at most, in ms."""
    sound, start = heard(path)
    frames = pictures(path)
    lost, samples, apart = 0, 0, 0.0
    is_exact = not path.name.endswith("mp4")
    for first, last in words:
        word = original[first:last]
        place, likeness = found(word, sound, int(mapped(first / RATE, kept) * RATE))
        if likeness < 0.7:
            lost += 1
            samples += last - first
            continue
        if is_exact:
            samples += int((abs(sound[place:place + len(word)] - word) > 2 / 32768).sum())
        at = start + place / RATE
        number, time = next(((number, time) for number, time in frames if time >= at and number >= 0), (None, 0))
        if number is not None and time - at < 0.1:
            apart = max(apart, abs(number * rate[1] / rate[0] - (time - at) - first / RATE))
    return lost, samples, round(apart * 1000, 3)


def mapped(time, kept):
    """Returns when an instant of the source is heard in the output."""
    before = 0.0
    for first, last in kept:
        if time < last:
            return before + max(0, time - first)
        before += last - first
    return before


def recipe(clip, output):
    """Cuts as is usual with ffmpeg, with trim's margin; returns what is kept."""
    log = benches.run(["ffmpeg", "-nostdin", "-hide_banner", "-i", clip, "-vn", "-af",
                       f"silencedetect=n={LEVEL}dB:d={SHORTEST}", "-f", "null", "-"], PATIENCE).err
    starts, ends = ([float(one) for one in re.findall(rf"silence_{what}: (-?[\d.]+)", log)] for what in ("start", "end"))
    length = float(probed(clip, "-show_entries", "format=duration")["format"]["duration"])
    kept, place = [], 0.0
    for first, last in zip(starts, ends + [length] * (len(starts) - len(ends))):
        first, last = first + MARGIN if first > 0 else 0, last - MARGIN if last < length else length
        if last <= first:
            continue
        if first > place:
            kept.append((place, first))
        place = last
    if place < length:
        kept.append((place, length))
    chosen = "+".join(f"between(t,{first},{last})" for first, last in kept)
    sound = ["-c:a", "pcm_s16le"] if clip.suffix == ".mov" else ["-c:a", "flac" if clip.suffix == ".mkv" else "aac"]
    done = benches.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", clip, "-vf",
                        f"select='{chosen}',setpts=N/FRAME_RATE/TB", "-af", f"aselect='{chosen}',asetpts=N/SR/TB",
                        "-c:v", "libx264", "-preset", "veryfast", *sound, output], PATIENCE)
    if done.status != 0:
        raise RuntimeError(f"ffmpeg: {done.err[:200]}")
    return kept


def edges(clip, kept, rate):
    """Returns how many frames are in the parts' edges: in GOPs that are in a part only in part."""
    packets = probed(clip, "-select_streams", "v:0", "-show_entries", "packet=pts_time,flags")["packets"]
    keys = sorted(float(one["pts_time"]) for one in packets if "K" in one["flags"])
    times = sorted(float(one["pts_time"]) for one in packets)
    base, length = times[0], rate[1] / rate[0]
    count = 0
    for first, last in kept:
        for key, after in zip(keys, keys[1:] + [times[-1] + length]):
            inside = [time for time in times if key <= time < after and first < time - base + length and time - base < last]
            if first > key - base + 1e-6 or last < after - base - 1e-6:
                count += len(inside)
    return count


def cell(bench, number, folder):
    chance = bench.chance(number)
    name = list(KINDS)[number % len(KINDS)]
    rate = chance.choice(list(RATES))
    row = {"kind": name, "rate": rate, "failed": None}
    try:
        sound, words = talk(chance)
        frames = len(sound) * RATES[rate][0] // (RATE * RATES[rate][1])
        clip, output, theirs = folder / name, folder / f"out-{name}", folder / f"ffmpeg-{name}"
        group = chance.choice([25, 50, 100])
        make(clip, sound, KINDS[name], rate, len(sound) / RATE, group, frames)
        original, begun = heard(clip)
        # What an encoder has left of the words is what can be lost.
        original = numpy.concatenate([numpy.zeros(round(begun * RATE)), original])
        done = benches.run([bench.trim, "cut", clip, "--remove", "silence", "-o", output, "--json"], PATIENCE)
        if done.status != 0:
            return row | {"failed": f"status {done.status}: {done.err[:300]}"}
        made = json.loads(done.out)
        kept = [(one["from"]["seconds"], one["to"]["seconds"]) for one in made["parts"]]
        video = next(one for one in made["tracks"] if one["type"] == "video")
        row |= {"words": len(words), "removed": len(made["found"]["removed"]), "frames": made["frames"],
                "encoded": video["encoded"], "edges": edges(clip, kept, RATES[rate])}
        row["trim"] = judged(output, original, words, kept, RATES[rate])
        # By the plan, too, no sample of a word is removed.
        row["planned"] = sum(max(0, min(last / RATE, end["to"]["seconds"]) - max(first / RATE, end["from"]["seconds"]))
                             for end in made["found"]["removed"] for first, last in words)
        kept = recipe(clip, theirs)
        row["ffmpeg"] = judged(theirs, original, words, kept, RATES[rate])
        if (row["trim"][0] or row["trim"][1] or row["trim"][2] > APART * 1000 or row["planned"]
                or row["encoded"] > row["edges"]):
            row["failed"] = "a word or the sync is lost, or more than edges is encoded"
    except Exception as error:
        row["failed"] = f"{type(error).__name__}: {error}"[:300]
    return row


def run(bench):
    rows, counts = benches.Rows("talk"), collections.Counter()
    apart = collections.defaultdict(list)
    for row in bench.cells(lambda number, folder: cell(bench, number, folder)):
        if row["failed"]:
            rows.add(row)
            print(json.dumps(row)[:600], flush=True)
        counts["failed"] += row["failed"] is not None
        if "ffmpeg" not in row:
            continue
        counts["talks"] += 1
        for what in ["words", "removed", "frames", "encoded"]:
            counts[what] += row[what]
        for tool in ["trim", "ffmpeg"]:
            lost, samples, ms = row[tool]
            counts[tool, "lost"] += lost
            counts[tool, "samples"] += samples
            apart[tool].append(ms)
    encoded = {"trim": counts["encoded"], "ffmpeg": counts["frames"]}
    lines = [
        "# Silence removed from talks", "",
        f"`tools/soak talk --count {bench.count} --seed {bench.seed}`: {counts['talks']} talks with {counts['words']} "
        f"marked words, from which {counts['removed']} silences are removed with a margin of {MARGIN} s; ffmpeg with "
        "`silencedetect`, `select` and `aselect`. A sample is lost if it is not in the output where its word is (in "
        "PCM and FLAC). Apart is how far the sound of a word and the picture are.", "",
        "| tool | words lost | samples lost | apart, median (ms) | apart, most (ms) | frames encoded |",
        "|---|---:|---:|---:|---:|---:|"]
    for tool in ["trim", "ffmpeg"]:
        if apart[tool]:
            share = 100 * encoded[tool] / max(1, counts["frames"])
            lines.append(f"| {tool} | {counts[tool, 'lost']} | {counts[tool, 'samples']} | "
                         f"{numpy.median(apart[tool]):.2f} | {max(apart[tool]):.2f} | {share:.0f} % |")
    print("\n".join(lines))
    if bench.only is None:
        bench.write("talk", lines)
    return 1 if counts["failed"] else 0
