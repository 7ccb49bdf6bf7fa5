"""Plays files in GStreamer's playbin, as desktop players do, with the decoders that it prefers."""

import base64
import importlib.util

import numpy as np

from judging import apart, marks

SINK = ("videoconvert ! videoscale ! video/x-raw,format=GRAY8,width=%d,height=%d ! "
        "appsink name=screen sync=false" % (marks.WIDTH, marks.HEIGHT))
EARS = ("audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=%d,layout=interleaved ! "
        "appsink name=ears sync=false" % marks.RATE)
VIDEO_AND_SOUND = 3
# How many windows of the audio are taken: at both ends and in between.
WINDOWS = 5
GAP = 0.002


class Playbin(apart.Apart):
    name, module, kind = "GStreamer", __name__, "Engine"


class Engine:
    """playbin, inside the separate process."""

    def __init__(self):
        import gi
        gi.require_version("Gst", "1.0")
        from gi.repository import Gst
        Gst.init(None)
        self.gst = Gst

    def look(self, path, seeks, plays=30_000):
        gst = self.gst
        player = gst.ElementFactory.make("playbin")
        sink = gst.parse_bin_from_description(SINK, True)
        player.set_property("uri", gst.filename_to_uri(str(path)))
        player.set_property("flags", VIDEO_AND_SOUND)
        player.set_property("video-sink", sink)
        heard = gst.parse_bin_from_description(EARS, True)
        player.set_property("audio-sink", heard)
        screen, ears = sink.get_by_name("screen"), heard.get_by_name("ears")
        try:
            player.set_state(gst.State.PAUSED)
            if not self.settles(player):
                return {"fault": self.fault(player)}
            known, length = player.query_duration(gst.Format.TIME)
            result = {"duration": length / gst.SECOND if known else None,
                      "first": self.number(screen.emit("pull-preroll")), "seeks": []}
            for time in seeks:
                result["seeks"].append([float(time), self.sought(player, screen, time)])
            if plays:
                result["play"] = self.play(player, screen, plays)
                result["play"]["heard"] = self.hear(ears)
            return result
        finally:
            player.set_state(gst.State.NULL)

    def sought(self, player, screen, time):
        gst = self.gst
        flags = gst.SeekFlags.FLUSH | gst.SeekFlags.ACCURATE
        if not player.seek_simple(gst.Format.TIME, flags, int(time * gst.SECOND)):
            return "refused"
        if not self.settles(player):
            return "timeout"
        sample = screen.emit("try-pull-preroll", 2 * gst.SECOND)
        return self.number(sample) if sample else "nothing"

    def play(self, player, screen, limit):
        gst = self.gst
        self.sought(player, screen, 0)
        player.set_state(gst.State.PLAYING)
        shown = []
        while sample := screen.emit("try-pull-sample", limit * gst.MSECOND):
            shown.append([self.time(sample), self.number(sample)])
        outcome = "ended" if screen.get_property("eos") else self.fault(player)
        return {"shown": shown, "outcome": outcome}

    def hear(self, ears):
        """Returns windows of the audio: when each is presented, and its samples."""
        begin, parts, count = None, [], 0
        while sample := ears.emit("try-pull-sample", self.gst.SECOND // 10):
            buffer = sample.get_buffer()
            time = self.time(sample)
            # A gap between buffers shifts all that follows, so only what precedes it is measured.
            if begin is not None and abs(begin + count / marks.RATE - time) > GAP:
                break
            begin = time if begin is None else begin
            channels = sample.get_caps().get_structure(0).get_value("channels")
            bytes_heard = buffer.extract_dup(0, buffer.get_size())
            parts.append(np.frombuffer(bytes_heard, "<i2")[::channels])
            count += len(parts[-1])
        if not count:
            return []
        whole, length = np.concatenate(parts), marks.RATE // 5
        starts = [max(0, count - length) * number // (WINDOWS - 1) for number in range(WINDOWS)]
        return [[begin + start / marks.RATE,
                 base64.b64encode(whole[start:start + length].tobytes()).decode()]
                for start in starts]

    def time(self, sample):
        """Returns when a sample is presented, in seconds."""
        form = self.gst.Format.TIME
        return sample.get_segment().to_running_time(form, sample.get_buffer().pts) / self.gst.SECOND

    def settles(self, player):
        outcome, _, _ = player.get_state(10 * self.gst.SECOND)
        return outcome in (self.gst.StateChangeReturn.SUCCESS, self.gst.StateChangeReturn.NO_PREROLL)

    def fault(self, player):
        message = player.get_bus().pop_filtered(self.gst.MessageType.ERROR)
        return message.parse_error()[0].message if message else "timeout"

    def number(self, sample):
        buffer = sample.get_buffer()
        gray = np.frombuffer(buffer.extract_dup(0, buffer.get_size()), np.uint8)
        rows = gray.reshape(1, marks.HEIGHT, -1)[:, :, :marks.WIDTH]
        return int(marks.numbers(rows)[0])


def installed():
    if not importlib.util.find_spec("gi"):
        return []
    import gi
    try:
        gi.require_version("Gst", "1.0")
    except ValueError:
        return []
    from gi.repository import Gst
    Gst.init(None)
    return [Playbin] if Gst.ElementFactory.find("playbin") else []
