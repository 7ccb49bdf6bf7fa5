#if FFmpeg
  import Bitstreams
  import ExactTime
  package import Libav
  package import MediaFacts

  /// Detects changes of size, aspect ratio or pixel format within a stream, as in broadcasts.
  package struct PictureChanges {
    /// The formats in order of appearance, as many as the note lists plus the latest; and the number of changes.
    private var looks = PerStream<[CodedLook]>()
    private var counts = PerStream<Int>()
    private static let told = 4

    package init() {}

    /// Looks at the keyframe most recently read by the demuxer.
    package mutating func read(_ track: LibavTrack, _ demuxer: borrowing Demuxer) {
      guard CodedLook.isTold(by: track.codec), !track.isEncrypted else { return }
      let framing = Framing(codec: track.codec, configuration: track.extradata)
      let start = demuxer.withPacketBytes { Array($0.prefix(4096)) }
      guard
        let look = CodedLook(
          VideoHeader(codec: track.codec, firstSample: start[...], framing: framing),
          codec: track.codec)
      else { return }
      guard let last = looks[track.index]?.last else {
        looks[track.index] = [look]
        return
      }
      guard !last.isAlike(look) else { return }
      counts[track.index, default: 0] += 1
      if looks[track.index, default: []].count > Self.told { looks[track.index]?.removeLast() }
      looks[track.index]?.append(look)
    }

    /// - Parameter id: the track's.
    package func note(ofStream stream: Int, track id: Int) -> Note? {
      guard let count = counts[stream], let looks = looks[stream] else { return nil }
      var names = looks.prefix(Self.told).map(Self.name)
      if count >= Self.told { names.append("…") }
      return Note(
        "pictures-change", track: id,
        "The video changes its size, aspect ratio or pixel format "
          + (count == 1 ? "once" : "\(count) times") + ": "
          + names.joined(separator: ", then ") + ".")
    }

    private static func name(_ look: CodedLook) -> String {
      var name = "\(look.width)x\(look.height)"
      if look.pixelAspect != .one {
        name += ", pixels \(look.pixelAspect.numerator):\(look.pixelAspect.denominator)"
      }
      return [name, look.pixelFormat].compactMap(\.self).joined(separator: ", ")
    }
  }
#endif
