"""Compares a cut with its source and the requested range."""

import dataclasses
from collections import Counter
from fractions import Fraction

import numpy as np

from judging import kept, marks, ranges, sound

MILLISECOND = Fraction(1, 1000)
# A frame with a lower PSNR is damaged.
FLOOR = 30
# This close to a seam between parts, the audio of both overlaps.
SEAM = Fraction(60, 1000)
SHORTER_THAN_PACKETS = Fraction(50, 1000)
DECLARE_NOTHING = ("ts", "mpg", "vob", "aac", "ogg")


def judge(clip, source, cut, start, end, stated=None):
    """Returns a row of figures, with `faults`: sentences that say what is wrong."""
    faults = []
    row = {"faults": faults}
    if end is not None and end - start < SHORTER_THAN_PACKETS:
        source = without(source, [number for number, value in (stated or {}).items()
                                  if value is None])
    # The source's clock minus the cut's.
    shift = source.origin + start - cut.origin
    if source.times:
        judge_pictures(clip, source, cut, start, end, row)
        if cut.times and row["same_pictures"]:
            shift = begin(clip, source, start, source.numbers.index(cut.numbers[0])) - cut.times[0]
    judge_sound(source, cut, start, end, shift, row, stated)
    judge_length(cut, (source.shown_end - source.origin if end is None else end) - start, row)
    known = {line for line in source.messages}
    new = [line for line in cut.messages if line not in known and not is_known(line, known)]
    if new:
        faults.append(f"decoders say: {new[0][:160]} ({len(new)} lines)")
    faults += kept.faults(source, cut, start, end)
    return row


def judge_joined(clip, source, cut, parts):
    """Judges several parts in one file, each of which starts where the previous ones end."""
    faults = []
    row = {"faults": faults, "identical": 0, "best": 0, "psnr": None, "pts": 0.0, "av": 0.0}
    places, lengths = [], [end - start for start, end in parts]
    begins = [sum(lengths[:number], Fraction(0)) for number in range(len(parts))]
    for (start, end), begin_at in zip(parts, begins):
        for index in ranges.wanted(source, start, end) if source.times else []:
            shown = max(Fraction(0), source.times[index] - source.origin - start)
            places.append((index, begin_at + shown))
    numbers = [source.numbers[index] for index, _ in places]
    row.update(frames=len(cut.numbers), wanted=len(numbers))
    if cut.numbers != numbers:
        row["right_frames"] = len(set(numbers) & set(cut.numbers))
        faults.append(difference(numbers, cut.numbers))
    elif numbers:
        row["right_frames"] = len(numbers)
        qualities = [psnr(source.luma[index], cut.luma[place])
                     for place, (index, _) in enumerate(places)
                     if cut.hashes[place] != source.hashes[index]]
        row["identical"] = len(numbers) - len(qualities)
        row["psnr"] = min(qualities, default=None)
        if qualities and min(qualities) < FLOOR:
            faults.append(f"a frame of {min(qualities):.1f} dB")
        errors = [float((cut.times[place] - cut.times[0]) - (time - places[0][1]))
                  for place, (_, time) in enumerate(places)]
        row["pts"] = max(errors, key=abs)
        # Parts start on ticks.
        slack = max(MILLISECOND, cut.tick, source.tick) if not clip.target == "avi" else (
            source.last_frame)
        if abs(row["pts"]) > slack:
            faults.append(f"frame times are up to {row['pts'] * 1000:+.3f} ms wrong")
    if len(cut.sounds) != len(source.sounds):
        faults.append(f"{len(cut.sounds)} of {len(source.sounds)} sound tracks")
    # If reordering delays the first frame, the whole file starts that much earlier.
    zero = cut.origin
    if clip.target == "avi" and cut.times and places:
        zero = cut.times[0] - places[0][1]
    for number, (theirs, ours) in enumerate(zip(source.sounds, cut.sounds)):
        for (start, _), begin_at, length in zip(parts, begins, lengths):
            shift = source.origin + start - zero - begin_at
            span = (zero + begin_at + SEAM, zero + begin_at + length - SEAM)
            found = sound.match(theirs, ours, shift, span, True)
            row["av"] = max(row["av"], found.error, key=abs)
            if found.share < 1:
                faults.append(f"{1 - found.share:.0%} of track {number}'s audio after "
                              f"{float(begin_at):.3f} s is not the source's")
            elif abs(found.error) > 0.001:
                faults.append(f"audio after {float(begin_at):.3f} s is "
                              f"{found.error * 1000:+.2f} ms late, track {number}")
    judge_length(cut, sum(lengths, Fraction(0)), row)
    new = [line for line in cut.messages if not is_known(line, set(source.messages))]
    if new:
        faults.append(f"decoders say: {new[0][:160]} ({len(new)} lines)")
    return row


def without(source, dropped):
    """Returns the source without the audio tracks that trim drops because no packet starts in the range."""
    gone = {source.sounds[number].stream for number in dropped}
    return dataclasses.replace(
        source, zero=source.origin, details=None,
        sounds=[sound for sound in source.sounds if sound.stream not in gone],
        streams=[stream for stream in source.streams if stream["index"] not in gone])


def is_known(line, known):
    """Returns whether the message is known, with other numbers or the same."""
    def plain(text):
        return "".join(letter for letter in text if not letter.isdigit())
    return plain(line) in {plain(other) for other in known}


def judge_pictures(clip, source, cut, start, end, row):
    expected = ranges.wanted(source, start, end)
    numbers = [source.numbers[index] for index in expected]
    row.update(frames=len(cut.numbers), wanted=len(numbers), identical=0, psnr=None, pts=0.0,
               best=ranges.keepable(clip, source, start, end), same_pictures=False)
    if cut.numbers != numbers:
        row["faults"].append(difference(numbers, cut.numbers))
        row["right_frames"] = len(set(numbers) & set(cut.numbers))
        return
    row["right_frames"], row["same_pictures"] = len(numbers), True
    qualities = []
    for place, index in enumerate(expected):
        if cut.hashes[place] == source.hashes[index]:
            row["identical"] += 1
        else:
            qualities.append(psnr(source.luma[index], cut.luma[place]))
    row["psnr"] = min(qualities, default=None)
    if qualities and min(qualities) < FLOOR:
        row["faults"].append(f"a frame of {min(qualities):.1f} dB")
    origin = begin(clip, source, start, expected[0])
    errors = [0.0] + [float((cut.times[place] - cut.times[0]) - (source.times[index] - origin))
                      for place, index in enumerate(expected) if place]
    worst = max(errors, key=abs)
    row["pts"] = worst
    # If the cut's ticks cannot express all of the source's, times may be off by one tick.
    slack = 0 if cut.tick <= source.tick and source.tick % cut.tick == 0 else cut.tick
    if {clip.container, clip.target} & {"mkv", "webm", "flv"}:
        slack = MILLISECOND
    # IN may be between two ticks.
    if origin != source.times[expected[0]]:
        slack = max(slack, cut.tick)
    # IN was given in microseconds.
    if abs(worst) > slack + ranges.SAID:
        row["faults"].append(f"frame times are up to {worst * 1000:+.3f} ms wrong")
    late = cut.times[0] - cut.origin - max(0, origin - source.origin - start)
    row["late"] = float(late)
    step = source.times[expected[0]] - source.times[max(0, expected[0] - 1)]
    if not -max(step, cut.tick) <= late <= max(cut.tick, source.tick):
        row["faults"].append(f"the first frame is {float(late) * 1000:+.1f} ms late")


def begin(clip, source, start, index):
    """Returns when a frame is first shown: at IN, if it is already on screen there. A container with a
    fixed frame rate starts with the whole frame."""
    if clip.target == "avi":
        return source.times[index]
    return max(source.times[index], source.origin + start)


def difference(wanted, got):
    unreadable = got.count(marks.UNREADABLE)
    counts = Counter(got)
    parts = []
    for what, found in (
        ("missing", [n for n in wanted if n not in counts]),
        ("extra", [n for n in got if n not in set(wanted) and n != marks.UNREADABLE]),
        ("duplicated", [n for n, count in counts.items() if count > 1 and n != marks.UNREADABLE]),
    ):
        if found:
            parts.append(f"{len(found)} {what} ({found[0]}…{found[-1]})")
    if unreadable:
        place = got.index(marks.UNREADABLE)
        parts.append(f"{unreadable} unreadable (the first at {place})")
    expected = f"{wanted[0]}…{wanted[-1]}" if wanted else "none"
    return f"frames {expected}: {', '.join(parts) or 'out of order'}"


def psnr(one, other):
    if one.shape != other.shape:
        return 0.0
    error = float(((one.astype(np.float32) - other.astype(np.float32)) ** 2).mean())
    return 99.0 if error == 0 else float(10 * np.log10(255 ** 2 / error))


def judge_sound(source, cut, start, end, shift, row, stated):
    faults = row["faults"]
    if len(cut.sounds) != len(source.sounds):
        faults.append(f"{len(cut.sounds)} of {len(source.sounds)} sound tracks")
    row["av"] = row["sound_start"] = 0.0
    for number, (theirs, ours) in enumerate(zip(source.sounds, cut.sounds)):
        last = source.shown_end if end is None else source.origin + end
        begins = max(source.origin + start, theirs.start) - shift
        ends = min(last, theirs.end) - shift
        found = sound.match(theirs, ours, shift, (begins, ends), slack_of(cut) == 0)
        row["av"] = max(row["av"], found.error, key=abs)
        row["sound_identical"] = min(row.get("sound_identical", 1.0), found.identical)
        late = float(ours.start - begins)
        early = float(ends - ours.end)
        row["sound_start"] = max(row["sound_start"], late, key=abs)
        remainder, heard_late = (stated or {}).get(number) or (0.0, 0.0)
        if found.share < 1:
            faults.append(f"{1 - found.share:.0%} of track {number}'s audio is not the source's")
        if min(abs(found.error - said) for said in (0.0, -remainder, heard_late)) > 0.001:
            faults.append(f"audio is {found.error * 1000:+.2f} ms late, track {number}")
        if abs(late) > 0.001 + abs(remainder) + slack_of(cut):
            faults.append(f"audio starts {late * 1000:+.1f} ms late, track {number}")
        if not -0.03 <= early <= 0.001 + slack_of(cut):
            faults.append(f"audio ends {early * 1000:+.1f} ms early, track {number}")
        inside = [gap for gap in ours.gaps
                  if not any(abs(gap[1] - other[1]) < 0.002 for other in theirs.gaps)]
        if inside:
            faults.append(f"{len(inside)} gaps in the audio, the first of {inside[0][1] * 1000:+.1f} "
                          f"ms at {inside[0][0]:.3f}, track {number}")


def slack_of(cut):
    """Returns the length of a packet in seconds if the container cannot start inside one, or else 0."""
    suffix = cut.path.suffix[1:]
    if suffix in ("mp4", "mov", "m4a", "wav", "flac", "mp3", "ogg"):
        return 0.0
    return 0.027


def judge_length(cut, asked, row):
    """Checks that the declared duration is the presented one. An edit list may end within the last frame
    or packet, which FFmpeg decodes whole; then the declared duration must be the requested one."""
    if cut.declared is None or cut.path.suffix[1:] in DECLARE_NOTHING:
        row["declared"] = None
        return
    declared = gapless_length(cut.path) if cut.path.suffix == ".mp3" else cut.declared
    presented = cut.end - cut.origin
    tolerance = max(MILLISECOND, cut.tick)
    if is_vorbis_in_matroska(cut):
        # The duration includes the first packet, which is not heard, and starts a tick earlier.
        tolerance += MILLISECOND
    over = declared - presented
    row["declared"] = float(over)
    pictures = cut.times[-1] - cut.origin if cut.times else 0
    is_clipped = (abs(declared - asked) <= tolerance
                  and pictures < declared <= presented)
    if abs(over) > tolerance and not is_clipped:
        row["faults"].append(f"declares {float(declared):.4f} s and presents "
                             f"{float(presented):.4f} s")


def is_vorbis_in_matroska(cut):
    return (cut.path.suffix in (".mka", ".mkv", ".webm")
            and any(stream["codec_name"] == "vorbis" for stream in cut.streams))


def gapless_length(path):
    """Returns the duration that an MP3's LAME header states: all frames without delay and padding."""
    head = path.read_bytes()[:8192]
    place = max(head.find(b"Xing"), head.find(b"Info"))
    if place < 0:
        return Fraction(0)
    frames = int.from_bytes(head[place + 8:place + 12], "big")
    hidden = int.from_bytes(head[place + 141:place + 144], "big")
    return Fraction(frames * 1152 - (hidden >> 12) - (hidden & 4095), marks.RATE)
