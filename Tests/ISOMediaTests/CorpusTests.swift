import FoundationEssentials
import ISOMedia
import Testing

/// A file of the corpus and what an independent reader found in it.
struct CorpusFile: Decodable, Sendable, CustomTestStringConvertible {
  var path: String
  var bytes: Int64
  var container: String
  var native: Native?

  var testDescription: String { path }

  struct Native: Decodable, Sendable {
    var moofs: Int?
    var sidx: Int?
    var mvhd: String?
    var mehd: String?
    var truncation: [String]?
    var tracks: [Track]?
  }

  struct Track: Decodable, Sendable {
    var id: UInt32?
    var hdlr: String?
    var codec: String?
    var mdhd: String?
    var tkhd: String?
    var samples: Int64?
    var sttsSum: String?
    var fragmentSum: String?
    var firstFragmentTime: Int64?
    var ctts: [Int64]?
    var stss: Int?
    var edits: [[Int64]]?

    enum CodingKeys: String, CodingKey {
      case id, hdlr, codec, mdhd, tkhd, samples, ctts, stss
      case sttsSum = "stts_sum"
      case fragmentSum = "frag_sum"
      case firstFragmentTime = "tfdt0"
      case edits = "elst"
    }
  }

  static let folder = ProcessInfo.processInfo.environment["TRIM_CORPUS"]

  /// Every ISO file of the corpus that has a track; none when the corpus is missing.
  static let all: [CorpusFile] = {
    guard let folder,
      let text = try? String(contentsOf: URL(filePath: folder + "/MANIFEST.jsonl"), encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").compactMap {
      try? JSONDecoder().decode(CorpusFile.self, from: Data($0.utf8))
    }.filter { $0.container == "isobmff" }
  }()

  var contents: InMemoryBytes {
    get throws {
      let url = URL(filePath: (Self.folder ?? "") + "/" + path)
      return InMemoryBytes(Array(try Data(contentsOf: url)))
    }
  }
}

/// `numerator/denominator` of the manifest; "None" or zero means unknown.
private struct Ticks {
  var count: UInt64?
  var scale: Int64?

  init(_ text: String?) {
    let parts = (text ?? "").split(separator: "/")
    count = parts.first.flatMap { UInt64($0) }
    scale = parts.count > 1 ? Int64(parts[1]).flatMap { $0 > 0 ? $0 : nil } : nil
  }

  /// How durations in headers are read: 0, all ones and values beyond 63 bits are unknown.
  var duration: Int64? {
    guard let count, count != 0, count != UInt64(UInt32.max) else { return nil }
    return Int64(exactly: count)
  }
}

@Suite(
  .enabled(if: !CorpusFile.all.isEmpty, "TRIM_CORPUS names no folder with a MANIFEST.jsonl"),
  .timeLimit(.minutes(5)))
struct `Given the ISO files of the corpus` {
  static let clips = CorpusFile.all.filter { $0.native?.mvhd != nil && $0.bytes > 100 }

  @Test(arguments: clips)
  func `then the movie's headers are those an independent reader found`(
    _ file: CorpusFile
  ) throws {
    let movie = try ISOMovie(reading: try file.contents)
    let native = try #require(file.native)
    let header = Ticks(native.mvhd)
    #expect(movie.timescale == header.scale)
    #expect(movie.duration == header.duration)
    #expect(movie.fragmentDuration == Ticks(native.mehd).duration)
    #expect(movie.movieFragmentCount == native.moofs)
    #expect(movie.segmentIndexCount == native.sidx)
    #expect(movie.tracks.count == native.tracks?.count)
  }

  @Test(arguments: clips)
  func `then every track's tables are those an independent reader found`(
    _ file: CorpusFile
  ) throws {
    let movie = try ISOMovie(reading: try file.contents)
    let expected = (file.native?.tracks ?? []).filter { $0.id != nil }
    for (track, native) in zip(movie.tracks, expected) {
      #expect(track.id == native.id)
      #expect(track.handler?.description == native.hdlr)
      #expect(track.sampleEntries.first?.format.description == native.codec)
      #expect(track.timescale == Ticks(native.mdhd).scale)
      #expect(track.mediaDuration == Ticks(native.mdhd).duration)
      #expect(track.headerDuration == Ticks(native.tkhd).duration)
      let table = try track.samples()
      expectSamples(table, of: track, native)
      // One file of the corpus has a sync sample with a flipped bit: it is skipped and reported.
      let isDamaged = movie.problems.contains {
        $0.kind == .invalidEntries && $0.trackID == track.id
      }
      if native.fragmentSum == nil, !isDamaged {
        #expect(table.syncIndices?.count == native.stss)
      }
      let edits = (native.edits ?? []).map { [$0[0], $0[1]] }
      #expect(track.edits.map { [Int64($0.segmentDuration), $0.mediaTime] } == edits)
    }
  }

  private func expectSamples(
    _ table: ISOSampleTable, of track: ISOTrack, _ native: CorpusFile.Track
  ) {
    #expect(Int64(table.count) == track.sampleCount)
    if native.fragmentSum == nil { #expect(Int64(table.count) == native.samples) }
    let sum = (0..<table.count).reduce(into: Int64(0)) { $0 += Int64(table.durations[$1]) }
    #expect(sum == track.timing.totalDuration)
    let stated = (Ticks(native.sttsSum).count ?? 0) + (Ticks(native.fragmentSum).count ?? 0)
    #expect(UInt64(sum) == stated)
    #expect(track.firstFragmentTime == native.firstFragmentTime)
    if native.fragmentSum == nil, let offsets = native.ctts {
      #expect(track.timing.leastCompositionOffset.map(Int64.init) == offsets[1])
      #expect(track.timing.greatestCompositionOffset.map(Int64.init) == offsets[2])
    }
  }
}
