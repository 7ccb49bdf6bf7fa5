"""How late a player's sound is against its pictures, where it says when it presents either."""

import base64
import statistics

import numpy as np

from judging import marks, sound

# Less is not heard to be the same sound.
LIKE = 0.8


def of(play, file):
    """Seconds of each window by which it is later than FFmpeg has it against the pictures."""
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
