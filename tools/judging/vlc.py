"""Plays files in VLC, with its own demuxers, clock and seeking, through libvlc and an output in memory."""

import contextlib
import ctypes
import importlib.util
import threading
from fractions import Fraction

import numpy as np

from judging import apart, marks

BYTES = 4
OPTIONS = ["--ignore-config", "--quiet", "--no-audio", "--no-spu", "--no-stats", "--avcodec-hw=none",
           "--no-video-title-show", "--no-drop-late-frames", "--no-skip-frames"]


class Screen:
    """The memory that VLC draws into: each frame is read while it is on display."""

    def __init__(self, vlc, player):
        self.memory = (ctypes.c_ubyte * (marks.WIDTH * marks.HEIGHT * BYTES))()
        self.shown, self.changed = [], threading.Condition()
        self.lock = vlc.CallbackDecorators.VideoLockCb(self.lend)
        self.display = vlc.CallbackDecorators.VideoDisplayCb(self.show)
        player.video_set_callbacks(self.lock, None, self.display, None)
        player.video_set_format("RV32", marks.WIDTH, marks.HEIGHT, marks.WIDTH * BYTES)

    def lend(self, _, planes):
        planes[0] = ctypes.addressof(self.memory)
        return None

    def show(self, *_):
        pixels = np.frombuffer(self.memory, np.uint8).reshape(1, marks.HEIGHT, marks.WIDTH, BYTES)
        number = int(marks.numbers(pixels[..., 1])[0])
        with self.changed:
            self.shown.append(number)
            self.changed.notify_all()


class Vlc(apart.Apart):
    name, module, kind = "VLC", __name__, "Engine"
    # It seeks to a DTS, not to a frame, and shows the first frame its decoder outputs.
    reach = Fraction(1, 5)
    # If a file begins with two keyframes, VLC usually starts with the second, whatever the encoder.
    skips = 1


class Engine:
    """libvlc, inside the separate process."""

    def __init__(self):
        import vlc
        self.vlc = vlc
        self.instance = vlc.Instance(OPTIONS)

    def look(self, path, seeks, plays=30_000):
        result = {"seeks": []}
        if plays:
            shown, length, outcome = self.show(path, [], plays / 1000)
            if not shown:
                return {"fault": f"no frames shown: {outcome}"}
            result |= {"duration": length, "first": shown[0], "play": {
                "shown": [[None, number] for number in shown], "outcome": outcome}}
        for time in seeks:
            one, _, outcome = self.show(path, [f":start-time={float(time):.6f}"], 8, 1)
            result["seeks"].append([float(time), one[0] if one else outcome])
        return result

    def show(self, path, options, limit, count=None):
        """Returns the frames shown, the duration in seconds, and the outcome; stops after `count` frames."""
        player, over, said = self.instance.media_player_new(), threading.Event(), []
        screen = Screen(self.vlc, player)
        kinds = self.vlc.EventType
        for kind, word in ((kinds.MediaPlayerEndReached, "ended"),
                           (kinds.MediaPlayerEncounteredError, "error")):
            player.event_manager().event_attach(
                kind, lambda _, word=word: (said.append(word), over.set()))
        media = self.instance.media_new_path(str(path))
        for option in options:
            media.add_option(option)
        player.set_media(media)
        player.play()
        if count:
            with screen.changed:
                screen.changed.wait_for(lambda: len(screen.shown) >= count or said, limit)
        else:
            over.wait(limit)
        length = player.get_length()
        # It has been seen to deadlock.
        ending = threading.Thread(target=player.stop, daemon=True)
        ending.start()
        ending.join(2)
        return screen.shown, length / 1000 if length > 0 else None, said[0] if said else "timeout"


def installed():
    if not importlib.util.find_spec("vlc"):
        return []
    with contextlib.suppress(Exception):
        import vlc
        return [Vlc] if vlc.libvlc_get_version() else []
    return []
