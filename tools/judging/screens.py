"""Compares what a player shows of a cut with what it shows of the cut's source.

An error that a player also makes with the source is not counted against the cut.
"""

import functools
import hashlib
from fractions import Fraction
from pathlib import Path

from judging import apart, browsers, lateness, mpv, playbin, vlc

PLAYERS = {"Chromium": browsers, "Firefox": browsers, "mpv": mpv, "VLC": vlc, "GStreamer": playbin}
NAMES = tuple(PLAYERS)
FRAME = Fraction(1, 24)
# Seconds: twice Matroska's millisecond.
LATE = 0.002
# How often a source is tried, since on a busy machine it may be shown wrong once.
LOOKS = 3
# The playback of a browser that could not reopen a file.
SILENT = {"shown": [], "outcome": "error"}
running = {}


def kinds():
    return {kind.name: kind for module in dict.fromkeys(PLAYERS.values())
            for kind in module.installed()}


@functools.cache
def judge(name):
    """Returns a hash of the code that tests this player: rows with another hash are stale."""
    files = [PLAYERS[name].__file__, apart.__file__, lateness.__file__, __file__] + [browsers.PAGE] * (PLAYERS[name] is browsers)
    return hashlib.sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()[:8]


def installed():
    return list(kinds())


def player(name):
    """Returns a player, started once per process, since browsers take seconds to start."""
    if name not in running:
        running[name] = kinds()[name]()
    return running[name]


def close():
    while running:
        running.popitem()[1].close()


def moments(times, end, seams):
    """Returns the middles of the first frame, the last, and two on either side of each seam."""
    places = {0, len(times) - 1}
    for seam in seams:
        places |= {seam - 2, seam - 1, seam, seam + 1}
    places = sorted(place for place in places if 0 <= place < len(times))
    ends = [*times[1:], end]
    return [(place, times[place] + min(ends[place] - times[place], FRAME) / 2) for place in places]


def seams(report, numbers):
    """Returns where copied frames begin and end, by trim's own report, and where parts meet."""
    video = next((track for track in (report or {}).get("tracks", [])
                  if track["type"] == "video"), {})
    count = len(numbers)
    head, tail = video.get("encoded_head", 0), video.get("encoded_tail", 0)
    jumps = [place for place in range(1, count) if numbers[place] != numbers[place - 1] + 1]
    return [place for place in (head, count - tail, *jumps) if 0 < place < count] or [count // 2]


def faults(name, source, cut, report):
    """Returns what the player shows wrong of a cut; None if it shows the source wrong or not at all.

    On a busy machine, a player may miss a frame that it shows the next time. So a fault must occur
    twice, with new seeks in the source each time, and a source is wrong only if every try is.
    """
    if not cut.times:
        return None
    late = of_source(name, source)
    if late is None:
        return None
    found = of_look(name, source, cut, report, late)
    if not found:
        return []
    forget_seeks()
    again = of_look(name, source, cut, report, late)
    return [fault for fault in found if fault in again]


def of_look(name, source, cut, report, late):
    """Returns the faults found by opening a cut once."""
    end = cut.times[-1] - cut.origin + cut.last_frame
    asked = moments([time - cut.origin for time in cut.times], end, seams(report, cut.numbers))
    told = player(name).look(cut.path, [time for _, time in asked])
    if "fault" in told:
        return ["does not play: " + told["fault"][-120:]]
    found = []
    length = cut.shown_end - cut.origin
    # A transport stream declares no duration; players estimate it from the bytes.
    said = Fraction(told["duration"] or 0)
    if cut.path.suffix != ".ts" and abs(said - length) > FRAME + late:
        found.append(f"is {float(said):.3f} s long, not {float(length):.3f}")
    if told["first"] not in cut.numbers[:1 + getattr(player(name), "skips", 0)]:
        found.append(f"begins with {told['first']}, not {cut.numbers[0]}")
    for (place, time), (_, number) in zip(asked, told["seeks"]):
        wanted = cut.numbers[place]
        # The last frame may be treated like the source's last.
        likes = [wanted] + [source.numbers[-1]] * (place == len(cut.numbers) - 1)
        if number != wanted and not is_reached(name, cut, time, number) and not is_usual(
                name, source, number, cut.numbers, place, likes):
            found.append(f"shows {number} at {float(time):.3f}, not {wanted}")
    play = told.get("play", SILENT)
    return found + of_play(play, cut.numbers) + of_sound(name, source, cut, play)


def of_sound(name, source, cut, play):
    """Checks that audio and video are as much in sync as in the source."""
    usual = max(map(abs, lateness.of(told_of(name, source).get("play", SILENT), source)), default=0)
    worst = max(lateness.of(play, cut), key=abs, default=0)
    is_late = abs(worst) > usual + LATE
    return [f"audio is {worst * 1000:+.1f} ms late"] if is_late else []


def of_play(play, numbers):
    """Returns what is wrong with the frames shown in playback from start to end."""
    shown = [number for _, number in play["shown"]]
    found = []
    if play["outcome"] != "ended":
        found.append(f"does not play to the end: {play['outcome'][-120:]}")
    foreign = [number for number in shown if number not in set(numbers)]
    if foreign:
        found.append(f"plays {len(foreign)} frames that are not in the cut ({foreign[0]})")
    places = in_order(shown, numbers)
    if len(places) < len(shown) - len(foreign):
        found.append("plays frames out of order")
    # A browser drops frames on a slow machine, but not a second of them.
    longest = max((b - a for a, b in zip([0, *places], [*places, len(numbers) - 1])), default=99)
    if longest > 30:
        found.append(f"freezes for {longest} frames")
    return found


def in_order(shown, numbers):
    """Returns the positions of frames that are shown in order; joined parts may contain some twice."""
    places, next_one = [], 0
    for number in shown:
        # The player may show one frame twice.
        before = max(0, next_one - 1)
        if number in numbers[before:]:
            places.append(numbers.index(number, before))
            next_one = places[-1] + 1
    return places


sources = {}


def of_source(name, source):
    """Returns the error of the player's duration of the source; None if it shows the source wrong."""
    if (name, source.path) not in sources:
        for _ in range(LOOKS):
            sources[name, source.path] = witnessed(name, source)
            if is_right(told_of(name, source), source):
                break
    told = told_of(name, source)
    if not is_right(told, source):
        return None
    return abs(Fraction(told["duration"] or 0) - (source.shown_end - source.origin))


def is_right(told, source):
    """Returns whether the source was shown from its first frame to its last."""
    return "fault" not in told and told["first"] == source.numbers[0] and not of_play(
        told.get("play", SILENT), source.numbers)


def told_of(name, source):
    return sources[name, source.path][1]


def witnessed(name, source):
    """Returns the positions in the source that the player was sent to, and what it showed."""
    times = [time - source.origin for time in source.times]
    places = {time: place for place, (time, _) in enumerate(zip(source.times, times))}
    keys = [places[time] for time, is_key in source.packets if is_key and time in places]
    asked = moments(times, times[-1] + source.last_frame, [*keys[1:4], len(times) // 3])
    try:
        return asked, player(name).look(source.path, [time for _, time in asked])
    except Exception as error:  # a browser that failed is restarted for the next file
        running.pop(name, None)
        return asked, {"fault": f"failed: {error}"}


# For a time within a frame, some players show the next frame, some an earlier one of its mini-GOP.
NEAR = 5


def is_reached(name, cut, time, shown):
    """Returns whether a player that does not seek to exact frames came as near as it can; at the last
    frame it may find nothing."""
    reach = getattr(player(name), "reach", 0)
    if shown not in cut.numbers:
        return bool(reach) and shown == "ended" and cut.times[-1] - cut.origin <= time
    return any(abs(at - cut.origin - time) <= reach
               for at, number in zip(cut.times, cut.numbers) if number == shown)


def is_usual(name, source, shown, numbers, place, likes):
    """Returns whether the player misses by no more than in the source, at the positions tested there or
    at the same frames. Frames that it does not find there either are not counted."""
    errors = told_errors(name, source)
    for like in likes:
        usual = of_seek(name, source, like)
        if not isinstance(usual, int) or abs(usual - like) > NEAR:
            return True
        errors.append(usual - like)
    # After a seam between parts the numbers jump, so positions are compared.
    last = len(numbers) - 1
    near = {numbers[min(max(0, place + error), last)] for error in range(min(errors), max(errors) + 1)}
    return shown in near


def told_errors(name, source):
    """Returns by how many frames the player misses those of the source, if it comes near."""
    asked, told = sources[name, source.path]
    errors = [shown - source.numbers[place]
              for (place, _), (_, shown) in zip(asked, told["seeks"]) if isinstance(shown, int)]
    return [error for error in errors if abs(error) <= NEAR]


def forget_seeks():
    """Discards what players showed of single frames of a source."""
    for key in [key for key in sources if len(key) > 2]:
        del sources[key]


def of_seek(name, source, number):
    """Returns what the player shows of the source when it seeks to the middle of a frame."""
    key = (name, source.path, number)
    if key not in sources:
        place = source.numbers.index(number)
        times = [time - source.origin for time in source.times]
        found = moments(times, times[-1] + source.last_frame, [place])
        told = player(name).look(source.path, [dict(found)[place]], 0)
        sources[key] = told["fault"] if "fault" in told else told["seeks"][0][1]
    return sources[key]
