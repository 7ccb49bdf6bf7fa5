import MediaFacts
import TrimStudio
import Trimming

extension StudioSettings.FileType {
  /// All file types, each once, after the four that fit a file: its own, another for video, its audio
  /// alone as it is, and uncompressed audio.
  ///
  /// - Parameter name: the file name that is proposed.
  static func all(for facts: MediaFacts, own name: [UInt8]) -> [Self] {
    let tracks = facts.tracks.filter(\.isPresented)
    let proposed = OutputContainer(fileName: name) ?? .matroska
    var first = [ending(of: proposed)]
    if tracks.contains(where: { $0.kind == .video }) {
      first.append(proposed == .mp4 ? "mkv" : "mp4")
    }
    if let audio = tracks.first(where: { $0.kind == .audio }) {
      first += [soundEnding(audio.codec), "wav"]
    }
    first = first.enumerated().filter { first.firstIndex(of: $1) == $0 }.map(\.element)
    let others = (OutputContainer.allCases.map(ending) + ["mka"]).filter { !first.contains($0) }
    return first.map { Self(ending: $0, name: word($0), isFirst: true) }
      + others.sorted().map { Self(ending: $0, name: word($0), isFirst: false) }
  }

  private static func ending(of container: OutputContainer) -> String {
    container.rules.nameEndings[0]
  }

  /// The file type for one audio codec alone, where packets can be copied.
  private static func soundEnding(_ codec: Codec) -> String {
    // Those for few codecs first.
    let known: [OutputContainer] = [
      .mp3, .opus, .flac, .ac3, .eac3, .dts, .mp2, .amr, .ogg, .m4a, .wav,
    ]
    return known.first { $0.rules.codecs?.contains(codec) == true }.map(ending) ?? "mka"
  }

  private static func word(_ ending: String) -> String {
    words[ending].map { "\(ending.uppercased()) (\($0))" } ?? ending.uppercased()
  }

  private static let words = [
    "mkv": "Matroska", "mka": "Matroska, audio", "mov": "QuickTime", "ts": "transport stream",
    "m2ts": "AVCHD, Blu-ray", "mpg": "program stream", "m4a": "AAC or ALAC", "aac": "ADTS",
    "wav": "uncompressed", "aiff": "uncompressed", "flac": "lossless", "ogg": "Vorbis",
    "3gp": "phones",
  ]
}
