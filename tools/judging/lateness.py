"""Measures how late a player's audio is relative to its video, if it reports when it presents each."""

import base64
import statistics

import numpy as np

from judging import marks, sound

# Below this correlation, a window is not the same audio.
LIKE = 0.8


def of(play, file):
    """Returns how many seconds late each window is, relative to the video, compared with FFmpeg."""
    if not file.sounds or not file.times or not play.get("heard"):
        return []
    pictures = [at - float(file.times[file.numbers.index(number)]) for at, number in play["shown"]
                if file.numbers.count(number) == 1]
    if not pictures:
        return []
    late, heard = statistics.median(pictures), file.sounds[0]
    found = []
    for at, samples in play["heard"]:
        window = np.frombuffer(base64.b64decode(samples), "<i2").astype(np.float32)
        place = round((at - late - float(heard.clock)) * marks.RATE)
        lag, likeness = sound.best_lag(heard.samples, window, place)
        if likeness is not None and likeness > LIKE:
            found.append(lag / marks.RATE)
    return found
