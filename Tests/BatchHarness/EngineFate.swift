import Glibc

/// What happens, before an operation named by a variable, in the process in which FFmpeg works for
/// a command: `TRIM_ENGINE_ATTACK`, `_CRASH`, `_EXHAUST`, `_SPIN` or `_HOLD`.
enum EngineFate {
  /// - Returns: the message with which the operation fails; `nil` when nothing happens to it.
  static func of(_ operation: String, attempts: () -> [(String, String)]) -> String? {
    if isMeant(operation, "ATTACK") {
      return attempts().map { "\($0.0)=\($0.1)" }.joined(separator: " ")
    }
    if isMeant(operation, "CRASH") {
      signal(SIGSEGV, SIG_DFL)
      raise(SIGSEGV)
    }
    if isMeant(operation, "EXHAUST") { exhaust() }
    if isMeant(operation, "SPIN") { while true {} }
    if isMeant(operation, "HOLD") { while true { sleep(1) } }
    return nil
  }

  private static func isMeant(_ operation: String, _ fate: String) -> Bool {
    getenv("TRIM_ENGINE_\(fate)").map { String(cString: $0) == operation } ?? false
  }

  /// Allocates address space until none is left; untouched pages cost no memory.
  private static func exhaust() {
    while true { _ = UnsafeMutableRawPointer.allocate(byteCount: 64 << 20, alignment: 16) }
  }
}
