import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// Containers that state a different size than their pictures have, and frames that are not shown.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given what a container states about its video` {
  private func clip(_ ending: String, _ words: [String]) async throws -> [UInt8] {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=d=1:r=25:s=160x120"] + words + [path])
    return try fileBytes(path)
  }

  private func facts(_ bytes: [UInt8]) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip")
    return try Prober().probe(.file(path: Array(path.utf8)))
  }

  @Test(
    arguments: [
      ("mkv", ["-c:v", "libx264"]), ("mkv", ["-c:v", "mpeg4"]), ("mkv", ["-c:v", "libvpx"]),
    ])
  func `when Matroska states another width then that is reported`(
    _ ending: String, _ words: [String]
  ) async throws {
    var bytes = try await clip(ending, words)
    #expect(try !facts(bytes).notes.contains { $0.id == .sizeDiffers })
    // PixelWidth (RFC 9559, 5.1.4.1.28.6), a byte of length and 160.
    let place = try #require(bytes.ranges(of: [0xB0, 0x81, 160]).first)
    bytes[place.lowerBound + 2] = 200
    let facts = try facts(bytes)
    let note = try #require(facts.notes.first { $0.id == .sizeDiffers })
    #expect(note.text.contains("200x120") && note.text.contains("160x120"))
    #expect(facts.tracks.first?.video?.width == 160)
  }

  @Test func `when AVI states another size then that is reported`() async throws {
    var bytes = try await clip("avi", ["-c:v", "mpeg4"])
    #expect(try !facts(bytes).notes.contains { $0.id == .sizeDiffers })
    // BITMAPINFOHEADER: its own size, then width and height, four bytes each.
    let place = try #require(bytes.ranges(of: Array("strf".utf8)).first).upperBound + 4
    bytes.replaceSubrange(place + 4..<place + 6, with: [0x80, 2])
    let facts = try facts(bytes)
    let note = try #require(facts.notes.first { $0.id == .sizeDiffers })
    #expect(note.text.contains("640x120") && note.text.contains("160x120"))
  }

  @Test
  func `when frames before the first keyframe are not shown then they do not affect the rate`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=2:r=25:s=160x120", "-c:v", "libx264", "-g",
      "25", "-bf", "0", path,
    ])
    // One picture of the first GOP is left, then a gap, then the rest of it.
    let cut = folder.path(of: "cut.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-c", "copy", "-bsf:v",
      "noise=drop=lt(n\\,4)+between(n\\,5\\,12)", "-use_editlist", "0", cut,
    ])
    let facts = try facts(try fileBytes(cut))
    let video = try #require(facts.tracks.first?.video)
    #expect(facts.tracks.first?.frameCount == 25)
    #expect(video.averageFrameRate == Rational(25))
    #expect(video.isConstantFrameRate == true)
  }
}
