"""Makes the files that are timed, once, in $XDG_CACHE_HOME/trim-bench."""

import os
import subprocess
import sys
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trim-bench"
SOURCE = "testsrc2=s=1280x720:r=30,noise=alls=12:allf=t"
H264 = "-c:v libx264 -preset ultrafast -bf 3 -x264-params b-adapt=0:keyint=60:scenecut=0".split()
HEVC = "-c:v libx265 -preset ultrafast -tag:v hvc1 -x265-params keyint=60:scenecut=0:log-level=error".split()
AAC = "-c:a aac -b:a 128k".split()
BATCH = 200


def ffmpeg(*arguments, output):
    """Writes under a temporary name first, so that an interrupted run leaves no partial file."""
    part = output.with_name("part-" + output.name)
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments), str(part)]
    subprocess.run(command, check=True)
    part.rename(output)


def small_clip():
    """Makes 5 s of 360p30, about half a megabyte."""
    clip = CACHE / "small.mp4"
    if not clip.exists():
        sine = ["-f", "lavfi", "-i", "sine=r=48000"]
        ffmpeg("-f", "lavfi", "-i", SOURCE, *sine, "-t", 5, "-vf", "scale=640:360", *H264,
               "-b:v", "700k", *AAC, output=clip)
    return clip


def big_clip():
    """Makes 600 s of 720p30 H.264 with three B-frames, and AAC, 300 MB: 20 s, repeated 30 times."""
    clip = CACHE / "big.mp4"
    if not clip.exists():
        print("bench: making a 300 MB file (once)", file=sys.stderr)
        part = CACHE / "twenty-seconds.mp4"
        ffmpeg("-f", "lavfi", "-i", SOURCE, "-t", 20, *H264, "-b:v", "3900k", "-minrate", "3900k",
               "-maxrate", "3900k", "-bufsize", "2M", output=part)
        ffmpeg("-stream_loop", 29, "-i", part, "-f", "lavfi", "-i", "sine=r=48000:d=600",
               "-map", "0:v", "-map", "1:a", "-c:v", "copy", *AAC, output=clip)
        part.unlink()
    return clip


def many_clips():
    folder = CACHE / "many"
    folder.mkdir(exist_ok=True)
    clips = [folder / f"{number:03}.mp4" for number in range(BATCH)]
    for clip in clips:
        if not clip.exists():
            clip.hardlink_to(small_clip())
    return clips


def full_hd_clip():
    """Makes 600 s of 1080p30 with three B-frames, a keyframe at least every 250 frames, and stereo
    audio: 20 s, repeated 30 times."""
    clip = CACHE / "full-hd.mp4"
    if not clip.exists():
        print("bench: making a ten-minute file (once)", file=sys.stderr)
        part = CACHE / "twenty-full-hd-seconds.mp4"
        source = "testsrc2=s=1920x1080:r=30,noise=alls=6:allf=t"
        ffmpeg("-f", "lavfi", "-i", source, "-t", 20, "-c:v", "libx264", "-preset", "veryfast",
               "-bf", 3, "-g", 250, "-b:v", "6000k", output=part)
        ffmpeg("-stream_loop", 29, "-i", part, "-i", stereo_sound(), "-map", "0:v", "-map", "1:a",
               "-c", "copy", output=clip)
        part.unlink()
    return clip


def stereo_sound():
    """Makes 600 s of AAC with two different channels."""
    clip = CACHE / "stereo.m4a"
    if not clip.exists():
        noise = "anoisesrc=r=48000:d=600:a=0.3:c=pink:seed="
        sides = f"{noise}1[l];{noise}2[r];[l][r]amerge=inputs=2,tremolo=f=0.2:d=0.9"
        ffmpeg("-f", "lavfi", "-i", sides, *AAC, output=clip)
    return clip


def looped_clip(name, times, rate, noise):
    """Makes 25 s of 1080p30 with stereo audio, repeated `times` times: the same content at any length,
    with a keyframe every 250 frames, as is x264's default."""
    clip = CACHE / f"{name}.mp4"
    if not clip.exists():
        part = CACHE / f"part-of-{name}.mp4"
        source = f"testsrc2=s=1920x1080:r=30,noise=alls={noise}:allf=t"
        ffmpeg("-f", "lavfi", "-i", source, "-t", 25, "-c:v", "libx264", "-preset", "veryfast",
               "-bf", 3, "-g", 250, "-sc_threshold", 0, "-b:v", rate, output=part)
        sound = CACHE / f"part-of-{name}.m4a"
        ffmpeg("-i", stereo_sound(), "-t", 25, "-c", "copy", output=sound)
        loop = ["-stream_loop", times - 1]
        ffmpeg(*loop, "-i", part, *loop, "-i", sound, "-map", "0:v", "-map", "1:a", "-c", "copy",
               output=clip)
        part.unlink()
        sound.unlink()
    return clip


def av1_clip():
    """Makes 20 s of 180p30 with a keyframe every four seconds."""
    clip = CACHE / "av1.mp4"
    if not clip.exists():
        ffmpeg("-f", "lavfi", "-i", SOURCE, "-t", 20, "-vf", "scale=320:180", "-c:v", "libsvtav1",
               "-preset", 8, "-crf", 35, "-g", 120, output=clip)
    return clip
