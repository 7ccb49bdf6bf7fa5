import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// Invalid pages of Ogg (RFC 3533, 6).
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given pages of Ogg` {
  private static let codecs = [
    ["-c:a", "libvorbis"], ["-c:a", "libopus"], ["-c:a", "flac"],
  ]

  private func pages(
    _ words: [String], of input: String = "sine=d=3:r=48000"
  ) async throws -> OggPages {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.ogg")
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", input, "-page_duration", "500000"] + words + [path])
    return OggPages(try fileBytes(path))
  }

  private func probe(
    _ bytes: [UInt8], _ depth: RequestedDepth = .packets, lists: Bool = false
  ) throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, to: "clip.ogg")
    var options = ProbeOptions(depth: depth)
    (options.wantsFrames, options.wantsKeyframes) = (lists, lists)
    return try Prober().probe(.file(path: Array(path.utf8)), options: options)
  }

  /// The file with one byte of a page's payload changed, and the start of that page.
  private func broken(_ pages: OggPages, page number: Int) -> (file: [UInt8], start: Int) {
    var file = pages.file
    let start = pages.pages[..<number].reduce(0) { $0 + $1.bytes.count }
    file[start + pages.pages[number].body + 2] ^= 0x55
    return (file, start)
  }

  @Test(arguments: codecs)
  func `when one does not match its checksum then it is reported as damage, with its place`(
    _ words: [String]
  ) async throws {
    let pages = try await pages(words)
    let (file, start) = broken(pages, page: 3)
    let facts = try probe(file)
    #expect(facts.damage.map(\.kind) == [.invalidStructure])
    #expect(facts.damage.first?.byteOffset == Int64(start))
    #expect(try probe(pages.file).damage.isEmpty)
    #expect(try probe(file, .header).damage.isEmpty)
  }

  @Test(arguments: codecs)
  func `when that is the last one then what decoders leave out of it is not presented`(
    _ words: [String]
  ) async throws {
    let pages = try await pages(words)
    let facts = try probe(broken(pages, page: pages.pages.count - 1).file, .frames)
    #expect(facts.damage.count == 1)
    let presented = try #require(facts.durations.presented).length
    #expect(presented < MediaDuration(3))
    #expect(facts.durations.decoded?.length == presented)
  }

  @Test func `when the lengths in one are wrong then reading goes on at the next`() async throws {
    let pages = try await pages(["-c:a", "libvorbis"])
    var file = pages.file
    let start = pages.pages[..<3].reduce(0) { $0 + $1.bytes.count }
    file[start + 27] ^= 0x55
    #expect(try probe(file).damage.map(\.byteOffset) == [Int64(start)])
  }

  @Test(arguments: [["-c:a", "libvorbis"], ["-c:a", "libspeex"]])
  func `when the last one states no position then everything in it is presented`(
    _ words: [String]
  ) async throws {
    var pages = try await pages(words)
    let whole = try #require(try probe(pages.file).durations.presented).length
    pages.pages[pages.pages.count - 1].granule = -1
    let facts = try probe(pages.file, words[1] == "libvorbis" ? .frames : .packets)
    let presented = try #require(facts.durations.presented).length
    // Nothing states any more where the sound ends within the last packet.
    #expect(presented >= whole && presented < whole + MediaDuration(2048, 48_000))
    if let decoded = facts.durations.decoded { #expect(decoded.length == presented) }
    #expect(facts.tracks.first?.audio?.padding == nil)
  }

  @Test func `when links of Theora follow one another then their headers are not frames`()
    async throws
  {
    // Links have serial numbers of their own (RFC 3533, 4).
    var links: [[UInt8]] = []
    for serial in ["1", "9"] {
      let words = ["-c:v", "libtheora", "-serial_offset", serial]
      links.append(try await pages(words, of: "testsrc2=d=1:r=25:s=192x108").file)
    }
    let facts = try probe(links[0] + links[1], .frames, lists: true)
    // Pictures that do not change are left out of such a small file.
    let single = try #require(try probe(links[0]).tracks.first?.frameCount)
    #expect(facts.tracks.first?.frameCount == 2 * single)
    #expect(facts.tracks.first?.shownFrames.count == 2 * single)
    #expect(facts.damage.isEmpty)
    #expect(facts.durations.presented?.length == MediaDuration(2))
    #expect(facts.durations.decoded?.length == MediaDuration(2))
  }

  @Test func `when links differ then each frame has its time on the timeline of all`()
    async throws
  {
    let small = try await pages(["-c:v", "libtheora"], of: "testsrc2=d=1:r=25:s=192x108").file
    let sound = try await pages(["-c:a", "libvorbis"], of: "sine=d=2:r=48000").file
    for first in [sound, sound + small] {
      let facts = try probe(first + sound + small, lists: true)
      let track = try #require(facts.tracks.first { $0.kind == .video })
      let end = try #require(facts.durations.presented?.end)
      let last = try #require(track.shownFrames.last)
      #expect(last.time + last.duration == end)
      #expect(track.shownFrames.count == track.frameCount)
      #expect(
        zip(track.shownFrames, track.shownFrames.dropFirst()).allSatisfy { $0.time < $1.time })
      let keys = track.keyframes
      #expect(keys.count == track.gops?.count)
      for key in keys {
        let number = try #require(key.frame)
        #expect(track.shownFrames[number].time == key.time)
      }
    }
  }
}
