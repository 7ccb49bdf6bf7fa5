package import ExactTime

/// The identification header of Theora (Theora specification, 6.2).
package struct TheoraHeader {
  /// FRN over FRD.
  package var framesPerSecond: Rational
  /// The number of bits in an Ogg granule position that count frames since a keyframe (KFGSHIFT).
  package var positionBits: Int

  /// - Parameter configuration: the three headers; containers put their own sizes before them.
  package init?(configuration: [UInt8]) {
    guard let start = configuration.firstRange(of: [0x80] + Array("theora".utf8))?.lowerBound,
      configuration.count - start >= 42
    else { return nil }
    func number(at place: Int) -> Int64 {
      configuration[start + place..<start + place + 4].reduce(0) { $0 << 8 | Int64($1) }
    }
    let (frames, seconds) = (number(at: 22), number(at: 26))
    guard frames > 0, seconds > 0 else { return nil }
    framesPerSecond = Rational(frames, seconds)
    positionBits =
      Int(configuration[start + 40] & 3) << 3 | Int(configuration[start + 41] >> 5)
  }
}
