import ExactTime

/// Assigns times to the pictures of a stream whose container states none.
///
/// A decoder outputs the first picture after receiving as many more as it needs to determine their order;
/// after that, one picture per packet. So the pictures, in presentation order, take the times of the packets,
/// later by the number of pictures that the decoder waits for.
package struct PictureClock {
  private var order: PictureOrder
  private let codec: String
  private let configuration: [UInt8]
  private var places: ContiguousArray<PictureOrder.Place> = []
  /// The time of each picture's packet.
  private var instants: ContiguousArray<Int64> = []
  /// Indices of pictures that take a turn in the order but are left out.
  private var leftOut: Set<Int> = []
  private var lastDuration: Int64 = 1
  private var nextInstant: Int64 = 0
  /// How far stated times are ahead of counted ones at the start, in ticks.
  private var lateness: Int64 = 0
  /// Whether stated times jump ahead later, so that packets must be missing.
  private var hasHoles = false
  /// True where a packet was not understood.
  package var isLost: Bool { hasForeign || !places.isEmpty && !isUnderstood }
  private var hasForeign = false
  private var isUnderstood = false
  private let timing: Timing
  /// Whether packets have no decoding times, so that they are counted.
  package var madeInstants: Bool {
    timing == .nothing || timing == .omitted || timing == .counted
  }
  private var unpacking: MPEG4Unpacking?

  /// Which timestamps a container carries.
  private enum Timing {
    /// Decoding times only: pictures are shown later, by the decoder's reordering delay.
    case decoding
    /// Decoding times only, as slot numbers (AVI); slots may be empty.
    case slots
    /// Packet numbers in decoding order, from which FFmpeg derives contradictory timestamps if pictures are
    /// reordered (MPEG-4 in Ogg, known as OGM).
    case counted
    /// Edit units of MXF, in presentation order.
    ///
    /// It also has a field for decoding times, which some writers fill with the same values or leave empty.
    case editUnits
    /// None, although the container has a field for them.
    case omitted
    /// None at all.
    case nothing
  }

  /// Streams without a container.
  package static let rawFormats: Set<String> = ["h264", "hevc", "m4v", "mpegvideo"]

  private static func timing(_ format: String, _ codec: String, isAlone: Bool) -> Timing? {
    switch format {
    case "ogg" where codec == "mpeg4": .counted
    case "asf": .decoding
    case "avi": .slots
    case "mxf": .editUnits
    case "mpeg" where isAlone: .omitted
    default: rawFormats.contains(format) ? .nothing : nil
    }
  }

  /// - Parameters:
  ///   - format: FFmpeg's name of the demuxer.
  ///   - isAlone: it is the only stream, so that no other has to agree with the times generated here: a
  ///     program stream of one stream may have no PTS (some writers omit what ISO/IEC 11172-1, 2.4.5.2,
  ///     requires).
  /// - Returns: `nil` where the container states presentation times, or the codec is unknown.
  package init?(format: String, codec: String, configuration: [UInt8], isAlone: Bool = false) {
    guard let timing = Self.timing(format, codec, isAlone: isAlone),
      let order = PictureOrder(codec: codec, configuration: configuration)
    else { return nil }
    self.order = order
    (self.codec, self.configuration) = (codec, configuration)
    self.timing = timing
    if Self.unpacks(codec, in: format) { unpacking = MPEG4Unpacking(configuration: configuration) }
  }

  /// Whether a container stores decoding times only.
  package static func storesOnlyDTS(_ format: String) -> Bool {
    format == "avi" || format == "asf"
  }

  /// Whether one packet may contain two pictures.
  package static func unpacks(_ codec: String, in format: String) -> Bool {
    codec == "mpeg4" && timing(format, codec, isAlone: false) != nil
  }

  /// Whether a packet shows that the container states presentation times after all.
  ///
  /// A packet without one shows nothing: for pictures without reordering FFmpeg then generates one, a delay
  /// later than the edit unit, the first of which belongs to the first picture (SMPTE ST 377-1).
  package func isContradicted(byPTS pts: Int64?, dts: Int64?) -> Bool {
    switch timing {
    case .decoding, .slots, .counted, .nothing: false
    case .editUnits: pts != nil && pts != dts
    case .omitted: pts != nil
    }
  }

  /// - Returns: the picture to use for the packet; `nil` for a packet that shows nothing.
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
    let lead = (instant ?? at) &- at
    if instants.count < 8 { lateness = max(lateness, lead) }
    hasHoles = hasHoles || lead > lateness
    if duration > 0 { lastDuration = duration }
    switch order.add(packet[...]) {
    case .picture(let place):
      isUnderstood = true
      places.append(place)
    case .nothing: return nil
    case .unknown:
      // The rest of a picture that began before the stream precedes all others.
      if isUnderstood { hasForeign = true }
      places.append(PictureOrder.Place(sequence: -1, order: Int64(places.count)))
    }
    instants.append(at)
    nextInstant = at &+ lastDuration
    return packet
  }

  /// Keeps the last picture's turn in the order, but omits it from ``times(delay:)``.
  package mutating func leaveOutNewest() { leftOut.insert(places.count - 1) }

  /// Adds the second field of the last picture.
  package mutating func addField(duration: Int64) {
    guard madeInstants else { return }
    nextInstant &+= duration
  }

  /// The presentation time of each picture, in decode order, and the end of the last one.
  ///
  /// - Parameter delay: how many pictures a decoder is known to wait for.
  /// - Returns: `nil` where the order is unknown, or ``isUnneeded``.
  package func times(delay stated: Int) -> (pts: ContiguousArray<Int64>, end: Int64)? {
    let instants = withoutOutliers
    // Times that go backwards are not decoding times.
    let goesBack =
      waits && zip(instants, instants.dropFirst()).contains { $1 < $0 }
    guard !isLost, !places.isEmpty, !goesBack else { return nil }
    let shown = places.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    // Raw streams have no packet times for pictures to be later than.
    var delay = 0
    if waits {
      delay = PictureSteps.reorderDepth(of: shown)
      if timing == .counted, delay == 0 || hasHoles { return nil }
      delay = max(delay, stated)
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

  /// Whether the container's timestamps apply after all: in OGM without reordering or with missing packets.
  package var isUnneeded: Bool { timing == .counted && times(delay: 0) == nil }

  /// The decoding times, with isolated invalid ones interpolated from their neighbors.
  private var withoutOutliers: ContiguousArray<Int64> {
    var times = instants
    guard zip(times, times.dropFirst()).contains(where: { $1 < $0 }),
      let usual = PictureSteps.typicalStep(of: times)
    else { return times }
    func middle(_ one: Int, _ other: Int) -> Int64 {
      times[one] &+ (times[other] &- times[one]) / 2
    }
    for place in times.indices.dropFirst() where times[place] < times[place - 1] {
      if place > 1, times[place] > times[place - 2],
        times[place] &- times[place - 2] <= 3 &* usual
      {
        times[place - 1] = middle(place - 2, place)
      } else if place + 1 < times.count, times[place + 1] > times[place - 1] {
        times[place] = middle(place - 1, place + 1)
      }
    }
    return times
  }

  /// Whether pictures are shown later than the times of their packets, by the decoder's delay.
  private var waits: Bool { timing == .decoding || timing == .slots || timing == .counted }

  /// The spacing of most AVI packets, which may have empty slots between them, and then also after the last one;
  /// in other containers, the spacing if it is constant.
  private var spacing: Int64? {
    if madeInstants { return nil }
    return timing == .slots
      ? PictureSteps.usualStep(of: instants) : PictureSteps.constantStep(of: instants)
  }
}
