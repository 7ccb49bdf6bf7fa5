"""Makes clips judgeable: every frame carries its number, and the audio never repeats.

The number is in twenty columns of two blocks each along the top of the frame: sixteen bits and a
checksum of four. A bright block over a dark one is 1, the reverse is 0. A bit is the difference of
two blocks, so lossy coding does not change it; if the difference is small, the frame is broken.
"""

import numpy as np

WIDTH, HEIGHT, BLOCK, COLUMNS = 320, 180, 16, 20
RATE = 48_000
UNREADABLE = -1


def bits(number):
    checked = number << 4 | number % 13
    return np.array([checked >> place & 1 for place in range(COLUMNS - 1, -1, -1)], bool)


def mark(number):
    """Returns both rows of blocks, as luma."""
    top = np.where(bits(number), 210, 40).astype(np.uint8)
    rows = np.stack([top, 250 - top])
    return rows.repeat(BLOCK, 0).repeat(BLOCK, 1)


def numbers(pictures):
    """Returns the number of each frame, UNREADABLE if it has none."""
    strip = pictures[:, :2 * BLOCK, :COLUMNS * BLOCK]
    blocks = strip.reshape(len(pictures), 2, BLOCK, COLUMNS, BLOCK)
    inside = slice(BLOCK // 4, BLOCK * 3 // 4)
    level = blocks[:, :, inside, :, inside].mean((2, 4))
    difference = level[:, 0] - level[:, 1]
    value = (difference > 0) @ (1 << np.arange(COLUMNS - 1, -1, -1))
    is_clear = (np.abs(difference) > 70).all(1)
    is_checked = (value & 15) == (value >> 4) % 13
    return np.where(is_clear & is_checked, value >> 4, UNREADABLE)


def landscape(seed, height, width):
    """Returns a cloudy texture with detail at all scales, from 0 to 1."""
    noise = np.random.default_rng(seed).standard_normal((height, width))
    down, across = np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None, :]
    distance = np.maximum(np.hypot(down, across), 1 / width)
    cloud = np.fft.irfft2(np.fft.rfft2(noise) / distance ** 1.4, (height, width))
    return np.clip(0.5 + cloud / cloud.std() / 5, 0, 1)


def pictures(count):
    """Yields planar 4:2:0 frames, numbered from 0: a camera pans over a landscape."""
    luma = landscape(1, 2 * HEIGHT, 2 * WIDTH) * 200 + 20
    chroma = [landscape(seed, HEIGHT, WIDTH) * 100 + 78 for seed in (2, 3)]
    grain = np.random.default_rng(4).normal(0, 1.5, (8, HEIGHT, WIDTH))
    for number in range(count):
        x = int((1 + np.sin(number / 31)) / 2 * WIDTH) // 2
        y = int((1 + np.cos(number / 23)) / 2 * HEIGHT) // 2
        picture = luma[2 * y:2 * y + HEIGHT, 2 * x:2 * x + WIDTH] + grain[number % 8]
        picture = np.clip(picture, 16, 235).astype(np.uint8)
        picture[:2 * BLOCK, :COLUMNS * BLOCK] = mark(number)
        colours = [plane[y:y + HEIGHT // 2, x:x + WIDTH // 2].astype(np.uint8) for plane in chroma]
        yield picture.tobytes() + b"".join(colour.tobytes() for colour in colours)


def sound(seconds, seed):
    """Returns two channels of noise: of every three seconds, two are dull and one is bright."""
    count = seconds * RATE
    noise = np.random.default_rng(seed).standard_normal((2, count))
    spectrum = np.fft.rfft(noise)
    frequency = np.fft.rfftfreq(count, 1 / RATE)
    dull, bright = (np.fft.irfft(spectrum * ((frequency > 100) & (frequency < top)), count)
                    for top in (3000, 9000))
    time = np.arange(count) / RATE
    both = np.where(time % 3 < 2, dull / dull.std(), bright / bright.std())
    loud = both * (0.12 + 0.06 * np.sin(2 * np.pi * 1.7 * time))
    return (np.clip(loud, -1, 1) * 32767).astype("<i2").T.tobytes()
