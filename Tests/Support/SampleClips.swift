/// The files of `samples/`, which are in the repository.
package enum SampleClips {
  package static let folder: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return parts.reduce(into: "") { $0 += "/" + $1 } + "/samples"
  }()

  package static let names = [
    "adts.aac", "anamorphic.mp4", "at-limit.mp4", "b-frames.mp4", "broadcast.ts", "chapters.mkv",
    "fragmented.mp4", "gapless.mp3", "hevc.mp4", "late-start.mp4", "live.webm", "not-media.mp4",
    "ntsc.mp4", "open-gop.mp4", "over-limit.mp4", "rotated.mp4", "silent.mp4",
    "sound-over-limit.mp4", "sound.m4a", "sound.opus", "truncated.mp4", "under-limit.mp4",
    "vbr.mp3", "vfr.mp4", "wrapped.ts",
  ]

  package static func path(_ name: String) -> String { folder + "/" + name }

  package static func bytes(_ name: String) throws -> [UInt8] { try fileBytes(path(name)) }
}
