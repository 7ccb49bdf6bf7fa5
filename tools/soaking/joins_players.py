"""Shows joined files of all kinds in five players, which have demuxers, clocks and rules of their own."""

import collections
import json
from fractions import Fraction

from judging import screens
from soaking import bench as benches
from soaking import joins

ABOUT = "joined files in Chromium, Firefox, mpv, VLC and GStreamer, beside their sources (needs the players)"
# Each kind once in the lead and once as what follows, in each container.
COUNT = len(joins.KINDS) * len(joins.ENDINGS)
# Which containers browsers do not play.
UNPLAYED = {("Chromium", "ts"), ("Firefox", "ts")}


def timed(numbers, times):
    """Returns each picture's number with when it begins and ends."""
    return list(zip(numbers, times, [*times[1:], times[-1] + 0.04])) if times else []


def sought(player, picture):
    """Returns where a player is sent to show a picture: mpv shows the first one that begins no earlier."""
    _, begin, end = picture
    return Fraction(max(0, begin - 0.01) if player == "mpv" else (begin + end) / 2)


def shown(path, pair, sources):
    """Returns the pictures; the number is `None` where they are between bars, since a player is read at its own
    edges."""
    times = [time for _, time in joins.frames(path)]
    whole, read = joins.shown_size(path), []
    for place, name in pair:
        size = sources.size(name)
        count = len(sources.frames(name)) if size else None
        fits = size and whole and whole[0] * size[1] == whole[1] * size[0]
        read.append((count, [joins.FRAMES * place + one for one in range(count or 0)] if fits else None))
    # Black pictures of sound alone: as many as the other source leaves.
    rest = len(times) - sum(count for count, _ in read if count is not None)
    numbers = [number for count, own in read
               for number in (own or [None] * (rest if count is None else count))]
    return timed(numbers, times)


def places(count, seam):
    """Returns the pictures to look at: next to the seam, at both ends, and every fifth."""
    near = {0, count - 1, *range(seam - 3, seam + 5), *range(0, count, 5)}
    return sorted(place for place in near if 0 <= place < count)


def looked(player, path, times):
    try:
        return screens.player(player).look(path, times)
    except Exception as failure:  # noqa: BLE001 (each driver has errors of its own)
        broken = screens.running.pop(player, None)
        try:
            broken.close()
        except Exception:  # noqa: BLE001
            pass
        return {"fault": f"the driver lost it: {type(failure).__name__}"}


def wrong(player, path, wanted, seam):
    """Returns what a player shows wrong: by picture for seeks, and for playing."""
    told = looked(player, path, [sought(player, wanted[place]) for place in places(len(wanted), seam)])
    if "fault" in told:
        return {"all": told["fault"][-160:]}
    faults = {}
    for place, (_, number) in zip(places(len(wanted), seam), told["seeks"]):
        right = [wanted[place][0]]
        if player == "VLC":
            # It goes to a decoding time, a fifth of a second off at most, and in transport streams to a keyframe (018).
            reach = 1 if path.suffix == ".ts" else 0.2
            right = [one for one, begin, _ in wanted if abs(begin - wanted[place][1]) <= reach]
        if None not in right and number not in right:
            faults[place] = number if isinstance(number, int) else number[-160:]
    played = [number for _, number in told.get("play", screens.SILENT)["shown"]]
    known = [number for number, *_ in wanted if number is not None]
    if None not in {number for number, *_ in wanted}:
        # On a busy machine browsers leave out pictures, but never change their order.
        order = [place for place, number in enumerate(known) if number in set(played)]
        unlike = [number for number in dict.fromkeys(played) if number not in set(known)]
        if unlike:
            faults["play"] = f"shows {unlike[:4]}"
        elif list(dict.fromkeys(played)) != [known[place] for place in order]:
            faults["play"] = "in another order"
        elif player not in ("Chromium", "Firefox") and len(order) < len(known):
            faults["play"] = f"without {sorted(set(known) - set(played))[:4]}"
    return faults


def repeated(player, path, wanted, seam):
    """Returns what is wrong every time: on a busy machine, a player may miss a picture that it shows the next time."""
    faults = wrong(player, path, wanted, seam)
    for _ in range(2):
        if faults and "all" not in faults:
            again = wrong(player, path, wanted, seam)
            faults = {at: text for at, text in faults.items() if at in again or "all" in again}
    return faults


def within(folder, source, ending):
    """Returns the packets of a source in this container; the source itself where it holds others only."""
    if source.suffix == f".{ending}":
        return source
    copy = folder / f"{source.stem}-copy.{ending}"
    done = benches.run([*joins.FFMPEG, "-i", source, "-map", "0:v", "-map", "0:a?", "-c", "copy", copy], joins.PATIENCE)
    return copy if done.status == 0 else source


def alike(folder, path, leader, ending, wanted):
    """Returns the joined pictures as FFmpeg encodes them into this container, as it made the leading source."""
    words = next(words for _, name, _, words in joins.KINDS if name == leader)
    words = [word for word in words if word not in ("-an", "-vn")]
    if "-vf" in words:
        at = words.index("-vf")
        words = words[:at] + words[at + 2:]
    if "-c:v" not in words:
        words = [*joins.X264, *words]
    own = folder / f"own.{ending}"
    done = benches.run([*joins.FFMPEG, "-i", path, "-map", "0:v", "-map", "0:a?", "-fps_mode", "passthrough", *words, own],
                       joins.PATIENCE)
    if done.status != 0:
        return None
    again = [time for _, time in joins.frames(own)]
    if len(again) != len(wanted):
        return None
    return own, timed([number for number, *_ in wanted], again)


def cell(bench, sources, number, folder):
    # The first twelve have every kind, and a third of them every container.
    place, turn = number % len(joins.KINDS), number // len(joins.KINDS)
    ending = joins.ENDINGS[(place + turn) % len(joins.ENDINGS)]
    pair = [(one, joins.KINDS[one][1]) for one in (place, (place + 1) % len(joins.KINDS))]
    one, other = (sources.folder / name for _, name in pair)
    target = folder / f"joined.{ending}"
    row = {"pair": [joins.KINDS[one][0] for one, _ in pair], "to": ending, "players": {}}
    done = benches.run([bench.trim, "join", one, other, "-o", target, "--json"], joins.PATIENCE)
    if done.status != 0:
        return {**row, "fault": done.err[-200:]}
    wanted = shown(target, pair, sources)
    seam = len(sources.frames(pair[0][1])) if sources.size(pair[0][1]) else len(wanted) // 2
    peer = None
    for player in screens.installed():
        if (player, ending) in UNPLAYED:
            continue
        faults = repeated(player, target, wanted, seam)
        result = {"seeks": len(places(len(wanted), seam)), "wrong": len(faults), "own": 0}
        if faults:
            # A picture that is shown wrong of a source too, or of FFmpeg's own file of the same pictures.
            peer = peer or alike(folder, target, pair[0][1], ending, wanted)
            usual = set(wrong(player, peer[0], peer[1], seam)) if peer else set()
            for (index, name), first in zip(pair, (0, seam)):
                if not sources.size(name) or usual >= set(faults) or "all" in usual:
                    continue
                copy = within(folder, sources.folder / name, ending)
                times = [time for _, time in joins.frames(copy)]
                own = timed(range(joins.FRAMES * index, joins.FRAMES * index + len(times)), times)
                found = wrong(player, copy, own, 0)
                pictures = [at for at in found if isinstance(at, int)]
                # What it never shows right, such as turned pictures, it shows no better of a join.
                if "all" in found or len(pictures) == len(places(len(own), 0)):
                    usual |= set(faults)
                usual |= {"play"} & set(found)
                # A picture of the source is sought with those around it.
                usual |= {first + at + step for at in pictures for step in range(-4, 5)}
            if "all" in usual:
                usual = set(faults)
            result["own"] = len(set(faults) & usual)
            result["faults"] = {str(at): text for at, text in faults.items() if at not in usual}
            result["shared"] = {str(at): text for at, text in faults.items() if at in usual}
        row["players"][player] = result
    return row


def run(bench):
    lacking = [name for name in screens.NAMES if name not in screens.installed()]
    if lacking:
        print(f"soak: not installed, or without its driver: {', '.join(lacking)}")
        return 1
    folder = bench.folder / "sources"
    folder.mkdir()
    sources = joins.Sources(joins.made(folder))
    tally = collections.defaultdict(collections.Counter)
    left = []
    # The drivers of browsers belong to one thread.
    bench.jobs = 1
    rows = benches.Rows("joins_players")
    for row in bench.cells(lambda number, folder: cell(bench, sources, number, folder)):
        if "fault" in row:
            left.append(f"{' + '.join(row['pair'])}, .{row['to']}: {row['fault']}")
        for player, result in row["players"].items():
            count = tally[player, row["to"]]
            count["files"] += 1
            count["seeks"] += result["seeks"]
            count["own"] += result["own"]
            count["wrong"] += result["wrong"] - result["own"]
            for at, text in result.get("faults", {}).items():
                left.append(f"{player}, {' + '.join(row['pair'])}, .{row['to']}: picture {at}: {text}")
        rows.add(row)
        if bench.only is not None:
            print(json.dumps(row, indent=2))
    screens.close()
    lines = ["# Joined files in five players", "",
             f"`tools/soak joins_players --count {bench.count}`: each kind of `tools/soak joins` before the next one, "
             "into each container. Sought are the pictures next to the seam, at both ends and every fifth, and the file is "
             "played. *As usual*: wrong in the same place of a source, or of FFmpeg's own file of the same pictures, "
             "by the player's own rules ([022](../../Documentation/Decisions/022-joins-in-players.md)).", "",
             "| player | output | files | seeks | wrong as usual | wrong only in the join |", "|---|---|" + "---:|" * 4]
    for player in screens.NAMES:
        for ending in joins.ENDINGS:
            count = tally.get((player, ending))
            if count:
                lines.append(f"| {player} | .{ending} | {count['files']} | {count['seeks']} | {count['own']} | "
                             f"{count['wrong']} |")
    lines += ["", *(f"- {line}" for line in left)] if left else []
    print("\n".join(lines))
    print(f"rows: {rows.path}")
    if bench.only is None:
        bench.write("joins_players", lines)
    return 1 if left else 0
