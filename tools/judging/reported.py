"""Judges a cut by FFmpeg's tools against what trim reports about it."""

import json
import re
import subprocess
from pathlib import Path

LIMIT = 120
FROM, TO = 25, 70
# How far a frame interval may be off: Matroska's millisecond at each end, and rounding.
SLACK = 0.0025
# The least gap between audio frames, in seconds, that is a hole and not rounding.
HOLE = 0.2
OWN = {
    "mp4": "mp4", "m4v": "mp4", "3gp": "3gp", "f4v": "f4v", "m4s": "mp4", "mov": "mov", "qt": "mov",
    "flv": "flv", "amr": "amr", "aiff": "aiff", "aif": "aiff", "caf": "caf", "ac3": "ac3", "eac3": "eac3",
    "dts": "dts", "mp2": "mp2", "mpg": "mpg", "mpeg": "mpg", "ps": "mpg", "vob": "vob",
    "m4a": "m4a", "m4b": "m4a", "mkv": "mkv", "mka": "mkv", "webm": "webm", "ts": "ts", "mts": "mts",
    "m2ts": "m2ts", "avi": "avi", "mp3": "mp3", "aac": "aac", "adts": "aac", "wav": "wav",
    "flac": "flac", "ogg": "ogg", "oga": "ogg", "ogv": "ogg", "opus": "ogg",
}
KINDS = [f".{ending}" for ending in OWN]
# What decoders report about themselves and their guesses, not about the file.
HARMLESS = re.compile(
    r"Last message repeated|If you want to help|Guessed Channel|start time for stream|"
    r"non monoton|Timestamps are unset|Could not find codec parameters|Consider increasing|"
    r"Increasing reorder buffer|deprecated pixel format|swscaler|Unsupported codec with id|"
    r"Estimating duration|Could not update timestamps|"
    # These also occur when a player enters the source at the same point.
    r"Skipping \d+ bytes of junk|Multiple frames in a packet")


NUMBER = re.compile(r"-?[0-9]+\.[0-9]+")


def run(words, limit=LIMIT):
    try:
        done = subprocess.run(words, capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, "", f"did not end within {limit} s"
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def frames(path, stream):
    """Returns the times of a track's frames, from FFmpeg's decoder."""
    _, out, _ = run([
        "ffprobe", "-v", "quiet", "-select_streams", f"v:{stream}", "-show_entries",
        "frame=pts_time,best_effort_timestamp_time", "-of", "csv=p=0", str(path)])
    times = []
    for line in out.splitlines():
        # A frame's side data is a line of its own, without values.
        if not line.strip(","):
            continue
        # If the packet has no time, the decoder's guess is used.
        stated = [float(word) for word in line.split(",") if NUMBER.fullmatch(word)]
        times.append(stated[0] if stated else None)
    return times


def complaints(path):
    """Returns the kinds of messages that decoding gives, regardless of numbers and addresses."""
    _, _, text = run([
        "ffmpeg", "-nostdin", "-v", "warning", "-threads", "1", "-i", str(path), "-map", "0:v?", "-map", "0:a?",
        "-f", "null", "-"])
    lines = [line for line in text.splitlines() if line and not HARMLESS.search(line)]
    # Some messages begin with the file's name.
    bare = (line.split("] ", 1)[-1].removeprefix(f"{path}: ") for line in lines)
    return {re.sub(r"@ 0x[0-9a-f]+|-?[0-9]+", "N", line) for line in bare}


def sound(path, stream):
    """Returns how many seconds of audio the decoder outputs, and the holes between its frames."""
    _, out, _ = run([
        "ffprobe", "-v", "quiet", "-select_streams", f"a:{stream}", "-show_entries",
        "frame=nb_samples,pts_time:stream=sample_rate", "-of", "json", str(path)])
    try:
        found = json.loads(out)
        rate = int(found["streams"][0]["sample_rate"])
        seconds, end = 0, None
        for frame in found["frames"]:
            length, time = int(frame.get("nb_samples", 0)) / rate, float(frame.get("pts_time", "nan"))
            # A hole is in the source's sound too, so its length counts; jitter does not.
            if end is not None and time - end > HOLE:
                seconds += time - end
            seconds, end = seconds + length, time + length
        return seconds
    except (ValueError, KeyError, IndexError, ZeroDivisionError):
        return None


def steps(times):
    return [None if a is None or b is None else b - a for a, b in zip(times, times[1:])]


def same_times(cut, source, slack):
    """Returns whether the frames of a cut are spaced like some run of the source's.

    The first and the last frame may be shown for only part of their duration.
    """
    # A decoder outputs frames in the order in which they are shown: times that go back are the source's fault.
    if None not in source:
        source = sorted(source)
    inner, whole = steps(cut)[1:], steps(source)
    count = len(inner)
    # If FFmpeg cannot read the source, there is nothing to compare with.
    if count < 1 or None in inner or not source:
        return True
    for start in range(len(whole) - count + 1):
        part = whole[start:start + count]
        if all(b is None or abs(a - b) <= slack for a, b in zip(inner, part)):
            return True
    return False


def judge(clip, output, report, source):
    faults = []
    tracks = [track for track in report["tracks"] if not track.get("dropped_because")]
    pictures = [track for track in tracks if track["type"] == "video"]
    for number, track in enumerate(pictures):
        shown = frames(output, number)
        told = track.get("packets", track.get("frames")) or 0
        told -= track.get("hidden_frames", track.get("hidden", 0)) or 0
        if len(shown) != told:
            faults.append(f"{len(shown)} frames decoded, {told} reported (video {number + 1})")
        elif number == 0 and not same_times(shown, source["times"], SLACK):
            faults.append("frames are shown at other times than in the source")
    sounds = [track for track in tracks if track["type"] == "audio"]
    for number, track in enumerate(sounds):
        length = sound(output, number)
        wanted = track["to"]["seconds"] - track["from"]["seconds"]
        # A sample table may state more than the packets decode to, in the cut as in the source.
        part = (TO - FROM) / 100 * (source["sound"][number] or 0)
        # Packets that do not decode, here as in the source.
        if length is not None and length < wanted and report.get("damage"):
            continue
        if length is not None and min(abs(length - wanted), abs(length - part)) > 0.15:
            faults.append(f"{length:.3f} s of audio decoded, {wanted:.3f} s reported (audio {number + 1})")
    fresh = complaints(output) - source["complaints"]
    if fresh:
        faults.append("new message: " + sorted(fresh)[0][:120])
    return faults


def row(trim, clip, ending, folder, cache):
    """Cuts a file from FROM to TO percent; returns the verdict (right, refused, wrong) and the reason."""
    output = Path(folder) / f"cut.{ending}"
    output.unlink(missing_ok=True)
    status, out, text = run([
        trim, "cut", str(clip), "--from", f"{FROM}%", "--to", f"{TO}%", "-o", str(output), "-f", "--json"])
    # Only the reason; advice is on a line of its own.
    message = text.strip().split("\n")[0] if status in (64, 65, 69) else " ".join(text.split())
    message = message.removeprefix("trim: ").removeprefix(f"{clip}: ").removeprefix(f"{output}: ")
    if status is None or status not in (0, 64, 65, 69):
        return "wrong", f"{'timeout' if status is None else status}: {message[:200]}"
    if status != 0:
        return "refused", f"{status}: {message[:200]}"
    if not cache:
        cache["times"] = frames(clip, 0)
        cache["complaints"] = complaints(clip)
    heard = [track for track in json.loads(out)["tracks"] if track["type"] == "audio"]
    if "sound" not in cache:
        cache["sound"] = [sound(clip, number) for number in range(len(heard))]
    faults = judge(clip, output, json.loads(out), cache)
    return ("wrong", "; ".join(faults)) if faults else ("right", "")
