import ISOMedia
import Support
import Testing

/// The files of `samples/` that are whole ISO base media files.
private let clips = [
  "anamorphic.mp4", "at-limit.mp4", "b-frames.mp4", "fragmented.mp4", "hevc.mp4",
  "late-start.mp4", "ntsc.mp4", "open-gop.mp4", "over-limit.mp4", "rotated.mp4", "silent.mp4",
  "sound-over-limit.mp4", "sound.m4a", "under-limit.mp4", "vfr.mp4",
]

/// The files of this run that FFmpeg's tools check.
private let shown = Sample.of(clips, 5)

@Suite(.timeLimit(Sample.limit)) struct `Given a file that is rewritten unchanged` {
  @Test(arguments: clips)
  func `then our reader finds the same content`(name: String) throws {
    let bytes = try SampleClips.bytes(name)
    let copy = try WrittenClip.copy(of: bytes)
    let source = try ISOMovie(reading: InMemoryBytes(bytes))
    let written = try ISOMovie(reading: InMemoryBytes(copy))
    #expect(written.problems == [])
    #expect(written.isComplete)
    #expect(written.topLevel.map(\.type).suffix(2) == ["moov", "mdat"])
    #expect(written.tags == source.tags)
    #expect(written.coverArt.map(\.byteCount) == source.coverArt.map(\.byteCount))
    #expect(written.chapters == source.chapters)
    #expect(written.tracks.count == source.tracks.count)
    for (track, original) in zip(written.tracks, source.tracks) {
      expectSame(track, original)
      let table = try track.samples()
      let first = try original.samples()
      #expect(table.allDecodeTimes == first.allDecodeTimes)
      #expect(table.allPresentationTimes == first.allPresentationTimes)
      #expect(table.allSizes == first.allSizes)
      #expect(table.allSyncIndices == first.allSyncIndices)
      for index in 0..<table.count {
        guard let place = table.offset(index), let was = first.offset(index) else {
          Issue.record("sample \(index) has no place")
          break
        }
        let size = Int(table.sizes[index])
        #expect(copy[Int(place)..<Int(place) + size] == bytes[Int(was)..<Int(was) + size])
      }
    }
  }

  private func expectSame(_ track: ISOTrack, _ original: ISOTrack) {
    #expect(track.id == original.id)
    #expect(track.handler == original.handler)
    #expect(track.handlerName == original.handlerName)
    #expect(track.language == original.language)
    #expect(track.timescale == original.timescale)
    #expect(track.isEnabled == original.isEnabled)
    #expect(track.alternateGroup == original.alternateGroup)
    #expect(track.orientation == original.orientation)
    #expect(track.displayWidth == original.displayWidth)
    #expect(track.displayHeight == original.displayHeight)
    #expect(track.sampleEntries.map(\.format) == original.sampleEntries.map(\.format))
    #expect(track.references == original.references)
    #expect(track.tags == original.tags)
    #expect(track.edits == original.edits)
    #expect(track.sampleGroupTypes == original.sampleGroupTypes)
    #expect(track.timecode == original.timecode)
  }

  @Test(
    .enabled(if: FFmpegTool.isInstalled, "ffmpeg and ffprobe are not installed"), arguments: shown)
  func `then ffmpeg decodes the same frames at the same times`(name: String) async throws {
    let folder = try ScratchFolder()
    let copy = try folder.write(
      try WrittenClip.copy(of: SampleClips.bytes(name)), to: "copy-" + name)
    let original = SampleClips.path(name)
    let frames = try await FFmpegTool.frames(copy)
    #expect(frames.contains("0,"))
    #expect(try await FFmpegTool.frames(original) == frames)
    // In fragmented files, FFmpeg uses the codec's packet duration, not the file's.
    guard name != "fragmented.mp4" else { return }
    #expect(try await FFmpegTool.packets(original) == FFmpegTool.packets(copy))
  }

  @Test(
    .enabled(if: FFmpegTool.isInstalled, "ffmpeg and ffprobe are not installed"), arguments: shown)
  func `then ffmpeg decodes the same frames from fragments`(name: String) async throws {
    let folder = try ScratchFolder()
    let copy = try folder.write(
      try WrittenClip.fragmentedCopy(of: SampleClips.bytes(name)), to: "copy-" + name)
    // FFmpeg ignores the end of a sound track's edit when samples are in fragments.
    let frames = try await FFmpegTool.frames(copy, of: ["v"])
    #expect(frames.contains("0,") || name == "sound.m4a")
    #expect(try await FFmpegTool.frames(SampleClips.path(name), of: ["v"]) == frames)
  }

  @Test(
    .enabled(if: FFmpegTool.isInstalled, "ffmpeg and ffprobe are not installed"), arguments: shown)
  func `then ffprobe reports the same streams, chapters and tags`(name: String) async throws {
    let folder = try ScratchFolder()
    let copy = try folder.write(
      try WrittenClip.copy(of: SampleClips.bytes(name)), to: "copy-" + name)
    // The lengths and frame counts of a fragmented file are known only from its fragments.
    let unstated = name == "fragmented.mp4" ? ["duration", "bit_rate", "nb_frames"] : []
    let said = try await FFmpegTool.description(copy, leavingOut: unstated)
    let original = try await FFmpegTool.description(
      SampleClips.path(name), leavingOut: unstated)
    #expect(said.contains("codec_name="))
    #expect(said == original)
  }
}
