import ExactTime

/// `{"first": "0", "length": "1/25", "count": 250}` for evenly spaced instants; otherwise `{"tick":
/// "1/90000", "first": "7/500", "steps": [3003, 2, 3004, 1]}`, pairs of a distance in ticks and its repeat
/// count; or, for times without a common tick, `{"times": ["0", "1/25", …]}`.
extension FrameInstants: Codable {
  private enum CodingKeys: String, CodingKey { case times, first, length, count, tick, steps }

  /// The maximum number of frames read from steps, which can encode any number in few bytes: a day
  /// at 120 per second.
  private static let most = 120 * 86_400

  /// The limit for integers that every JSON reader keeps exact.
  private static let exact = Int64(1) << 53

  /// Reads any of the three forms.
  ///
  /// - Throws: `DecodingError` for distances that are not positive, for a last frame outside 64 bits,
  ///   and for steps to more than ten million frames.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let times = try container.decodeIfPresent([MediaTime].self, forKey: .times) {
      self.init(times)
      return
    }
    let first = try container.decode(MediaTime.self, forKey: .first)
    if let steps = try container.decodeIfPresent([Int64].self, forKey: .steps) {
      let tick = try container.decode(MediaDuration.self, forKey: .tick)
      guard let times = Self.times(from: first, tick, steps) else {
        throw DecodingError.dataCorruptedError(
          forKey: .steps, in: container,
          debugDescription: "steps that are not positive, too many frames, or times beyond 64 bits")
      }
      self.init(times)
      return
    }
    let instants = FrameInstants(
      first: first, frameLength: try container.decode(MediaDuration.self, forKey: .length),
      count: try container.decode(Int.self, forKey: .count))
    guard let instants else {
      throw DecodingError.dataCorruptedError(
        forKey: .length, in: container, debugDescription: "frames of zero duration, or too many")
    }
    self = instants
  }

  /// Writes the shortest form that is exact.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if let constant {
      try container.encode(constant.first, forKey: .first)
      try container.encode(constant.length, forKey: .length)
      try container.encode(count, forKey: .count)
    } else if let first = time(at: 0), let (tick, steps) = steps() {
      try container.encode(tick, forKey: .tick)
      try container.encode(first, forKey: .first)
      try container.encode(steps, forKey: .steps)
    } else {
      try container.encode((0..<count).compactMap { time(at: $0) }, forKey: .times)
    }
  }

  /// The steps; `nil` where there is no tick common to all, or a number would be too large.
  private func steps() -> (tick: MediaDuration, steps: [Int64])? {
    guard count <= Self.most else { return nil }
    var denominator: Int64 = 1
    for index in 0..<count {
      guard let time = time(at: index) else { return nil }
      // Most share a denominator, and a long file has hundreds of thousands of times.
      if denominator.isMultiple(of: time.seconds.denominator) { continue }
      guard let common = Self.multiple(of: denominator, time.seconds.denominator) else {
        return nil
      }
      denominator = common
    }
    var (steps, last): ([Int64], Int64?) = ([], nil)
    for index in 0..<count {
      guard let seconds = time(at: index)?.seconds else { return nil }
      let (tick, isTooLarge) = seconds.numerator
        .multipliedReportingOverflow(by: denominator / seconds.denominator)
      guard !isTooLarge, tick.magnitude < Self.exact.magnitude else { return nil }
      if let last {
        let step = tick - last
        if let place = steps.indices.last, steps[place - 1] == step {
          steps[place] += 1
        } else {
          steps += [step, 1]
        }
      }
      last = tick
    }
    return (MediaDuration(seconds: Rational(1, denominator)), steps)
  }

  private static func multiple(of one: Int64, _ other: Int64) -> Int64? {
    let divisor = Int64(greatestCommonDivisor(one.magnitude, other.magnitude))
    let (product, isTooLarge) = (one / divisor).multipliedReportingOverflow(by: other)
    return isTooLarge || product >= exact ? nil : product
  }

  private static func times(
    from first: MediaTime, _ tick: MediaDuration, _ steps: [Int64]
  ) -> [MediaTime]? {
    guard tick.isPositive, steps.count.isMultiple(of: 2) else { return nil }
    var times = [first]
    for pair in stride(from: 0, to: steps.count, by: 2) {
      let (step, count) = (steps[pair], steps[pair + 1])
      guard step > 0, count > 0, count <= Int64(most - times.count),
        let length = try? tick.scaled(by: Rational(step))
      else { return nil }
      for _ in 0..<count {
        guard let last = times.last, let next = try? last.advanced(by: length) else { return nil }
        times.append(next)
      }
    }
    return times
  }
}
