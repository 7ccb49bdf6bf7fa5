"""Decodes a file with FFmpeg's own tools: its frames, their timestamps, and its audio."""

import json
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np

from judging import marks

# Messages about what FFmpeg does, not about the stream.
CHATTER = re.compile("|".join([
    "deprecated pixel format", "Guessed Channel Layout", "non monotonically increasing",
    "estimate_timings", "detected only with low score", "Could not find codec parameters",
    "Consider increasing", "Queue input", "Last message repeated"]))


@dataclass
class Sound:
    stream: int
    tick: Fraction
    start: Fraction
    # The time of the first sample, as the median over all frames: each timestamp is rounded to a tick.
    clock: Fraction
    samples: np.ndarray
    # Where samples are missing or overlap: (time, seconds).
    gaps: list

    @property
    def end(self):
        return self.start + Fraction(len(self.samples), marks.RATE)


@dataclass
class Presented:
    path: Path
    numbers: list = field(default_factory=list)
    times: list = field(default_factory=list)
    hashes: list = field(default_factory=list)
    # In file order: (the frame's time, or None if it is hidden; whether it is a keyframe).
    packets: list = field(default_factory=list)
    luma: np.ndarray = None
    tick: Fraction = Fraction(0)
    last_frame: Fraction = Fraction(0)
    sounds: list = field(default_factory=list)
    streams: list = field(default_factory=list)
    declared: Fraction = None
    messages: list = field(default_factory=list)
    # What judging.kept found, cached.
    details: dict = None
    # The origin, if tracks that may start first were removed.
    zero: Fraction = None

    @property
    def origin(self):
        """The time of the first presented sample across all tracks."""
        if self.zero is not None:
            return self.zero
        return min([*self.times[:1], *(sound.start for sound in self.sounds)])

    @property
    def end(self):
        ends = [sound.end for sound in self.sounds]
        return max(ends + ([self.times[-1] + self.last_frame] if self.times else []))

    @property
    def shown_end(self):
        """The end, without the part of the last audio packet that an edit list hides but FFmpeg
        decodes."""
        declared = None if self.declared is None else self.origin + self.declared
        is_hidden = declared is not None and 0 < self.end - declared < Fraction(30, 1000)
        return declared if is_hidden else self.end


def decode(path):
    facts = ask_ffprobe(path)
    streams = facts.get("streams", [])
    seen = Presented(path, streams=streams)
    duration = facts.get("format", {}).get("duration")
    seen.declared = Fraction(duration) if duration else None
    video = next((s for s in streams if s["codec_type"] == "video"), None)
    sounds = [s for s in streams if s["codec_type"] == "audio"]
    with tempfile.TemporaryDirectory(prefix="trim-judge-") as folder:
        run_ffmpeg(seen, Path(folder), video, sounds)
        if video:
            read_pictures(seen, Path(folder), video, facts["packets_and_frames"])
        for number, stream in enumerate(sounds):
            read_sound(seen, Path(folder) / f"{number}.pcm", stream, facts["packets_and_frames"])
    return seen


def ask_ffprobe(path):
    wanted = ("stream:format:chapter:packet=stream_index,pts,pos,flags"
              ":frame=stream_index,pts,best_effort_timestamp,pkt_pos,pkt_duration,nb_samples")
    command = ["ffprobe", "-v", "quiet", "-show_streams", "-show_format", "-show_packets",
               "-show_frames", "-show_entries", wanted, "-of", "json", str(path)]
    told = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout
    return json.loads(told or "{}")


def run_ffmpeg(seen, folder, video, sounds):
    command = ["ffmpeg", "-nostdin", "-v", "warning", "-noautorotate", "-i", str(seen.path)]
    if video:
        shown = ["-map", f"0:{video['index']}", "-fps_mode", "passthrough"]
        command += [*shown, "-f", "rawvideo", "-pix_fmt", "gray", str(folder / "gray"),
                    *shown, "-f", "framemd5", str(folder / "md5")]
    for number, stream in enumerate(sounds):
        command += ["-map", f"0:{stream['index']}", "-f", "s16le", "-ar", str(marks.RATE),
                    str(folder / f"{number}.pcm")]
    result = subprocess.run(command, stderr=subprocess.PIPE, check=False)
    lines = result.stderr.decode(errors="replace").splitlines()
    seen.messages = [re.sub(r" @ 0x[0-9a-f]+", "", line) for line in lines
                     if not CHATTER.search(line)]


def read_pictures(seen, folder, video, records):
    tick = Fraction(video["time_base"])
    index = video["index"]
    frames = [r for r in records if r["type"] == "frame" and r.get("stream_index") == index]
    packets = [r for r in records if r["type"] == "packet" and r.get("stream_index") == index]
    times = picture_times(frames, tick)
    width, height = video["width"], video["height"]
    gray = np.fromfile(folder / "gray", np.uint8) if (folder / "gray").exists() else np.zeros(0)
    seen.luma = gray[:len(gray) // (width * height) * width * height].reshape(-1, height, width)
    lines = (folder / "md5").read_text().splitlines() if (folder / "md5").exists() else []
    seen.hashes = [line.split(",")[-1].strip() for line in lines if not line.startswith("#")]
    seen.numbers = marks.numbers(seen.luma).tolist() if len(seen.luma) else []
    seen.tick, seen.times = tick, times
    if not len(times) == len(seen.numbers) == len(seen.hashes):
        seen.messages.append(f"ffprobe lists {len(times)} frames, ffmpeg decodes {len(seen.numbers)}")
        shortest = min(len(times), len(seen.numbers), len(seen.hashes))
        seen.times, seen.numbers = times[:shortest], seen.numbers[:shortest]
        seen.hashes = seen.hashes[:shortest]
    if frames:
        length = frames[-1].get("pkt_duration")
        usual = times[-1] - times[-2] if len(times) > 1 else Fraction(1, 30)
        seen.last_frame = int(length) * tick if length else usual
    shown = {frame.get("pkt_pos"): time for frame, time in zip(frames, times)}
    seen.packets = [(shown.get(packet.get("pos")), "K" in packet.get("flags", ""))
                    for packet in packets]


def picture_times(frames, tick):
    """Returns the frames' times. AVI has none; those derived by the decoder lack the last, which is added."""
    times = []
    for frame in frames:
        known = frame.get("best_effort_timestamp")
        usual = times[-1] + tick if times else Fraction(0)
        times.append(usual if known is None else int(known) * tick)
    return times


def read_sound(seen, path, stream, records):
    tick, channels = Fraction(stream["time_base"]), stream["channels"]
    frames = [r for r in records if r["type"] == "frame" and "nb_samples" in r
              and r.get("stream_index") == stream["index"]]
    # An ADTS stream of one packet has no timestamps, and starts at zero.
    if len(frames) == 1:
        frames[0].setdefault("pts", 0)
    frames = [r for r in frames if "pts" in r]
    samples = np.fromfile(path, "<i2") if path.exists() else np.zeros(0, "<i2")
    samples = samples[::channels].astype(np.float32)
    if not frames:
        seen.messages.append(f"no audio in stream {stream['index']}")
        return
    start = int(frames[0]["pts"]) * tick
    tolerance = max(Fraction(3, 2000), tick * 3 / 2) * marks.RATE
    gaps, placed, done, position, offsets = [], {}, 0, 0, []
    for frame in frames:
        due = (int(frame["pts"]) * tick - start) * marks.RATE
        if abs(due - position) > tolerance:
            gaps.append((float(start) + position / marks.RATE,
                          float(due - position) / marks.RATE))
            position = round(due)
        offsets.append(due - position)
        count = int(frame["nb_samples"])
        placed[position] = samples[done:done + count]
        done, position = done + count, position + count
    whole = np.zeros(position, np.float32)
    for place, part in placed.items():
        whole[place:place + len(part)] = part
    clock = start + sorted(offsets)[len(offsets) // 2] / marks.RATE
    seen.sounds.append(Sound(stream["index"], tick, start, clock, whole, gaps))
