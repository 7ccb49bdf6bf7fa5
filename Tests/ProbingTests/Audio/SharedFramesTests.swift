import ExactTime
import Probing
import Support
import Testing

/// Windows Media Audio as Microsoft writes it: packets state how many frames end in them, and share
/// frames with their neighbors.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Windows Media Audio whose packets share frames` {
  private func clip(ending last: UInt8, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.wma")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=2:seed=3:a=0.4", "-c:a", "wmav2",
      "-b:a", "64k", path,
    ])
    let frames = folder.path(of: "frames")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "data", frames,
    ])
    var file = try fileBytes(path)
    let packets = try fileBytes(frames)
    // The sound format (WAVEFORMATEX) is followed by six bytes of flags, and six of padding.
    let format = try #require(file.firstRange(of: [0x61, 0x01, 0x01, 0x00, 0x44, 0xAC, 0, 0]))
    let (size, flags) = (format.lowerBound + 12, format.lowerBound + 18 + 4)
    try #require(file[flags] == 1)
    file[flags] = 3
    let length = Int(file[size]) | Int(file[size + 1]) << 8
    let starts = stride(from: 0, to: packets.count, by: length)
    for (number, start) in starts.enumerated() {
      let place = try #require(file.firstRange(of: packets[start..<start + 24])).lowerBound
      file[place] = number == 0 ? 4 : start + length >= packets.count ? last : 2
    }
    return try folder.write(file, to: "shared-\(last).wma")
  }

  @Test func `when it is probed then it ends where its last packet's frames do`() async throws {
    let folder = try ScratchFolder()
    let paths = [
      try await clip(ending: 1, in: folder), try await clip(ending: 5, in: folder),
    ]
    var ends: [MediaTime] = []
    for path in paths {
      let facts = try Prober().probe(.file(path: Array(path.utf8)))
      let presented = try #require(facts.durations.presented)
      #expect(presented.start == .zero)
      ends.append(try #require(presented.end))
    }
    // Four frames of 2048 samples, in milliseconds.
    #expect(
      try ends[1].distance(from: ends[0]).subtracting(MediaDuration(186, 1000)).magnitude
        < MediaDuration(2, 1000))
  }
}
