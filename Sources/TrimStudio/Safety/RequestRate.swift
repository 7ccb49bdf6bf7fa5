import Synchronization

/// Limits the number of requests per second: far more than pages send, far fewer than would starve
/// others.
///
/// A token bucket that fills over time: each request takes one, and an empty bucket refuses. Unauthenticated
/// clients have a separate bucket, so that flooding cannot block a page.
package final class RequestRate: Sendable {
  /// The sustained requests per second, and the burst size.
  package struct Limits: Sendable {
    package var perSecond = 500
    package var atOnce = 2000

    package init() {}
  }

  private struct Bucket {
    /// The fill level in thousandths of a request, to avoid rounding loss.
    var level: Int
    var filled: ContinuousClock.Instant
  }

  private let limits: Limits
  private let pages: Mutex<Bucket>
  private let strangers: Mutex<Bucket>

  package init(_ limits: Limits = Limits(), now: ContinuousClock.Instant = .now) {
    self.limits = limits
    let full = Bucket(level: limits.atOnce * 1000, filled: now)
    pages = Mutex(full)
    strangers = Mutex(full)
  }

  /// Counts a request; `false` if it comes too soon.
  ///
  /// - Parameter isOfPage: whether it passed the gate with the cookie.
  package func admits(isOfPage: Bool, at now: ContinuousClock.Instant = .now) -> Bool {
    isOfPage ? takes(from: pages, at: now) : takes(from: strangers, at: now)
  }

  private func takes(from bucket: borrowing Mutex<Bucket>, at now: ContinuousClock.Instant) -> Bool
  {
    bucket.withLock { bucket in
      let most = limits.atOnce * 1000
      let parts = (now - bucket.filled).components
      if parts.seconds >= 3600 {
        (bucket.level, bucket.filled) = (most, now)
      } else {
        let passed = Int(parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
        bucket.level = min(most, bucket.level + max(0, passed) * limits.perSecond)
        bucket.filled += .milliseconds(max(0, passed))
      }
      guard bucket.level >= 1000 else { return false }
      bucket.level -= 1000
      return true
    }
  }
}
