package import MediaFacts

/// Determines the presentation times of pictures without a PTS, or with that of another picture.
///
/// PES packets may omit the PTS for 0.7 s (ISO/IEC 13818-1, 2.7.4), and of several pictures in one packet
/// only the first has it (2.4.3.7). Pictures without a PTS are placed between those with one, in presentation
/// order (ITU-T H.264, C.4; ITU-T H.265, C.5), each for its own duration.
///
/// A PTS belongs to the first picture that begins in a PES packet; an MPEG-1 or MPEG-2 picture begins with
/// its sequence header, an H.264 picture with its delimiter. Where that is at the end of the previous packet,
/// FFmpeg gives the picture the time of the next one, so that two have the same: in a program stream, whose
/// packets need not begin with pictures, the first is then taken to have none.
package struct UntimedPictures {
  /// A time for a picture without one.
  package struct Time {
    /// The index of the picture, and that of its packet.
    package var picture: Int
    package var packet: Int
    package var pts: Int64
    /// The picture has a PTS, which contradicts its place in the order.
    package var replacesStated = false
  }

  private struct Picture {
    var content: PictureOrder.Content
    var pts: Int64?
    var duration: Int64
    var packet: Int
    var isHidden = false
    /// A PES packet begins with it or within the previous picture, so that the PTS may be its own.
    var isStated = true

    /// `nil` for a picture that is not shown, or not understood.
    var place: PictureOrder.Place? { if case .picture(let place) = content { place } else { nil } }
  }

  private var order: PictureOrder
  private var pictures: ContiguousArray<Picture> = []
  /// The number of the first picture that is kept.
  private var first = 0
  private var packets = 0
  private var hasUntimed = false
  private var isLost = false
  private let isMPEG: Bool
  private let isProgram: Bool
  /// How often two pictures have the same PTS.
  package private(set) var contradictionCount = 0

  /// - Parameter format: FFmpeg's name of the demuxer.
  /// - Returns: `nil` where every picture has a time, or the order is unknown.
  package init?(format: String, codec: Codec, configuration: [UInt8]) {
    let rules = SourceRules(format)
    isProgram = rules.isProgramStream
    isMPEG = isProgram && codec.isMPEG12
    guard isMPEG || rules.isMPEGSystems && codec.usesNALUnits,
      let order = PictureOrder(codec: codec, configuration: configuration)
    else { return nil }
    self.order = order
  }

  /// Prefix sizes to try: slice headers follow parameter sets and messages, which are rarely longer than the
  /// first.
  package static let prefixes = [512, 4096, 65536]

  /// More than any picture waits for.
  private static let kept = 64

  /// Adds a picture, in decode order.
  ///
  /// - Parameters:
  ///   - isStated: it is the first picture that begins in a PES packet; for other B pictures of MPEG-1 and
  ///     MPEG-2, FFmpeg derives the PTS from earlier ones, which may be wrong.
  ///   - bytes: returns the beginning of its packet, up to a length.
  package mutating func add(
    pts: Int64?, duration: Int64, isStated: Bool = true, bytes: (_ most: Int) -> [UInt8]
  ) {
    var content = PictureOrder.Content.unknown
    for most in Self.prefixes where content == .unknown {
      let start = bytes(most)
      content = order.add(start[...])
      if start.count < most { break }
    }
    if content == .unknown, pts == nil { isLost = true }
    if isProgram, let last = pictures.indices.last, let pts, pictures[last].pts == pts {
      if pictures[last].content == .unknown { isLost = true }
      pictures[last].pts = nil
      hasUntimed = true
      contradictionCount += 1
    }
    if pts == nil { hasUntimed = true }
    if !hasUntimed, pictures.count >= 2 * Self.kept {
      pictures.removeFirst(Self.kept)
      first += Self.kept
    }
    pictures.append(
      Picture(
        content: content, pts: pts, duration: duration, packet: packets, isStated: isStated))
    packets += 1
  }

  /// Adds the second field of the last picture.
  package mutating func addField(duration: Int64) {
    packets += 1
    guard let last = pictures.indices.last else { return }
    pictures[last].duration &+= duration
  }

  /// Marks the newest picture as shown by no decoder; its time implies nothing about the others, since
  /// pictures in between may be missing.
  package mutating func hideNewest() {
    if let last = pictures.indices.last { pictures[last].isHidden = true }
  }

  /// The place of the newest picture as one number, where known: POC has 32 bits.
  ///
  /// It is `nil` for MPEG-1 and MPEG-2, whose ordering itself shows which pictures are leading.
  package var newestOrder: Int64? {
    isMPEG ? nil : pictures.last?.place.map { $0.sequence << 32 &+ $0.order }
  }

  /// The times of all pictures without one; for MPEG-1 and MPEG-2 only where two have the same, since their
  /// times also follow from DTS (``PictureOrder/waitsForOne(codec:)``).
  ///
  /// - Parameters:
  ///   - stretches: the numbers of the pictures at which a new clock starts; its times are independent.
  ///   - usual: the duration of pictures without a stated one.
  /// - Returns: `nil` where the order is unknown, or contradicts the stated times.
  package func times(stretches: [Int], usual: Int64) -> [Time]? {
    guard hasUntimed, !isMPEG || contradictionCount > 0 else { return [] }
    guard !isLost else { return nil }
    var times: [Time] = []
    for (number, start) in stretches.enumerated() {
      let end = number + 1 < stretches.count ? stretches[number + 1] : first + pictures.count
      let range = max(0, start - first)..<max(0, end - first)
      guard range.upperBound <= pictures.count, range.lowerBound <= range.upperBound,
        let found = shared(range, usual: usual)
      else { return nil }
      times += found
    }
    return times
  }

  private func statedPTS(_ index: Int) -> Int64? {
    isMPEG && !pictures[index].isStated ? nil : pictures[index].pts
  }

  private func shared(_ range: Range<Int>, usual: Int64) -> [Time]? {
    let untimed = range.filter { statedPTS($0) == nil }
    guard !untimed.isEmpty, !isMPEG else {
      return untimed.isEmpty ? [] : spaced(range, usual: usual)
    }
    if let times = spaced(range, usual: usual) { return times }
    // Stated times contradict the order somewhere: those around a picture still give its time.
    var times: [Time] = []
    var taken = Set(range.compactMap { statedPTS($0) })
    for index in untimed {
      let near = Self.reaches.lazy.compactMap { reach in
        spaced(range.clamped(to: index - reach..<index + reach + 1), usual: usual)?
          .first { $0.picture == first + index }
      }
      guard let time = near.first, taken.insert(time.pts).inserted else { return nil }
      times.append(time)
    }
    return inOrder(times, range)
  }

  /// Gives the pictures their own times in presentation order, where a muxer put them at others of them.
  ///
  /// - Parameter found: the times of those without one.
  /// - Returns: `nil` where a picture would move further than any waits for others.
  private func inOrder(_ found: [Time], _ range: Range<Int>) -> [Time]? {
    let derived = Dictionary(
      found.map { ($0.picture - first, $0.pts) }, uniquingKeysWith: { one, _ in one })
    let shown = presentationOrder(of: range)
    let times = shown.compactMap { derived[$0] ?? statedPTS($0) }
    let sorted = times.sorted()
    guard times.count == shown.count else { return nil }
    let ranks = Dictionary(zip(sorted, sorted.indices), uniquingKeysWith: { one, _ in one })
    guard ranks.count == times.count else { return nil }
    var result = found.filter { pictures[$0.picture - first].isHidden }
    for (place, index) in shown.enumerated() {
      guard let rank = ranks[times[place]], abs(rank - place) <= Self.mostWaiting else {
        return nil
      }
      guard rank != place || derived[index] != nil else { continue }
      result.append(
        Time(
          picture: first + index, packet: pictures[index].packet, pts: sorted[place],
          replacesStated: derived[index] == nil))
    }
    return result
  }

  private func presentationOrder(of range: Range<Int>) -> [Int] {
    range.compactMap { index in
      pictures[index].isHidden ? nil : pictures[index].place.map { (place: $0, index: index) }
    }.sorted { ($0.place, $0.index) < ($1.place, $1.index) }.map(\.index)
  }

  /// No picture waits for more others (ITU-T H.264, A.3.1; ITU-T H.265, A.4.2).
  private static let mostWaiting = 16

  /// How many pictures before and after one are looked at, in order.
  private static let reaches = [mostWaiting, 8, 4, 2]

  /// - Returns: `nil` where stated times contradict the order.
  private func spaced(_ range: Range<Int>, usual: Int64) -> [Time]? {
    let shown = presentationOrder(of: range)
    guard
      let spacing = PictureSpacing(
        times: shown.map { statedPTS($0) }, lengths: shown.map { pictures[$0].duration },
        usual: usual)
    else { return nil }
    let ticks = spacing.ticks
    var times: [Time] = []
    func give(_ index: Int, _ pts: Int64) {
      guard statedPTS(index) == nil else { return }
      times.append(Time(picture: first + index, packet: pictures[index].packet, pts: pts))
    }
    for (index, tick) in zip(shown, ticks) { give(index, tick) }
    // Pictures that are not shown precede all that are.
    for index in range where pictures[index].isHidden { give(index, (ticks.first ?? 0) &- 1) }
    return times
  }

  /// The stated duration of a picture, in ticks.
  package func duration(ofPicture number: Int) -> Int64? {
    let index = number - first
    return pictures.indices.contains(index) ? pictures[index].duration : nil
  }
}
