import Bitstreams
import ExactTime
import MediaFacts
import MediaFiles
import Trimming

extension CodedFormat {
  /// The format of a track's first pictures; `nil` if neither the codec nor its header states it.
  init?(ofFirst index: Int, of source: any CutSource) throws(MediaError) {
    let track = source.tracks[index]
    let stated = VideoHeader(codec: track.facts.codec, configuration: track.configuration)
    if let format = CodedFormat(stated, codec: track.facts.codec) {
      self = format
      return
    }
    let bytes = try source.bytes(ofTrack: index, 0)
    self.init(
      VideoHeader(codec: track.facts.codec, firstSample: bytes[...], framing: track.framing),
      codec: track.facts.codec)
  }
}

extension CodedFormat {
  /// The first packet at which the format changes; `nil` if it never does.
  ///
  /// The packets must be prepared.
  static func change(
    in range: Range<Int>, of source: any CutSource, track index: Int
  ) throws(MediaError) -> Int? {
    try changes(in: range, of: source, track: index, most: 1).first
  }

  /// All packets at which the format changes, up to a limit.
  static func changes(
    in range: Range<Int>, of source: any CutSource, track index: Int, most: Int = .max
  ) throws(MediaError) -> [Int] {
    let track = source.tracks[index]
    var places: [Int] = []
    guard CodedFormat.isStated(by: track.facts.codec) else { return [] }
    var known: CodedFormat?
    for place in range where place == range.lowerBound || track.coded.packets[place].isKey {
      let bytes = try source.bytes(ofTrack: index, place)
      let header = VideoHeader(
        codec: track.facts.codec, firstSample: bytes[...], framing: track.framing)
      guard let format = CodedFormat(header, codec: track.facts.codec) else { continue }
      if let known, !known.matches(format) { places.append(place) }
      if places.count == most { break }
      known = format
    }
    return places
  }
}

extension CodedFormat {
  /// The pixel aspect ratio that keeps the display aspect ratio stated by a container.
  func pixelAspect(shownAs video: VideoFacts) -> Rational? {
    // The product of two stated sizes may overflow.
    try? Rational(Int64(video.width)).divided(by: Rational(Int64(video.height)))
      .multiplied(by: Rational(Int64(height))).divided(by: Rational(Int64(width)))
      .multiplied(by: video.sampleAspectRatio ?? .one)
  }
}

/// The video format at the points where decoding of a part starts.
///
/// Broadcasts and concatenated streams can change size or aspect ratio at a keyframe, and signal
/// it only in-band.
struct EntryFormats {
  /// Where decoding of the head starts.
  private(set) var head: CodedFormat?
  private(set) var copied: CodedFormat?
  private(set) var tail: CodedFormat?
  private(set) var changesWithin = false
  /// The first packet of the copied run or, if nothing is copied, the first to decode.
  private(set) var place: Int?

  init(_ cut: VideoCut, of source: any CutSource, track index: Int) throws(MediaError) {
    let track = source.tracks[index]
    guard CodedFormat.isStated(by: track.facts.codec) else { return }
    place = [cut.copied, cut.headSource, cut.tailSource].first { !$0.isEmpty }?.lowerBound
    // Sets that are in the configuration were removed from samples for MP4.
    let codec = track.facts.codec
    var known = CodedFormat(
      VideoHeader(codec: codec, configuration: track.configuration), codec: codec)
    func format(_ range: Range<Int>) throws(MediaError) -> CodedFormat? {
      guard let place = range.first else { return nil }
      let bytes = try source.bytes(ofTrack: index, place)
      let header = VideoHeader(
        codec: track.facts.codec, firstSample: bytes[...], framing: track.framing)
      let format = CodedFormat(header, codec: codec) ?? known
      if !track.isReframed { known = format }
      return format
    }
    if !cut.head.isEmpty { head = try format(cut.headSource) }
    copied = try format(cut.copied)
    if !cut.tail.isEmpty { tail = try format(cut.tailSource) }
  }

  /// Checks whether the format changes within the copied run.
  mutating func checkCopied(
    _ cut: VideoCut, of source: any CutSource, track: Int
  ) throws(MediaError) {
    changesWithin = try CodedFormat.change(in: cut.copied, of: source, track: track) != nil
  }

  /// The cut without edges that are re-encoded with their own parameter sets.
  func joined(_ cut: VideoCut) -> VideoCut {
    var cut = cut
    if isHeadSeparate { cut.head = [] }
    if isTailSeparate { cut.tail = [] }
    return cut
  }

  /// Whether the head has a different format than the copied run.
  var isHeadSeparate: Bool { copied != nil && head != nil && head != copied }
  /// Whether the tail has a different format than the copied run.
  var isTailSeparate: Bool { copied != nil && tail != nil && tail != copied }
  /// Whether the size, aspect ratio or format changes in the part.
  var changes: Bool { isHeadSeparate || isTailSeparate || changesWithin }
  /// The format that describes the whole part.
  var main: CodedFormat? { copied ?? head ?? tail }
}
