import Bitstreams
import ExactTime
package import Libav
package import MediaFacts

/// Detects changes of size, aspect ratio or pixel format within a stream, as in broadcasts.
package struct PictureChanges {
  /// The formats in order of appearance, namely those that the note lists and the latest; and the
  /// number of changes.
  private var formats = PerStream<[CodedFormat]>()
  private var counts = PerStream<Int>()
  private static let reported = 4

  package init() {}

  /// Looks at the keyframe most recently read by the demuxer.
  package mutating func read(_ track: LibavTrack, _ demuxer: borrowing Demuxer) {
    guard CodedFormat.isStated(by: track.codec), !track.isEncrypted else { return }
    let framing = Framing(codec: track.codec, configuration: track.extradata)
    let start = demuxer.withPacketBytes { Array($0.prefix(4096)) }
    guard
      let format = CodedFormat(
        VideoHeader(codec: track.codec, firstSample: start[...], framing: framing),
        codec: track.codec)
    else { return }
    guard let last = formats[track.index]?.last else {
      formats[track.index] = [format]
      return
    }
    guard !last.matches(format) else { return }
    counts[track.index, default: 0] += 1
    if formats[track.index, default: []].count > Self.reported {
      formats[track.index]?.removeLast()
    }
    formats[track.index]?.append(format)
  }

  /// - Parameter id: the track's.
  package func note(ofStream stream: Int, track id: Int) -> Note? {
    guard let count = counts[stream], let formats = formats[stream] else { return nil }
    var names = formats.prefix(Self.reported).map(Self.name)
    if count >= Self.reported { names.append("…") }
    return Note(
      .picturesChange, track: id,
      "The video changes its size, aspect ratio or pixel format "
        + (count == 1 ? "once" : "\(count) times") + ": "
        + names.joined(separator: ", then ") + ".")
  }

  private static func name(_ format: CodedFormat) -> String {
    var name = "\(format.width)x\(format.height)"
    if format.pixelAspect != .one {
      name += ", pixels \(format.pixelAspect.numerator):\(format.pixelAspect.denominator)"
    }
    return [name, format.pixelFormat].compactMap(\.self).joined(separator: ", ")
  }
}
