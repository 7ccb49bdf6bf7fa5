package import ExactTime

/// Frames that a container identifies only by number, such as Theora's in Ogg (Theora specification,
/// A.2.3).
package enum FrameNumbers {
  /// The number of frame periods for which a frame is held; `nil` where that is not close to a
  /// whole number.
  package static func frames(
    from time: MediaDuration, to next: MediaDuration, of frame: MediaDuration
  ) -> Int64? {
    guard let step = try? next.subtracting(time).seconds.divided(by: frame.seconds),
      let count = try? max(1, step.rounded(.nearest)), count < 1 << 20,
      let error = try? step.subtracting(Rational(count)),
      let double = try? error.adding(error), double < .one, double > Rational(-1)
    else { return nil }
    return count
  }
}
