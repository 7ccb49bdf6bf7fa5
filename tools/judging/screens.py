"""Holds what a player shows of a cut against what it shows of the cut's source.

What a player does wrong with the source is its own fault, and no cut is blamed for it.
"""

from fractions import Fraction

from judging import browsers, mpv

NAMES = ("Chromium", "Firefox", "mpv")
FRAME = Fraction(1, 24)
running = {}


def installed():
    return [kind.name for kind in (*browsers.installed(), *mpv.installed())]


def player(name):
    """One of each a process: browsers take seconds to start."""
    if name not in running:
        kinds = {kind.name: kind for kind in (*browsers.installed(), *mpv.installed())}
        running[name] = kinds[name]()
    return running[name]


def close():
    while running:
        running.popitem()[1].close()


def moments(times, end, seams):
    """The middles of the first picture, the last one, and two on either side of each seam."""
    places = {0, len(times) - 1}
    for seam in seams:
        places |= {seam - 2, seam - 1, seam, seam + 1}
    places = sorted(place for place in places if 0 <= place < len(times))
    ends = [*times[1:], end]
    return [(place, times[place] + min(ends[place] - times[place], FRAME) / 2) for place in places]


def seams(report, count):
    """Where copied pictures begin and end, by trim's own report."""
    video = next((track for track in (report or {}).get("tracks", [])
                  if track["type"] == "video"), {})
    head, tail = video.get("encoded_head", 0), video.get("encoded_tail", 0)
    return [place for place in (head, count - tail) if 0 < place < count] or [count // 2]


def faults(name, source, cut, report):
    """What the player shows wrong of a cut; None where it shows the source wrong or not at all."""
    if not cut.times or cut.numbers != sorted(cut.numbers):
        return None
    late = of_source(name, source)
    if late is None:
        return None
    end = cut.times[-1] - cut.origin + cut.last_frame
    asked = moments([time - cut.origin for time in cut.times], end, seams(report, len(cut.times)))
    told = player(name).look(cut.path, [time for _, time in asked])
    if "fault" in told:
        return ["does not play: " + told["fault"][-120:]]
    found = []
    length = cut.shown_end - cut.origin
    if abs(Fraction(told["duration"] or 0) - length) > FRAME + late:
        found.append(f"is {told['duration']:.3f} s long, not {float(length):.3f}")
    if told["first"] != cut.numbers[0]:
        found.append(f"begins with {told['first']}, not {cut.numbers[0]}")
    for (place, time), (_, number) in zip(asked, told["seeks"]):
        wanted = cut.numbers[place]
        if number != wanted and finds(name, source, wanted):
            found.append(f"shows {number} at {float(time):.3f}, not {wanted}")
    return found + of_play(told["play"], cut.numbers)


def of_play(play, numbers):
    """What is wrong with the pictures that were shown from the start to the end."""
    shown = [number for _, number in play["shown"]]
    found = []
    if play["outcome"] != "ended":
        found.append(f"does not play to the end: {play['outcome'][-120:]}")
    foreign = [number for number in shown if number not in set(numbers)]
    if foreign:
        found.append(f"plays {len(foreign)} foreign pictures ({foreign[0]})")
    if shown != sorted(shown):
        found.append("plays pictures in the wrong order")
    # A browser drops pictures where the machine is slow: not a second of them.
    places = [numbers.index(number) for number in shown if number in set(numbers)]
    longest = max((b - a for a, b in zip([0, *places], [*places, len(numbers) - 1])), default=99)
    if longest > 30:
        found.append(f"stands still for {longest} pictures")
    return found


sources = {}


def of_source(name, source):
    """How wrong the player's length of the source is; None where it shows the source wrong."""
    key = (name, source.path)
    if key not in sources:
        sources[key] = witnessed(name, source)
    told = sources[key]
    if "fault" in told or told["first"] != source.numbers[0] or of_play(
            told["play"], source.numbers):
        return None
    return abs(Fraction(told["duration"] or 0) - (source.shown_end - source.origin))


def witnessed(name, source):
    times = [time - source.origin for time in source.times]
    asked = moments(times, times[-1] + source.last_frame, [])
    try:
        return player(name).look(source.path, [time for _, time in asked])
    except Exception as error:  # a browser that went away is started again for the next file
        running.pop(name, None)
        return {"fault": f"it went away: {error}"}


def finds(name, source, number):
    """Whether the player shows a picture of the source when it seeks to its middle."""
    key = (name, source.path, number)
    if key not in sources:
        place = source.numbers.index(number)
        times = [time - source.origin for time in source.times]
        found = moments(times, times[-1] + source.last_frame, [place])
        time = dict(found)[place]
        told = player(name).look(source.path, [time], 0)
        sources[key] = "fault" not in told and told["seeks"][0][1] == number
    return sources[key]
