"""What the soak of edit lists asks of the other programs' own Python: a verb, and arguments as JSON."""

import json
import sys


def write(path, clips, rate):
    import opentimelineio as otio
    from opentimelineio.opentime import RationalTime, TimeRange
    timeline = otio.schema.Timeline("soak")
    track = otio.schema.Track("V", kind=otio.schema.TrackKind.Video)
    timeline.tracks.append(track)
    for clip in clips:
        media = otio.schema.ExternalReference(
            target_url=clip["url"],
            available_range=TimeRange(RationalTime(0, rate), RationalTime(1_000_000, rate)))
        track.append(otio.schema.Clip(
            clip["name"], media,
            TimeRange(RationalTime(clip["start"], rate), RationalTime(clip["length"], rate))))
    more = {"rate": rate} if path.endswith(".edl") else {}
    otio.adapters.write_to_file(timeline, path, **more)


def read(path, rate=None):
    import opentimelineio as otio
    timeline = otio.adapters.read_from_file(path, **({"rate": rate} if rate else {}))
    return [{"url": clip.media_reference.target_url, "name": clip.name,
             "start": clip.source_range.start_time.value, "length": clip.source_range.duration.value,
             "rate": clip.source_range.start_time.rate} for clip in timeline.find_clips()]


def subtitles(path, cues):
    import pysubs2
    file = pysubs2.SSAFile()
    for cue in cues:
        file.append(pysubs2.SSAEvent(start=cue["start"], end=cue["end"], text=cue["text"]))
    file.save(path)


def whisper(path):
    import pysubs2
    with open(path, encoding="utf-8") as file:
        read = pysubs2.load_from_whisper(json.load(file))
    return [{"start": cue.start, "end": cue.end, "text": cue.text} for cue in read]


def sponsors(path, segments, duration):
    import yt_dlp
    from yt_dlp.postprocessor import ModifyChaptersPP, SponsorBlockPP

    class Local(SponsorBlockPP):
        """The processor with segments that were not fetched."""

        def _get_sponsor_segments(self, video_id, service):
            return segments

    with yt_dlp.YoutubeDL({"quiet": True}) as ydl:
        base = {"id": "x", "extractor": "youtube", "extractor_key": "Youtube", "title": "x",
                "duration": duration}
        _, info = Local(ydl, ["sponsor", "chapter"]).run(dict(base))
        with open(path, "w", encoding="utf-8") as file:
            json.dump(ydl.sanitize_info(info), file)
        chapters = [{"start_time": 10.5 * n, "end_time": 10.5 * (n + 1), "title": f"Part {n}"}
                    for n in range(20)]
        with open(path.replace("clip.", "chapters."), "w", encoding="utf-8") as file:
            json.dump(ydl.sanitize_info({**base, "chapters": chapters}), file)
        processor = ModifyChaptersPP(ydl, remove_sponsor_segments=["sponsor"])
        _, removed = processor._mark_chapters_to_remove([], [dict(c) for c in info["sponsorblock_chapters"]])
    return {"removed": [(c["start_time"], c["end_time"]) for c in removed if c.get("remove")],
            "chapters": [(c["start_time"], c["end_time"], c["title"]) for c in chapters]}


if __name__ == "__main__":
    verb = {"write": write, "read": read, "subtitles": subtitles, "whisper": whisper, "sponsors": sponsors}
    print(json.dumps(verb[sys.argv[1]](**json.load(sys.stdin))))
