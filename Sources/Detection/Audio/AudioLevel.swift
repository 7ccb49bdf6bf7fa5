/// A level in tenths of a decibel relative to full scale (dBFS, where a full-scale square wave is 0).
public struct AudioLevel: Hashable, Sendable, Codable {
  /// Tenths of a decibel; never positive.
  public let tenths: Int

  /// - Returns: `nil` outside −120 to 0 dBFS.
  public init?(tenths: Int) {
    guard (-1200...0).contains(tenths) else { return nil }
    self.tenths = tenths
  }

  private init(least tenths: Int) { self.tenths = tenths }
  /// −120 dBFS.
  public static let least = AudioLevel(least: -1200)

  /// The square of the amplitude, in units of the largest one's.
  ///
  /// Multiplied step by step, since the library functions for powers differ by system.
  var power: Double {
    // The hundredth root of 10.
    let step = 1.023_292_992_280_754_2
    var power = 1.0
    for _ in 0..<(-tenths / 100) { power /= 10 }
    for _ in 0..<(-tenths % 100) { power /= step }
    return power
  }
}

extension AudioLevel {
  /// A level below this one; never below the least.
  public func lowered(byTenths tenths: Int) -> AudioLevel {
    AudioLevel(tenths: self.tenths - max(0, tenths)) ?? .least
  }
}

/// What is quiet: below a level, or by that much below the loudness of a file.
public struct QuietLevel: Hashable, Sendable, Codable {
  /// The level, or the difference to the loudness, which is never positive.
  public let level: AudioLevel
  /// Whether it is relative to ``LoudnessMeter/loudness``.
  public let isRelative: Bool

  /// Creates a level.
  public init(_ level: AudioLevel, isRelative: Bool = false) {
    self.level = level
    self.isRelative = isRelative
  }
}
