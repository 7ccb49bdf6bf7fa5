/// Finds out when pictures are shown that come without a PTS, or with another's.
///
/// A PES packet may leave it out for 0.7 s (ISO/IEC 13818-1, 2.7.4), and of several pictures in one only
/// the first has it (2.4.3.7). Those without one stand between those with one, in the order in which
/// pictures are shown (ITU-T H.264, C.4; ITU-T H.265, C.5), each for its own length.
///
/// A PTS is that of the first picture that begins in a PES packet, and one of MPEG-1 and MPEG-2 begins with its
/// sequence header, one of H.264 with its delimiter. Where that ends the packet before, FFmpeg gives the picture the
/// time of the next one, and two have the same: in a program stream, whose packets need not begin with pictures, that
/// of the first is none.
package struct UntimedPictures {
  /// The time of a picture that has none itself.
  package struct Time {
    /// Its number among the pictures, and that of its packet among the packets.
    package var picture: Int
    package var packet: Int
    package var pts: Int64
  }

  private struct Picture {
    var content: PictureOrder.Content
    var pts: Int64?
    var duration: Int64
    var packet: Int
    var isHidden = false
    /// A PES packet begins with it or within the picture before it, so that its PTS may be its own.
    var isStated = true

    /// `nil` for one that is not shown, or not understood.
    var place: PictureOrder.Place? { if case .picture(let place) = content { place } else { nil } }
  }

  private var order: PictureOrder
  private var pictures: ContiguousArray<Picture> = []
  /// The number of the first that is kept.
  private var first = 0
  private var packets = 0
  private var hasUntimed = false
  private var isLost = false
  private let isMPEG: Bool
  private let isProgram: Bool
  /// How often two pictures have one PTS.
  package private(set) var contradictionCount = 0

  /// - Parameter format: FFmpeg's name of the demuxer.
  /// - Returns: `nil` where every picture has a time, or its order is not known.
  package init?(format: String, codec: String, configuration: [UInt8]) {
    isProgram = format == "mpeg"
    isMPEG = isProgram && ["mpeg1video", "mpeg2video"].contains(codec)
    guard isMPEG || ["mpegts", "mpeg"].contains(format) && ["h264", "hevc"].contains(codec),
      let order = PictureOrder(codec: codec, configuration: configuration)
    else { return nil }
    self.order = order
  }

  /// Slice headers stand behind parameter sets and messages, which are seldom longer than the first.
  package static let prefixes = [512, 4096, 65536]

  /// No picture waits for more than 16 others (ITU-T H.264, A.3.1; ITU-T H.265, A.4.2).
  private static let kept = 64

  /// Adds a picture, in decode order.
  ///
  /// - Parameters:
  ///   - isStated: it is the first picture that begins in a PES packet; of others FFmpeg makes up the PTS of B
  ///     pictures of MPEG-1 and MPEG-2, from those before, which may be wrong.
  ///   - bytes: the beginning of its packet, of at most a length.
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

  /// No decoder shows the newest picture, and its time says nothing of the others: what was to be shown
  /// between may be missing.
  package mutating func hideNewest() {
    if let last = pictures.indices.last { pictures[last].isHidden = true }
  }

  /// The place of the newest picture as one number, where it is known: order counts have 32 bits.
  ///
  /// Of MPEG-1 and MPEG-2 it is not: how they are ordered says itself which lead.
  package var newestOrder: Int64? {
    isMPEG ? nil : pictures.last?.place.map { $0.sequence << 32 &+ $0.order }
  }

  /// The times of all pictures without one; of MPEG-1 and MPEG-2 only where two have the same, since their DTS
  /// tell too (``PictureOrder/waitsForOne(codec:)``).
  ///
  /// - Parameters:
  ///   - stretches: the numbers of the pictures with which a clock begins; its times are its own.
  ///   - usual: how long a picture is shown that does not say.
  /// - Returns: `nil` where the order is not known, or contradicts the times that are stated.
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
    guard range.contains(where: { statedPTS($0) == nil }) else { return [] }
    let shown = range.compactMap { index in
      pictures[index].isHidden ? nil : pictures[index].place.map { (place: $0, index: index) }
    }.sorted { ($0.place, $0.index) < ($1.place, $1.index) }.map(\.index)
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
    // What is not shown leads all that is.
    for index in range where pictures[index].isHidden { give(index, (ticks.first ?? 0) &- 1) }
    return times
  }

  /// How long a picture says that it is shown, in ticks.
  package func duration(ofPicture number: Int) -> Int64? {
    let index = number - first
    return pictures.indices.contains(index) ? pictures[index].duration : nil
  }
}
