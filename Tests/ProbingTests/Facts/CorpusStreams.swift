import FoundationEssentials
import Support

/// What `ffprobe` and a full decode reported of the streams of one file, as recorded in the corpus.
struct CorpusStreams: Decodable, Sendable {
  var path: String
  var container: String
  var streams: [Stream]

  struct Stream: Decodable, Sendable {
    var type: String
    var codec: String?
    var profile: String?
    var w: Int?
    var h: Int?
    var pixFmt: String?
    var rotation: Int?
    var sampleRate: Int?
    var channels: Int?
    var packets: Int?
    var packetsKey: Int?
    var leadingAfterKey: Int?
    var frames: Int?
  }

  /// Every file of the corpus with a stream; none where there is no corpus.
  static let all: [CorpusStreams] = {
    guard let folder = Corpus.shared?.folder,
      let text = try? String(
        contentsOf: URL(filePath: folder + "/MANIFEST.jsonl"), encoding: .utf8)
    else { return [] }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return text.split(separator: "\n").compactMap {
      try? decoder.decode(CorpusStreams.self, from: Data($0.utf8))
    }.filter { !$0.streams.isEmpty }
  }()
}
