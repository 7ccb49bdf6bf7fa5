"""Cuts HE-AAC at random times, and compares its bands with those of a decode from the beginning: a decoder
has no upper band until it has read a header that only some packets carry (ISO 14496-3, 4.4.2.8)."""

import collections
import json
import subprocess

import numpy

from soaking import bench as benches
from soaking import clips

ABOUT = "cuts HE-AAC at random times: its bands are those of a decode from the beginning"
COUNT = 200
PATIENCE = 120
# In seconds, dBFS and dB.
WINDOW = 0.05
FLOOR = -60
MOST = 1.0
# The decoder's noise depends on how many packets it has decoded since the first header, modulo 16 (ISO/IEC
# 14496-3, 4.6.18.7.6). A player of copied packets begins elsewhere, which no container can express.
MOST_COPIED = 1.5
# A packet of 2048 samples at 32 kHz, and what the filter bank delays.
PACKET = 0.065
# Each: the extension, options, and whether the container hides what the decoder needs before IN.
KINDS = [
    (".wav", [], True), (".mp4", [], True), (".mov", [], True), (".flac", [], True),
    ("-join.wav", ["--join"], True), (".ts", [], False), (".mka", [], False), (".aac", [], False),
]


def output_of(*words):
    result = subprocess.run([str(word) for word in words], capture_output=True, timeout=PATIENCE)
    return result.stdout if result.returncode == 0 else b""


def shape(path):
    """Returns rate and channels of the first audio stream as decoded; None where it is not HE-AAC."""
    out = output_of("ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries",
                    "stream=profile,sample_rate,channels", "-of", "json", path)
    found = json.loads(out or b"{}").get("streams") or [{}]
    if not found[0].get("profile", "").startswith("HE-AAC"):
        return None
    return int(found[0]["sample_rate"]), int(found[0]["channels"])


def decoded(path, rate, channels):
    """Returns the samples of a file, with its edits applied, clipped as 16-bit samples are."""
    out = output_of("ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:a:0", "-ar", rate, "-ac",
                    channels, "-f", "s16le", "-")
    return numpy.frombuffer(out, "<i2").reshape(-1, channels) / 32768


def levels(sound, rate):
    """Returns the levels in dBFS of the third-octave bands from 1 kHz on, by window."""
    size = int(rate * WINDOW)
    frames = sound[:len(sound) // size * size].reshape(-1, size, sound.shape[1])
    window = numpy.hanning(size)[:, None]
    power = (numpy.abs(numpy.fft.rfft(frames * window, axis=1)) ** 2).mean(axis=2)
    power *= 4 / size / (window ** 2).sum()
    hertz = numpy.fft.rfftfreq(size, 1 / rate)
    bands, center = [], 1000.0
    while center * 2 ** (1 / 6) < rate / 2:
        inside = (hertz >= center * 2 ** (-1 / 6)) & (hertz < center * 2 ** (1 / 6))
        bands.append(power[:, inside].sum(axis=1))
        center *= 2 ** (1 / 3)
    return 10 * numpy.log10(numpy.array(bands).T + 1e-12)


def place(part, whole, near, rate):
    """Returns the sample of the whole where a part begins: the one with the least difference, near another."""
    skip = len(part) // 3
    piece = part[skip:].mean(axis=1)
    low = max(0, near + skip - int(0.15 * rate))
    field = whole[low:near + skip + len(piece) + int(0.15 * rate)].mean(axis=1)
    count = len(field) - len(piece) + 1
    if count < 1:
        return near
    size = 1 << (len(field) + len(piece)).bit_length()
    match = numpy.fft.irfft(numpy.fft.rfft(field, size) * numpy.conj(numpy.fft.rfft(piece, size)), size)
    power = numpy.concatenate([[0], numpy.cumsum(field ** 2)])
    return low + int(numpy.argmin(power[len(piece):] - power[:count] - 2 * match[:count])) - skip


def deviations(part, whole, start, rate):
    """Returns by how much bands that are heard differ most in each window."""
    there = whole[max(0, start):][:len(part)]
    own, true = levels(part[:len(there)], rate), levels(there, rate)
    return numpy.where(true > FLOOR, numpy.abs(own - true), 0).max(axis=1, initial=0)


def is_continuous(path):
    """Returns whether packets follow each other: where they do not, a cut fills gaps that a decode closes."""
    out = output_of("ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries",
                    "packet=pts_time,duration_time", "-of", "csv=p=0", path)
    times = [line.split(",")[:2] for line in out.decode().split()]
    if any("N/A" in pair for pair in times):
        return False
    times = [(float(start), float(length)) for start, length in times]
    return all(abs(one[0] + one[1] - after[0]) < 0.002 for one, after in zip(times, times[1:]))


def sources(folder):
    """Returns every film with HE-AAC, and its sound without gaps in MP4 and MPEG-TS."""
    found = []
    for name, path in clips.all_clips(largest=1 << 40):
        if not (known := shape(path)):
            continue
        if is_continuous(path):
            found.append((name, path, *known))
        frames = folder / f"{len(found)}.aac"
        output_of("ffmpeg", "-v", "error", "-i", path, "-map", "0:a:0", "-c", "copy", frames)
        for ending in (".m4a", ".ts"):
            wrapped = frames.with_suffix(ending)
            output_of("ffmpeg", "-v", "error", "-i", frames, "-c", "copy", wrapped)
            if wrapped.exists():
                found.append((f"{name} as {ending}", wrapped, *known))
    return found


def cell(bench, found, number, folder):
    chance = bench.chance(number)
    name, path, rate, channels = found[number % len(found)]
    ending, options, hides = KINDS[number // len(found) % len(KINDS)]
    whole = decoded(path, rate, channels)
    start = round(chance.uniform(0.05, len(whole) / rate - 1), 3)
    end = round(min(len(whole) / rate - 0.1, start + chance.uniform(0.6, 2)), 3)
    output = folder / f"cut{ending}"
    parts = 2 if "--join" in options else 1
    words = ["--keep", f"{start}..{end}"] * parts if parts > 1 else ["--from", start, "--to", end]
    row = {"clip": name, "to": ending, "start": start, "end": end}
    result = benches.run([bench.trim, "cut", path, *words, *options, "--json", "--verify",
                          bench.options.verify, "-o", output], PATIENCE)
    row |= {"status": result.status, "err": result.err.strip()[:300], "findings": []}
    if result.status != 0:
        row["findings"].append("not cut")
        return row
    track = next(one for one in json.loads(result.out)["tracks"] if one["type"] == "audio")
    late = track["full_band_from"]
    row |= {"how": track["how"], "reasons": track["reasons"], "full_band_from": late}
    most = MOST_COPIED if track["how"] == "copied" else MOST
    part = decoded(output, rate, channels)
    size = len(part) // parts
    at = place(part[:size], whole, round(start * rate), rate)
    # Without hidden packets a decoder starts at the first one heard.
    allowed = 0.0 if hides or track["how"] == "encoded" else PACKET
    if late:
        allowed += float(late["seconds"]) - float(track["from"]["seconds"])
    for number in range(parts):
        off = deviations(part[number * size:][:size], whole, at, rate)
        row["off"] = [round(float(one), 1) for one in off]
        wrong = [n for n in range(len(off)) if off[n] > most and n * WINDOW >= allowed]
        if wrong:
            row["findings"].append(f"{off[wrong].max():.1f} dB off at {wrong[0] * WINDOW:.2f} s")
    if late and hides:
        row["findings"].append("reported though it can be hidden")
    return row


def run(bench):
    found = sources(bench.folder)
    if not found:
        raise SystemExit("soak: no HE-AAC: set TRIM_CORPUS or TRIM_CASES")
    rows = benches.Rows("upper_band")
    counts = {ending: collections.Counter() for ending, _, _ in KINDS}
    for row in bench.cells(lambda number, folder: cell(bench, found, number, folder)):
        count = counts[row["to"]]
        count["cuts"] += 1
        count["wrong"] += bool(row["findings"])
        count["late"] += bool(row.get("full_band_from"))
        if row["findings"]:
            rows.add(row)
            print(json.dumps(row))
        elif bench.only is not None:
            print(json.dumps(row, indent=2))
    lines = [
        "# The upper band of HE-AAC", "",
        f"`tools/soak upper_band --count {bench.count} --seed {bench.seed}` on {len(found)} files: third-octave "
        f"bands above {FLOOR} dBFS in windows of {WINDOW * 1000:.0f} ms, against a decode from the "
        f"beginning. Wrong is a cut that deviates later than it reports by more than {MOST} dB where it "
        f"is decoded, {MOST_COPIED} dB where it is copied.", "",
        "| output | cuts | reported late | wrong |", "|---|---:|---:|---:|"]
    for ending, count in counts.items():
        lines.append(f"| {ending} | {count['cuts']} | {count['late']} | {count['wrong']} |")
    print("\n".join(lines))
    if bench.only is None:
        bench.write("upper_band", lines)
    return 1 if any(count["wrong"] for count in counts.values()) else 0
