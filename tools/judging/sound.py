"""Finds the position of a cut's audio in its source by correlation."""

from dataclasses import dataclass

import numpy as np

from judging import marks

WINDOW = marks.RATE // 5
REACH = marks.RATE // 10
# Decoders need a few packets to warm up if the codec overlaps them.
WARM_UP = marks.RATE * 3 // 100


@dataclass
class Match:
    # How late the cut's audio is, in seconds, in the worst window.
    error: float
    # The share of windows that match the source's audio.
    share: float
    # The share of samples that equal the source's.
    identical: float


def match(source, cut, shift, span, begins_warm):
    """Compares the cut's samples within `span` (on the cut's clock) with the source's, which are expected
    `shift` later. Unless `begins_warm`, skips the start, where a decoder lacks the packets before it."""
    first = max(0, round(float(span[0] - cut.clock) * marks.RATE))
    last = min(len(cut.samples), round(float(span[1] - cut.clock) * marks.RATE))
    # The position in the source of the cut's sample 0.
    place = round(float(cut.clock + shift - source.clock) * marks.RATE)
    errors, good, total = [], 0, 0
    for start in windows(first + (0 if begins_warm else WARM_UP), last):
        window = cut.samples[start:min(start + WINDOW, last)]
        lag, likeness = best_lag(source.samples, window, place + start)
        if likeness is None:
            continue
        total += 1
        if likeness > 0.8:
            good += 1
            errors.append(lag / marks.RATE)
    worst = max(errors, key=abs, default=0.0)
    return Match(worst, good / total if total else 1.0,
                 identical(source.samples, cut.samples[first:last], place + first
                           - round(worst * marks.RATE)))


def windows(begin, last):
    """Returns the starts of up to forty windows, including the first and the last possible one."""
    room = last - begin - WINDOW
    if room <= 0:
        return [begin] if last - begin > WARM_UP // 2 else []
    count = min(40, max(2, room // WINDOW))
    return [begin + room * number // (count - 1) for number in range(count)]


def best_lag(source, window, place):
    """Returns how many samples late the window is, and how well it matches the source there."""
    start = max(0, place - REACH)
    stretch = source[start:place + len(window) + REACH]
    if len(stretch) < len(window) or not window.any():
        return 0, None if len(stretch) < len(window) else 0.0
    size = 1 << (len(stretch) + len(window) - 1).bit_length()
    product = np.fft.rfft(stretch, size) * np.conj(np.fft.rfft(window, size))
    dots = np.fft.irfft(product, size)[:len(stretch) - len(window) + 1]
    squares = np.concatenate([[0], np.cumsum(stretch.astype(np.float64) ** 2)])
    energy = squares[len(window):] - squares[:-len(window)]
    scores = dots / np.sqrt(np.maximum(energy * (window.astype(np.float64) ** 2).sum(), 1))
    found = int(scores.argmax())
    return place - start - found, float(scores[found])


def identical(source, samples, place):
    begin, end = max(0, place), min(len(source), place + len(samples))
    if end <= begin:
        return 0.0
    same = source[begin:end] == samples[begin - place:end - place]
    return float(same.mean())
