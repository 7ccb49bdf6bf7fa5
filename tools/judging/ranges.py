"""Chooses which ranges are cut from a clip, and counts which of its frames can be kept as they are."""

from fractions import Fraction

LONG = Fraction(604, 10)
NAMES = ["key-to-key", "after-key", "before-key", "mid-gop", "inside-gop", "off-grid", "to-end",
         "one-frame", "as-displayed", "joined", "60.4s"]
# Times typed as a player displays them, to the millisecond: they mean the frames displayed that way.
TYPED = "as-displayed"
# Several parts joined in one file.
JOINED = "joined"


def of(clip, source):
    """Returns name → (from, to), relative to the first presented sample; `to` is None for the end."""
    if clip.seconds > 60:
        return {"60.4s": long_range(clip, source)}
    if clip.is_sound:
        return {"mid-gop": (Fraction(2345, 1000), Fraction(7654, 1000)),
                "key-to-key": (Fraction(0), Fraction(3)),
                "to-end": (Fraction(61, 10), None),
                "one-frame": (Fraction(4), Fraction(402, 100)),
                "off-grid": (Fraction(3123457, 1000000), Fraction(5000003, 1000000)),
                JOINED: ((Fraction(2345, 1000), Fraction(4100, 1000)),
                         (Fraction(1250, 1000), Fraction(2000, 1000)),
                         (Fraction(6200, 1000), Fraction(7654, 1000)))}
    return pictures(source)


def long_range(clip, source):
    if clip.is_sound:
        return Fraction(3), 3 + LONG
    start = next(time for time in source.times if time - source.origin >= Fraction(31, 10))
    return start - source.origin, start - source.origin + LONG


def pictures(source):
    times = sorted(time - source.origin for time in source.times)
    keys = spread(sorted(time - source.origin for time, is_key in source.packets
                         if is_key and time is not None))
    place = {time: index for index, time in enumerate(times)}

    def near(wanted):
        return min(times, key=lambda time: abs(time - wanted))

    def beside(time, count):
        return times[place[time] + count]

    def within(key, share):
        gop = keys[key + 1] - keys[key]
        return near(keys[key] + gop * share)

    half = Fraction(1, 2)
    step = times[-1] - times[-2]
    return {
        "key-to-key": (keys[1], keys[3]),
        "after-key": (beside(keys[1], 1), within(3, half)),
        "before-key": (beside(keys[2], -1), beside(keys[3], 1)),
        "mid-gop": (within(1, half), within(3, Fraction(2, 5))),
        "inside-gop": (within(1, Fraction(1, 4)), within(1, Fraction(3, 4))),
        "off-grid": (within(1, Fraction(1, 3)) + step * 2 / 5, within(3, half) + step * 3 / 5),
        "to-end": (within(2, half), None),
        "one-frame": (within(2, half), beside(within(2, half), 1)),
        TYPED: (within(1, Fraction(2, 5)), within(3, Fraction(1, 3))),
        JOINED: ((within(1, half), within(2, Fraction(1, 3))), (keys[0], within(0, half)),
                 (within(2, Fraction(1, 4)), keys[3])),
    }


def spread(keys):
    """Returns five keyframes about two seconds apart, since intra-only clips have only keyframes."""
    chosen = keys[:1]
    for key in keys[1:]:
        if key - chosen[-1] >= Fraction(19, 10):
            chosen.append(key)
    # If there is only one keyframe, at the start (intra refresh), times two seconds apart replace them.
    while len(chosen) < 5:
        chosen.append(chosen[-1] + 2)
    return chosen


# Cutters are given microseconds, rounded down.
SAID = Fraction(1, 1_000_000)


def wanted(source, start, end):
    """Returns the indices of the frames on screen in [start, end), including the one already on screen
    at the start, for the rest of its duration."""
    ends = [*source.times[1:], source.times[-1] + source.last_frame] if source.times else []
    return [index for index, (time, over) in enumerate(zip(source.times, ends))
            if over - source.origin > start + SAID
            and (end is None or time - source.origin + SAID < end)]


def keepable(clip, source, start, end):
    """Counts the frames that a cut without hidden frames can keep bit for bit.

    From the first clean keyframe at or after the start, without its leading pictures, to the last
    packet, in file order, before the first one that is shown at or after the end.
    """
    first = source.origin + start
    last = None if end is None else source.origin + end
    key, count = None, 0
    for place, (time, is_key) in enumerate(source.packets):
        if key is None and is_key and time is not None and time >= first:
            if clip.has_clean_keys or place == 0:
                key = time
        if key is None or time is None:
            continue
        if last is not None and time >= last:
            break
        count += time >= key
    return count
