import Libav
import Support
import Testing

@Suite struct `Given the lists of allowed formats and codecs` {
  @Test func `then every format is one that FFmpeg has by that name`() throws {
    #expect(try AllowList.availableFormats() == AllowList.formats + AllowList.sealedFormats)
  }

  @Test func `then every decoder is one that FFmpeg has by that name`() throws {
    // FFmpeg's own decoder of AV1 needs hardware; a build has it or libdav1d.
    let all = AllowList.decoders + AllowList.sealedDecoders
    let missing = Set(all).subtracting(try AllowList.availableDecoders())
    #expect(missing.isSubset(of: ["av1", "libdav1d"]))
  }

  @Test(arguments: [
    "hls", "dash", "concat", "sdp", "rtsp", "rtp", "imf", "image2", "lavfi", "tty",
    "webm_dash_manifest",
    "applehttp", "mpjpeg", "vobsub", "ffmetadata", "rawvideo",
  ])
  func `then nothing that opens or generates other inputs is on them`(_ name: String) {
    #expect(!AllowList.formats.contains(name))
    #expect(!AllowList.sealedFormats.contains(name))
  }

  @Test(arguments: ["magicyuv", "xbin", "ansi", "png", "tiff", "exr", "jpeg2000", "webp"])
  func `then no untested decoder is on them`(_ name: String) {
    #expect(!AllowList.decoders.contains(name))
  }

  @Test func `then the two lists of formats, and of decoders, have nothing in common`() {
    #expect(Set(AllowList.formats).isDisjoint(with: AllowList.sealedFormats))
    #expect(Set(AllowList.decoders).isDisjoint(with: AllowList.sealedDecoders))
  }

  @Test func `then a format that is not on them is refused by name`() throws {
    let subtitles = Array("1\n00:00:01,000 --> 00:00:02,000\nHello\n\n".utf8)
    let error = try #require(throws: LibavError.self) { try Reading(ScriptedInput(subtitles)) }
    #expect(error.kind == .formatNotAllowed("SubRip subtitle"))
  }

  @Test func `then one that needs the complete sandbox is refused without it`() throws {
    let film = Array("YUV4MPEG2 W64 H64 F25:1 Ip A1:1 C420jpeg\nFRAME\n".utf8)
    let error = try #require(throws: LibavError.self) {
      try Reading(ScriptedInput(film + [UInt8](repeating: 90, count: 6144)))
    }
    #expect(error.kind == .formatNeedsSeal("YUV4MPEG pipe", .none))
  }

  @Test func `then noise is not recognized`() throws {
    var random = SeededGenerator(seed: 7)
    let noise = (0..<4096).map { _ in UInt8.random(in: 128...255, using: &random) & 0x9F }
    let error = try #require(throws: LibavError.self) { try Reading(ScriptedInput(noise)) }
    #expect(error.kind == .notRecognised)
  }

  @Test(arguments: ["MPNG", "M8RG"])
  func `then a codec that is not on them is named and not decoded`(_ codec: String) throws {
    let clip = RIFFBuilder.clip(
      type: "vids", codec: Array(codec.utf8),
      format: RIFFBuilder.bitmap(width: 64, height: 64, codec: codec),
      packets: [Bombs.png(width: 64, height: 64)], named: "00dc")
    let demuxer = try Demuxer(ScriptedInput(clip))
    #expect(demuxer.tracks.map(\.codec) == [codec == "MPNG" ? "png" : "magicyuv"])
    #expect(demuxer.tracks.allSatisfy { !$0.isDecodable })
    #expect(throws: LibavError.self) { _ = try demuxer.decoder(forStream: 0) }
  }
}

@Suite struct `Given what FFmpeg logs` {
  /// A Matroska file whose document type causes a warning that quotes the text.
  private func clip(type: [UInt8]) throws -> [UInt8] {
    var clip = EBMLBuilder.clip(tags: [])
    let own = try #require(clip.firstRange(of: Array("matroska".utf8)))
    clip.replaceSubrange(own, with: type.prefix(8))
    return clip
  }

  @Test func `then a line that quotes the file is kept and not printed`() throws {
    let demuxer = try Demuxer(ScriptedInput(clip(type: Array("\u{1B}]0;evil".utf8))))
    #expect(demuxer.log.lines.contains { $0.contains("\u{1B}]0;evil") })
  }

  @Test func `then a line is attributed to its own input`() throws {
    let first = try Demuxer(ScriptedInput(clip(type: Array("firstone".utf8))))
    let second = try Demuxer(ScriptedInput(clip(type: Array("other...".utf8))))
    #expect(first.log.lastLine?.contains("firstone") == true)
    #expect(second.log.lastLine?.contains("other...") == true)
    #expect(!first.log.lines.contains { $0.contains("other...") })
  }
}
