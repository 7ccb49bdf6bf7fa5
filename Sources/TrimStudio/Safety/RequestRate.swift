import Synchronization

/// How many requests a second are looked at: far more than pages send, far fewer than would keep
/// others waiting.
///
/// A bucket that fills as time passes: each request takes one out, and an empty one refuses. Those who
/// were not let in have a bucket of their own, so that no flood of theirs refuses a page.
package final class RequestRate: Sendable {
  /// Requests a second that may go on forever, and how many may come at once.
  package struct Limits: Sendable {
    package var perSecond = 500
    package var atOnce = 2000

    package init() {}
  }

  private struct Bucket {
    /// In thousandths of a request, so that nothing is lost between two of them.
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

  /// Takes a request into account; false where it comes too soon.
  ///
  /// - Parameter isOfPage: it came through the gate with the cookie.
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
