import Glibc

enum Pause {
  /// Blocks this thread.
  static func sleep(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    guard seconds >= 0, attoseconds > 0 || seconds > 0 else { return }
    var wanted = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&wanted, nil)
  }
}
