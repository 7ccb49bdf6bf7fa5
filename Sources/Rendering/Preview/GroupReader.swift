import Bitstreams
import ExactTime
import Libav
import MediaFacts
import MediaFiles

/// The packets of closed GOPs.
struct CodedGroup {
  /// The stretch whose frames they show.
  var stretch: FrameTable.Stretch
  /// The samples in decode order; both fields of a frame are one sample.
  var samples: [Sample] = []

  struct Sample {
    var index: Int
    var bytes: [UInt8]
  }
}

/// Reads coded GOPs.
///
/// A GOP begins where every decoder can start: at an IDR picture that no later picture in the
/// file precedes, and no earlier one follows, in presentation order.
struct GroupReader: ~Copyable {
  private(set) var packets: PacketCursor
  private let framing: Framing
  /// The field parser's state before the first field of a GOP.
  private let fields: H264Fields?

  /// The longest GOP: a browser must decode from its start, however late the requested position
  /// is.
  private static let longest = MediaDuration(30)
  private static let mostBytes = 64 << 20
  private static let longestHeader = 65_536

  init(_ track: PictureTrack) throws(MediaError) {
    packets = try PacketCursor(track)
    let configuration = packets.demuxer.tracks[packets.stream].extradata
    framing = Framing(codec: track.codec, configuration: configuration)
    fields = track.codec == .h264 ? H264Fields(configuration: configuration) : nil
  }

  private var table: FrameTable { packets.track.table }

  /// The GOPs that show a range, or the part of it in the stretch in which it begins.
  ///
  /// - Returns: `nil` where they cannot be copied.
  mutating func groups(over range: MediaTimeRange) throws(MediaError) -> CodedGroup? {
    let first = table.frame(at: range.start).number
    let stretch = table.stretch(ofFrame: first)
    let place = table.place(ofFrame: first)
    guard stretch.rate == .one, let key = try entry(before: place) else { return nil }
    let clock = table.clocks.first { $0.contains(table.keys[key].index) } ?? 0..<0
    let last = lastPlace(before: range.end, in: stretch, notBefore: place)
    var group = CodedGroup(stretch: stretch)
    var fields = fields
    var size = 0
    while let index = try packets.hold(), clock.contains(index) {
      try packets.track.bounds.checkTime()
      let bytes = packets.withPacketBytes { Array($0) }
      let isSecond = fields?.isSecond(bytes.prefix(4096)) == true
      if !isSecond, !group.samples.isEmpty, let key = table.key(atIndex: index),
        table.place(ofIndex: index) > last, isEntry(key)
      {
        break
      }
      size += bytes.count
      guard size <= Self.mostBytes, isSecond || packets.isSure,
        table.length(from: table.keys[key].index, to: index) <= Self.longest
      else { return nil }
      if isSecond, let last = group.samples.indices.last {
        group.samples[last].bytes += bytes
      } else {
        group.samples.append(CodedGroup.Sample(index: index, bytes: bytes))
      }
      packets.take()
    }
    return group
  }

  private func lastPlace(
    before end: MediaTime, in stretch: FrameTable.Stretch, notBefore place: Int
  ) -> Int {
    let frame = table.frame(at: end)
    let number = frame.start < end ? frame.number : frame.number - 1
    let found = stretch.places.lowerBound + number - stretch.firstFrame
    return min(max(place, found), stretch.places.upperBound - 1)
  }

  /// Seeks to the beginning of the GOP that a picture belongs to, and holds its packet.
  private mutating func entry(before place: Int) throws(MediaError) -> Int? {
    guard var key = table.key(forPlace: place) else { return nil }
    let wanted = Int(table.order[place])
    while key >= 0, table.length(from: table.keys[key].index, to: wanted) <= Self.longest {
      let index = table.keys[key].index
      if table.isClosed(atKey: key) {
        var isThere = packets.held == index
        if !isThere { isThere = try packets.enter(atKey: key) }
        if isThere, isEntry(key) { return key }
      }
      key -= 1
    }
    return nil
  }

  /// Whether the picture in the held packet begins a GOP.
  private func isEntry(_ key: Int) -> Bool {
    guard table.isClosed(atKey: key) else { return false }
    let start = packets.withPacketBytes { Array($0.prefix(Self.longestHeader)) }
    let access = RandomAccess.classify(
      codec: packets.track.codec, start[...], framing: framing)
    return access == .idr || access == .intra
  }
}
