import ExactTime
import MediaFacts

/// The packets between the parts of a file that were read, where it follows from those what they are: a constant
/// frame rate, or sound without a gap.
///
/// A scan of these parts then comes to what a scan of the whole file does: the same times, in the same places.
package struct UnreadPackets: Sendable {
  /// A packet that was not read.
  package struct Packet: Sendable, Hashable {
    package var pts: Int64
    package var duration: Int64
    package var isKey: Bool
    package var sampleCount: Int?
  }

  /// A packet that was read.
  struct Seen {
    var pts: Int64
    var duration: Int64
    var isKey: Bool
    var sampleCount: Int?
    /// In which part it is.
    var part: Int
  }

  /// More than a film of nine hours has frames, in all streams together: what is only claimed must not take much
  /// memory.
  private static let mostSteps: Int64 = 1 << 20

  /// Where each part that was read begins in the file.
  private let starts: [Int64]
  /// Those between a part and the next, by stream.
  private var gaps = PerStream<[[Packet]]>()
  /// How many were added.
  private var count: Int64 = 0

  init(starts: [Int64]) { self.starts = starts }

  /// The part in which a packet is.
  func part(at offset: Int64) -> Int { max(0, (starts.lastIndex { $0 <= offset }) ?? 0) }

  /// Adds the pictures of a stream.
  ///
  /// - Parameters:
  ///   - rate: the frames in a second.
  ///   - keys: when those are shown at which decoding can start, as the index says.
  ///   - reordered: the most pictures that a decoder holds back for one.
  ///   - isDepthNeeded: whether so many must be held back among those that were read, as an encoder of edges
  ///     states how many are.
  /// - Returns: false where they do not follow from those that were read.
  mutating func add(
    pictures seen: [Seen], of stream: Int, _ grid: TickGrid, rate: Rational, keys: [Int64],
    reordered: Int, isDepthNeeded: Bool
  ) -> Bool {
    guard let first = seen.map(\.pts).min(),
      let steps = EvenSteps(from: first, ticks: grid, perSecond: rate)
    else { return false }
    var parts: [[Int64]] = Array(repeating: [], count: starts.count)
    for picture in seen {
      guard let number = steps.number(of: picture.pts) else { return false }
      parts[picture.part].append(number)
    }
    let known = Set(parts.joined())
    guard known.count == seen.count, let last = known.max(), last < Self.mostSteps,
      parts.allSatisfy({ !$0.isEmpty }), !isDepthNeeded || Self.depth(of: parts) == reordered
    else { return false }
    var keyed: Set<Int64> = []
    for key in keys {
      guard let number = steps.number(of: key), number <= last else { return false }
      keyed.insert(number)
    }
    // The index lies about what was read.
    guard
      seen.allSatisfy({ picture in
        picture.isKey || steps.number(of: picture.pts).map { !keyed.contains($0) } ?? true
      })
    else { return false }
    guard counts([Int64(known.count)..<last + 1]) else { return false }
    var found: [[Int64]] = Array(repeating: [], count: starts.count - 1)
    var gap = 0
    for number in 0...last where !known.contains(number) {
      while gap < found.count - 1, number >= parts[gap + 1][0] { gap += 1 }
      guard gap < found.count else { return false }
      found[gap].append(number)
    }
    // What is decoded before a picture and shown after it was counted by the encoder.
    for (gap, numbers) in found.enumerated() {
      for number in numbers.prefix(64) + numbers.suffix(64) {
        guard parts[gap].count(where: { $0 > number }) <= reordered else { return false }
      }
      for number in parts[gap + 1] {
        guard numbers.reversed().prefix(while: { $0 > number }).count <= reordered else {
          return false
        }
      }
    }
    gaps[stream] = found.map { numbers in
      numbers.map { number in
        let tick = steps.tick(of: number)
        return Packet(
          pts: tick, duration: steps.tick(of: number + 1) - tick, isKey: keyed.contains(number))
      }
    }
    return true
  }

  /// How many pictures of those that were read are decoded before one and shown after it, at most.
  private static func depth(of parts: [[Int64]]) -> Int {
    var most = 0
    for numbers in parts {
      for place in numbers.indices {
        // No decoder holds more than 16 (ITU-T H.264, A.3.1).
        let before = numbers[max(0, place - 16)..<place]
        most = max(most, before.count { $0 > numbers[place] })
      }
    }
    return most
  }

  /// Adds the sound of a stream, of which every packet decodes to the same number of samples.
  ///
  /// - Parameter sampleRate: its samples in a second.
  /// - Returns: false where it does not follow from what was read.
  mutating func add(sound seen: [Seen], of stream: Int, _ grid: TickGrid, sampleRate: Int) -> Bool {
    guard let first = seen.first, let count = first.sampleCount, count > 0, sampleRate > 0,
      // The last packet of a file may be shorter.
      seen.dropLast().allSatisfy({ $0.sampleCount == count && $0.duration == first.duration })
    else { return false }
    // A decoder may double the rate (ISO 14496-3, 4.6.18).
    for factor in [1, 2] {
      guard
        let steps = EvenSteps(
          from: first.pts, ticks: grid,
          perSecond: Rational(Int64(sampleRate), Int64(count * factor))),
        let found = between(seen, steps), counts(found)
      else { continue }
      gaps[stream] = found.map { numbers in
        numbers.map {
          Packet(
            pts: steps.tick(of: $0), duration: first.duration, isKey: true, sampleCount: count)
        }
      }
      return true
    }
    return false
  }

  /// Whether there is room for so many more.
  private mutating func counts(_ found: [Range<Int64>]) -> Bool {
    for range in found {
      count = count.addingReportingOverflow(range.upperBound - range.lowerBound).partialValue
      guard count >= 0, count < Self.mostSteps else { return false }
    }
    return true
  }

  /// The steps between the parts; `nil` where one is missing in a part.
  private func between(_ seen: [Seen], _ steps: EvenSteps) -> [Range<Int64>]? {
    var found: [Range<Int64>] = []
    var before: (number: Int64, part: Int)?
    for packet in seen {
      guard let number = steps.number(of: packet.pts), number < Self.mostSteps else { return nil }
      if let before {
        if before.part == packet.part {
          guard number == before.number + 1 else { return nil }
        } else {
          guard number > before.number, packet.part == before.part + 1 else { return nil }
          found.append(before.number + 1..<number)
        }
      }
      before = (number, packet.part)
    }
    return found.count == starts.count - 1 ? found : nil
  }

  /// What a scan has passed of them.
  struct Cursor {
    private let unread: UnreadPackets
    private var parts = PerStream<Int>()

    init(_ unread: UnreadPackets) { self.unread = unread }

    /// Those of a stream in front of a packet that is read next.
    mutating func take(before offset: Int64?, of stream: Int) -> [Packet] {
      guard let offset, let gaps = unread.gaps[stream] else { return [] }
      let (last, part) = (parts[stream, default: 0], unread.part(at: offset))
      guard part > last else { return [] }
      parts[stream] = part
      return Array(gaps[last..<part].joined())
    }
  }
}

extension PacketStamp {
  init(_ packet: UnreadPackets.Packet) {
    self.init(pts: packet.pts, duration: packet.duration)
    (isKey, sampleCount) = (packet.isKey, packet.sampleCount)
  }
}

/// Instants at a constant distance, rounded to ticks.
private struct EvenSteps {
  private let first: Int64
  /// How many ticks a step has, as a fraction.
  private let ticks: Int128
  private let steps: Int128

  /// - Returns: `nil` where a step is shorter than a tick and a half, so that one does not tell it from the next.
  init?(from first: Int64, ticks grid: TickGrid, perSecond rate: Rational) {
    guard rate.isPositive, first.magnitude < 1 << 40,
      let step = try? Rational.one.divided(by: rate).divided(by: grid.secondsPerTick),
      step > Rational(3, 2), step.numerator < 1 << 40, step.denominator < 1 << 40
    else { return nil }
    self.first = first
    (ticks, steps) = (Int128(step.numerator), Int128(step.denominator))
  }

  /// The number of the step whose time a tick is, within the rounding of both; `nil` where it is none.
  func number(of tick: Int64) -> Int64? {
    guard tick.magnitude < 1 << 41, tick >= first else { return nil }
    let scaled = Int128(tick - first) * steps
    let number = (2 * scaled + ticks) / (2 * ticks)
    let error = number * ticks - scaled
    return error.magnitude <= steps.magnitude ? Int64(exactly: number) : nil
  }

  /// - Parameter number: below 2^24.
  func tick(of number: Int64) -> Int64 {
    first + Int64((2 * Int128(number) * ticks + steps) / (2 * steps))
  }
}
