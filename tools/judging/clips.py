"""The clips of the matrix: every codec and GOP structure in every container that trim cuts."""

import os
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from judging import marks, rewriting

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trim-judge"
FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
SHORT, SCREENS, LONG = 10, 40, 66

AAC = "-c:a aac -b:a 128k"
OPUS = "-c:a libopus -b:a 96k"
MP2 = "-c:a mp2 -b:a 192k"
MP3 = "-c:a libmp3lame -b:a 128k"
PCM = "-c:a pcm_s16le"

X264 = "-c:v libx264 -preset veryfast -crf 23 -g 60"
X265 = "-c:v libx265 -preset ultrafast -crf 26 -tag:v hvc1 -x265-params log-level=error:"
MPEG4 = "-c:v mpeg4 -q:v 4 -g 60 -bf 2"
MPEG2 = "-c:v mpeg2video -q:v 4 -g 15 -bf 2"
VP9 = "-c:v libvpx-vp9 -b:v 600k -g 60 -deadline realtime -cpu-used 7 -lag-in-frames 12"
VP8 = "-c:v libvpx -b:v 800k -g 60 -deadline realtime -cpu-used 8 -auto-alt-ref 1 -lag-in-frames 12"
# Two passes: alternate reference frames, which are hidden, in packets of their own.
VP8_HIDDEN = "-c:v libvpx -b:v 800k -g 60 -deadline good -cpu-used 5 -auto-alt-ref 1 -lag-in-frames 25"
AV1 = "-c:v libsvtav1 -preset 10 -crf 35 -g 60"
PRORES = "-c:v prores_ks -profile:v 0"
MJPEG = "-c:v mjpeg -q:v 4 -pix_fmt yuvj420p"

# Variable frame rate as phones record it: jitter, a stretch at 24 and one at 60 fps, and a gap.
TELEPHONE = ("-vf \"settb=1/90000,setpts='(if(lt(N,60),N/30+0.008*sin(N*2.1),if(lt(N,108),"
             "2+(N-60)/24,if(lt(N,228),4+(N-108)/60,6.5+(N-228)/30))))/TB'\" -fps_mode passthrough "
             "-enc_time_base 1/90000 -video_track_timescale 90000")
NTSC = "-vf setpts=N*1001/30000/TB -r 30000/1001"


@dataclass(frozen=True)
class Clip:
    """One file, and how it is made: from the master or from another clip."""

    kind: str
    container: str
    options: str
    base: str = ""
    # Additional inputs; with `base`, input options for that clip.
    before: str = ""
    seconds: int = SHORT
    # The container of the cut, if it is a different one.
    into: str = ""
    # Whether decoding can start cleanly at every keyframe; with intra refresh, only at the first.
    has_clean_keys: bool = True
    # How the file is rewritten after ffmpeg has made it (judging.rewriting).
    rewriting: str = ""
    # Number of encoder passes.
    passes: int = 1

    @property
    def name(self):
        return f"{self.kind}.{self.container}"

    @property
    def target(self):
        return self.into or self.container

    @property
    def path(self):
        return CACHE / "clips" / self.name

    @property
    def is_sound(self):
        return self.container in ("m4a", "mp3", "aac", "wav", "flac", "ogg", "mka")

    @property
    def alike(self):
        """The same frames in the container of the cut, unfragmented: a player treats each container
        differently."""
        kind = self.kind.removesuffix(f"-into-{self.into}").removesuffix("-fragmented")
        return next((clip for clip in all_clips()
                     if (clip.kind, clip.container) == (kind, self.target)), self)

    def command(self):
        if self.base:
            sources = f"{self.before} -i {CACHE}/clips/{self.base} -map 0:v -map 0:a -c copy"
        elif self.is_sound:
            sources = f"-i {CACHE}/master.wav -t {self.seconds}"
        else:
            sources = (f"-i {CACHE}/master.mkv -i {CACHE}/master.wav {self.before} "
                       f"-t {self.seconds} -map 0:v -map 1:a")
        return [*FFMPEG, *shlex.split(f"{sources} {self.options}")]


def encoded(kind, first, others, options, **properties):
    """Yields one clip in several containers: encoded once, then remuxed into the others."""
    yield Clip(kind, first, options, **properties)
    for container in others.split():
        yield Clip(kind, container, "", base=f"{kind}.{first}", **properties)


def each(kind, containers, options, **properties):
    """Yields a clip that is encoded separately for each container."""
    for container in containers.split():
        yield Clip(kind, container, options, **properties)


def h264():
    everywhere = "mov mkv ts flv"
    plain = f"-pix_fmt yuv420p {AAC}"
    for kind, options in {
        "h264-closed": "-bf 2 -x264-params scenecut=0:b-pyramid=none",
        "h264-open": "-bf 3 -x264-params scenecut=0:open-gop=1",
        "h264-pyramid": "-bf 5 -x264-params scenecut=0:b-pyramid=normal:b-adapt=0:ref=4",
        "h264-interlaced": "-bf 2 -flags +ilme+ildct -vf setfield=tff "
                           "-x264-params scenecut=0:interlaced=1",
        "h264-baseline": "-profile:v baseline -x264-params scenecut=0",
    }.items():
        yield from encoded(kind, "mp4", everywhere, f"{X264} {options} {plain}")
    yield from encoded("h264-refresh", "mp4", everywhere,
                       f"{X264} -bf 0 -x264-params intra-refresh=1 {plain}", has_clean_keys=False)
    yield from encoded("h264-10bit", "mp4", everywhere,
                       f"{X264} -bf 3 -x264-params scenecut=0 -pix_fmt yuv420p10le {AAC}")
    for kind in ("closed", "open"):
        yield Clip(f"h264-{kind}-fragmented", "mp4", "-movflags frag_keyframe+empty_moov",
                   base=f"h264-{kind}.mp4")
    closed = "-bf 2 -x264-params scenecut=0"
    yield from encoded("h264-vfr", "mp4", "mkv flv", f"{X264} -bf 2 {TELEPHONE} {plain}")
    yield from encoded("h264-ntsc", "mp4", everywhere, f"{X264} {closed} {NTSC} {plain}")
    yield Clip("h264-open-into-mp4", "mkv", "", base="h264-open.mp4", into="mp4")
    yield Clip("h264-open-into-mp4", "ts", "", base="h264-open.mp4", into="mp4")
    yield Clip("h264-interlaced-into-mp4", "ts", "", base="h264-interlaced.mp4", into="mp4")
    yield Clip("h264-closed-into-mkv", "mp4", "", base="h264-closed.mp4", into="mkv")
    yield Clip("h264-closed-into-flv", "ts", "", base="h264-closed.ts", into="flv")
    yield Clip("h264-closed-into-3gp", "mp4", "", base="h264-closed.mp4", into="3gp")
    yield Clip("h264-baseline-into-avi", "mp4", "", base="h264-baseline.mp4", into="avi")
    yield Clip("h264-edit-list", "mp4", "", base="h264-closed.mp4", before="-ss 1.3")
    # Slide shows and screen recordings: each frame lasts 1.23 s.
    yield from encoded("h264-long-frames", "mp4", "mov mkv", (
        f"{X264} -g 2 -bf 1 -vf select='not(mod(n\\,37))' -fps_mode passthrough {plain}"),
        seconds=SCREENS)
    yield Clip("h264-two-byte-lengths", "mp4", f"{X264} {closed} -x264-params slices=3 {plain}",
               rewriting="two-byte-lengths")
    yield Clip("h264-long", "mp4", f"{X264} {closed} {plain}", seconds=LONG)


def hevc():
    for kind, options in {
        "hevc-idr": "keyint=60:min-keyint=60:scenecut=0:open-gop=0:bframes=3 -pix_fmt yuv420p",
        "hevc-cra": "keyint=60:min-keyint=60:scenecut=0:open-gop=1:bframes=3 -pix_fmt yuv420p",
        "hevc-10bit": "keyint=60:min-keyint=60:scenecut=0:open-gop=0:bframes=3 "
                      "-pix_fmt yuv420p10le",
    }.items():
        yield from encoded(kind, "mp4", "mov mkv ts", f"{X265}{options} {AAC}")
        yield Clip(f"{kind}-hev1", "mp4", "-tag:v hev1", base=f"{kind}.mp4")
    yield Clip("hevc-cra-into-mp4", "mkv", "", base="hevc-cra.mp4", into="mp4")
    yield Clip("hevc-cra-into-mp4", "ts", "", base="hevc-cra.mp4", into="mp4")
    yield Clip("hevc-long", "mp4", f"{X265}keyint=60:scenecut=0:open-gop=0 -pix_fmt yuv420p {AAC}",
               seconds=LONG)


def others():
    yield from encoded("vp9", "webm", "mkv", f"{VP9} -pix_fmt yuv420p {OPUS}")
    yield from encoded("vp8", "webm", "mkv", f"{VP8} {OPUS}")
    yield from encoded("vp8-vorbis", "webm", "mkv", f"{VP8} -c:a libvorbis -q:a 4")
    yield from encoded("vp8-hidden", "webm", "mkv", f"{VP8_HIDDEN} {OPUS}", passes=2)
    yield from encoded("av1", "webm", "mkv mp4", f"{AV1} {OPUS}")
    yield from each("mpeg2", "ts mp4 mkv mpg", f"{MPEG2} {MP2}")
    yield Clip("mpeg2-ac3", "vob", f"{MPEG2} -flags +ilme+ildct -vf setfield=tff -c:a ac3 -b:a 192k")
    yield Clip("mpeg1", "mpg", f"-c:v mpeg1video -q:v 4 -g 15 -bf 2 {MP2}")
    yield from each("mpeg4", "avi mp4 ts", f"{MPEG4} {MP3}")
    yield Clip("mpeg4-aac", "3gp", f"{MPEG4} {AAC}")
    yield Clip("mpeg2-into-mp4", "ts", "", base="mpeg2.ts", into="mp4")
    yield Clip("mpeg4-into-mp4", "avi", "", base="mpeg4.avi", into="mp4")
    yield Clip("mpeg4-into-ts", "mp4", "", base="mpeg4.mp4", into="ts")
    yield Clip("prores", "mov", f"{PRORES} {PCM}")
    yield from encoded("ffv1", "mkv", "avi",
                       f"-c:v ffv1 -level 3 -g 12 -slices 4 -pix_fmt yuv420p {PCM}")
    yield Clip("qtrle", "mov", f"-c:v qtrle -g 12 {PCM}")
    yield from each("mjpeg", "avi mov", f"{MJPEG} {PCM}")
    for kind, container, options in (
        ("vp9", "webm", f"{VP9} -pix_fmt yuv420p {OPUS}"), ("vp8", "webm", f"{VP8} {OPUS}"),
        ("av1", "webm", f"{AV1} {OPUS}"), ("mpeg2", "ts", f"{MPEG2} {MP2}"),
        ("mpeg4", "avi", f"{MPEG4} {MP3}"), ("prores", "mov", f"{PRORES} {PCM}"),
        ("mjpeg", "avi", f"{MJPEG} {PCM}"),
    ):
        yield Clip(f"{kind}-long", container, options, seconds=LONG)


def sounds():
    for kind, container, options in (
        ("aac", "m4a", AAC), ("mp3-cbr", "mp3", "-c:a libmp3lame -b:a 128k"),
        ("mp3-vbr", "mp3", "-c:a libmp3lame -q:a 4"), ("adts", "aac", AAC), ("pcm", "wav", PCM),
        ("flac", "flac", "-c:a flac"), ("opus", "ogg", OPUS),
        ("vorbis", "ogg", "-c:a libvorbis -q:a 4"), ("vorbis", "mka", "-c:a libvorbis -q:a 4"),
    ):
        yield Clip(kind, container, options)
        yield Clip(f"{kind}-long", container, options, seconds=LONG)


def subtitles():
    """Returns SRT with one cue per second, each half a second long."""
    return "".join(f"{second + 1}\n00:00:{second:02},250 --> 00:00:{second:02},750\n"
                   f"cue {second}\n\n" for second in range(SHORT))


def description():
    head = ";FFMETADATA1\ntitle=A marked clip\nartist=judge\n"
    return head + "".join(
        f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={start * 1000}\nEND={start * 1000 + 3000}\n"
        f"title=Chapter {start}\n" for start in range(0, SHORT - 3, 3))


def many_tracks():
    for container, text in (("mp4", "mov_text"), ("mkv", "subrip")):
        yield Clip("many-tracks", container, (
            f"-map 2:a -map 3:s -map_metadata 4 -map_chapters 4 {X264} -bf 2 -pix_fmt yuv420p "
            f"{AAC} -c:s {text} -metadata:s:v rotate=90 -metadata:s:a:0 language=jpn "
            "-metadata:s:a:1 language=eng -metadata:s:s:0 language=eng "
            "-movflags use_metadata_tags"),
            before=f"-i {CACHE}/second.wav -i {CACHE}/cues.srt -i {CACHE}/tags.txt")


def all_clips():
    return [*h264(), *hevc(), *others(), *sounds(), *many_tracks()]


def make_master():
    """Makes the video and audio from which all clips are encoded, once."""
    CACHE.joinpath("clips").mkdir(parents=True, exist_ok=True)
    (CACHE / "cues.srt").write_text(subtitles())
    (CACHE / "tags.txt").write_text(description())
    for name, seed in (("master.wav", 5), ("second.wav", 6)):
        if not (CACHE / name).exists():
            samples = marks.sound(LONG, seed)
            write(["-f", "s16le", "-ar", str(marks.RATE), "-ac", "2", "-i", "-"], [samples], name)
    if not (CACHE / "master.mkv").exists():
        size = f"{marks.WIDTH}x{marks.HEIGHT}"
        write(["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", size, "-r", "30", "-i", "-",
               "-c:v", "libx264", "-preset", "ultrafast", "-qp", "8"],
              marks.pictures(LONG * 30), "master.mkv")


def write(options, chunks, name):
    part = CACHE / f"part-{name}"
    with subprocess.Popen([*FFMPEG, *options, part], stdin=subprocess.PIPE) as process:
        for chunk in chunks:
            process.stdin.write(chunk)
        process.stdin.close()
    if process.returncode:
        raise SystemExit(f"judge: ffmpeg cannot make {name}")
    part.rename(CACHE / name)


def make(clip):
    """Makes the clip unless it exists and was made with the same recipe."""
    recipe = clip.path.with_name(clip.name + ".recipe")
    command = shlex.join(clip.command())
    if clip.base:
        command += "\n" + (CACHE / "clips" / f"{clip.base}.recipe").read_text()
    made = command + ("\n" + clip.rewriting if clip.rewriting else "")
    if clip.path.exists() and recipe.exists() and recipe.read_text() == made:
        return
    part = clip.path.with_name("part-" + clip.name)
    twice = clip.passes == 2 and not clip.base
    log = ["-passlogfile", f"{part}.log"]
    for words in [["-pass", "1", *log], ["-pass", "2", *log]] if twice else [[]]:
        result = subprocess.run([*clip.command(), *words, part], stderr=subprocess.PIPE, check=False)
        if result.returncode:
            said = result.stderr.decode(errors="replace")
            raise SystemExit(f"judge: ffmpeg cannot make {clip.name}: {said}")
    if clip.rewriting:
        rewriting.REWRITINGS[clip.rewriting](part)
    part.rename(clip.path)
    recipe.write_text(made)
