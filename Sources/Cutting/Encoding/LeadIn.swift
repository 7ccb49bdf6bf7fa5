import Bitstreams
import Libav
import MediaFacts
import MediaFiles
import Trimming

/// What a decoder may skip on its way from where it can start to the wanted pictures.
struct LeadIn {
  private let start: Int
  /// From here on everything is decoded.
  private let whole: Int
  /// Pictures on the way to `whole` that the wanted pictures do not depend on.
  private var unneeded: Set<Int> = []
  /// Pictures shown before this PTS are leading pictures of the one where decoding starts; `nil`
  /// if they may be decoded.
  private var entry: Int64?

  /// - Parameter bytes: reads a packet.
  init(
    to places: [Int], from start: Int, of track: SourceTrack,
    bytes: (Int) throws(MediaError) -> [UInt8]
  ) throws(MediaError) {
    self.start = start
    // FFmpeg takes the distance of the first B-picture as the field duration, and drops all later
    // ones of an interlaced stream if that distance had no valid reference.
    if track.facts.codec == .mpeg4, start > 0 { entry = track.coded.packets[start].pts }
    let first = places.min() ?? start
    let header = VideoHeader(codec: track.facts.codec, configuration: track.configuration)
    // Without a header that states it, decoders learn the reorder depth from what they decode.
    whole = header?.maxReorderFrames != nil ? first : first - EdgeEncoder.longestDelay
    guard track.facts.codec == .h264, whole - start >= Self.worthwhile else { return }
    let last = places.max() ?? first
    func graph(without left: Set<Int>) throws(MediaError) -> H264ReferenceGraph? {
      var graph = H264ReferenceGraph(configuration: track.configuration)
      for place in start...last {
        let isLeftOut = left.contains(place - start)
        guard graph.add(try bytes(place)[...], isLeftOut: isLeftOut) else { return nil }
      }
      return graph
    }
    guard let all = try graph(without: []) else { return }
    // Pictures from `whole` on are all decoded, so their references are needed too.
    let needed = all.needed(by: Set(places).union(whole...last).map { $0 - start })
    // Whatever decoders hold in place of skipped pictures must be gone before it matters.
    for margin in Self.margins {
      let left = Set(0..<max(0, whole - start - margin)).subtracting(needed)
      if let rest = try graph(without: left), all.agrees(with: rest, about: needed) {
        unneeded = left
        return
      }
    }
  }

  /// A shorter lead-in has little to skip.
  private static let worthwhile = 40
  /// Numbers of pictures right before `whole` that are never skipped, to be tried in order.
  private static let margins = [8, 32]

  /// Whether a picture depends on those before the one where decoding starts.
  func leads(_ packet: CodedPacket) -> Bool { entry.map { packet.pts < $0 } ?? false }

  func skip(at place: Int) -> Decoder.Skip {
    if place >= whole { return .nothing }
    return unneeded.contains(place - start) ? .bidirectional : .unreferenced
  }
}
