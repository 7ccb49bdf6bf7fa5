import ExactTime

/// Gives the pictures of a stream times where its container states none.
///
/// A decoder lets the first picture go when it has taken in as many more as it must know to find out
/// their order; from then on one picture goes with each that comes. So the pictures, in the order in
/// which they are shown, take the places of the packets, as many places later as the decoder waits.
package struct PictureClock {
  private var order: PictureOrder
  private let codec: String
  private let configuration: [UInt8]
  private var places: ContiguousArray<PictureOrder.Place> = []
  /// When each picture's packet comes.
  private var instants: ContiguousArray<Int64> = []
  /// Places of pictures that take their turn and are left out.
  private var leftOut: Set<Int> = []
  private var lastDuration: Int64 = 1
  private var nextInstant: Int64 = 0
  /// True where a packet was not understood.
  package var isLost: Bool { hasForeign || !places.isEmpty && !isUnderstood }
  private var hasForeign = false
  private var isUnderstood = false
  private let timing: Timing
  /// Whether packets have no times of decoding: they are counted.
  package var madeInstants: Bool { timing == .nothing || timing == .omitted }
  private var unpacking: MPEG4Unpacking?

  /// Which timestamps a container carries.
  private enum Timing {
    /// Decoding times only: pictures are shown later, by the decoder's reordering delay.
    case decoding
    /// The same, by the number of the packet's slot, where slots may be empty.
    case slots
    /// Edit units of MXF, in presentation order.
    ///
    /// It has a field for decoding times as well, which some writers fill with the same values or leave empty.
    case editUnits
    /// None, although the container has a field for them.
    case omitted
    /// None at all.
    case nothing
  }

  /// Streams without a container.
  package static let rawFormats: Set<String> = ["h264", "hevc", "m4v", "mpegvideo"]

  private static func timing(_ format: String, isAlone: Bool) -> Timing? {
    switch format {
    case "asf": .decoding
    case "avi": .slots
    case "mxf": .editUnits
    case "mpeg" where isAlone: .omitted
    default: rawFormats.contains(format) ? .nothing : nil
    }
  }

  /// - Parameters:
  ///   - format: FFmpeg's name of the demuxer.
  ///   - isAlone: nothing is shown or heard beside it, whose times would have to agree with those that are made here: a
  ///     program stream of one stream may have no PTS at all (some writers omit what ISO/IEC 11172-1, 2.4.5.2, asks for).
  /// - Returns: `nil` where the container states when pictures are shown, or the codec is not known.
  package init?(format: String, codec: String, configuration: [UInt8], isAlone: Bool = false) {
    guard let timing = Self.timing(format, isAlone: isAlone),
      let order = PictureOrder(codec: codec, configuration: configuration)
    else { return nil }
    self.order = order
    (self.codec, self.configuration) = (codec, configuration)
    self.timing = timing
    if Self.unpacks(codec, in: format) { unpacking = MPEG4Unpacking(configuration: configuration) }
  }

  /// Whether two pictures may stand in one packet.
  package static func unpacks(_ codec: String, in format: String) -> Bool {
    codec == "mpeg4" && timing(format, isAlone: false) != nil
  }

  /// Whether a packet tells that the container states when pictures are shown after all.
  ///
  /// One without such a time tells nothing: FFmpeg then gives one to pictures that wait for none, a
  /// delay later than the edit unit, the first of which is the first picture's (SMPTE ST 377-1).
  package func isContradicted(byPTS pts: Int64?, dts: Int64?) -> Bool {
    switch timing {
    case .decoding, .slots, .nothing: false
    case .editUnits: pts != nil && pts != dts
    case .omitted: pts != nil
    }
  }

  /// - Returns: the picture in the packet's place; `nil` for one that shows nothing.
  package mutating func add(
    _ packet: [UInt8], instant: Int64?, duration: Int64
  ) -> [UInt8]? {
    let packet = unpacking?.add(packet) ?? packet
    if instants.isEmpty,
      let sets = Framing.startCodes(codec: codec, configuration: configuration, packet: packet)
    {
      order = PictureOrder(codec: codec, configuration: sets) ?? order
    }
    let at = madeInstants ? nextInstant : instant ?? nextInstant
    if duration > 0 { lastDuration = duration }
    switch order.add(packet[...]) {
    case .picture(let place):
      isUnderstood = true
      places.append(place)
    case .nothing: return nil
    case .unknown:
      // The rest of a picture that begins before the stream comes before all others.
      if isUnderstood { hasForeign = true }
      places.append(PictureOrder.Place(sequence: -1, order: Int64(places.count)))
    }
    instants.append(at)
    nextInstant = at &+ lastDuration
    return packet
  }

  /// The last picture takes its turn, and has no place among ``times(delay:)``.
  package mutating func leaveOutNewest() { leftOut.insert(places.count - 1) }

  /// Adds the second field of the last picture.
  package mutating func addField(duration: Int64) {
    guard madeInstants else { return }
    nextInstant &+= duration
  }

  /// When each picture is shown, in decode order, and when the last one ends.
  ///
  /// - Parameter delay: how many pictures a decoder is known to wait for.
  /// - Returns: `nil` where the order is not known.
  package func times(delay stated: Int) -> (pts: ContiguousArray<Int64>, end: Int64)? {
    // Times that go back are none of decoding.
    let goesBack =
      waits && zip(instants, instants.dropFirst()).contains { $1 < $0 }
    guard !isLost, !places.isEmpty, !goesBack else { return nil }
    let shown = places.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    // Raw streams have no places to come later than.
    var delay = 0
    if waits {
      delay = stated
      for (rank, place) in shown.enumerated() { delay = max(delay, place - rank) }
    }
    let spacing = spacing
    let next = spacing.map { instants[instants.count - 1] &+ $0 } ?? nextInstant
    func instant(_ place: Int) -> Int64 {
      if place < instants.count { return instants[place] }
      return next &+ Int64(place - instants.count) &* (spacing ?? lastDuration)
    }
    var pts = ContiguousArray(repeating: Int64(0), count: places.count)
    for (rank, place) in shown.enumerated() { pts[place] = instant(rank + delay) }
    let end = instant(places.count + delay)
    guard !leftOut.isEmpty else { return (pts, end) }
    return (ContiguousArray(pts.indices.lazy.filter { !leftOut.contains($0) }.map { pts[$0] }), end)
  }

  /// Whether pictures are shown later than their packets state, by the decoder's delay.
  private var waits: Bool { timing == .decoding || timing == .slots }

  /// The usual distance of packets, where it says more than the length of the last one: AVI may have empty slots
  /// between them, and then after the last one too.
  private var spacing: Int64? {
    guard !madeInstants else { return nil }
    let steps = zip(instants, instants.dropFirst()).map { $1 &- $0 }.sorted()
    guard let least = steps.first, let most = steps.last, most > 0, timing == .slots || least == most
    else { return nil }
    return max(1, steps[(steps.count - 1) / 2])
  }
}
