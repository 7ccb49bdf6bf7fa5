import Glibc
import TrimCommands

/// The tool with operations that misbehave, for the tests of `trim batch` only.
///
/// The shipped tool knows no such operation.
@main struct BatchHarness {
  static func main() {
    CommandLineTool.main(
      hooks: WorkerHooks([
        "__spin": { while true {} },
        "__crash": {
          // Not caught by the address sanitizer either.
          signal(SIGSEGV, SIG_DFL)
          raise(SIGSEGV)
          return []
        },
        "__crash_once": {
          guard let path = getenv("TRIM_CRASH_MARK"), access(path, F_OK) != 0 else {
            return [("survived", "yes")]
          }
          raise(SIGKILL)
          return []
        },
        "__process": { [("pid", "\(getpid())")] },
        "__sandbox": { Escape.attempts() },
      ]))
  }
}

/// What a hostile decoder would try, each with the error that it gets.
private enum Escape {
  static func attempts() -> [(String, String)] {
    [
      ("write_elsewhere", outcome(open("/tmp/trim-escape", O_WRONLY | O_CREAT, 0o600))),
      ("overwrite", outcome(open("/dev/shm/trim-escape", O_RDWR | O_CREAT, 0o600))),
      ("tcp", connection(SOCK_STREAM)), ("udp", connection(SOCK_DGRAM)),
      ("execute", execution), ("core", core),
    ]
  }

  private static func outcome(_ result: Int32) -> String {
    let number = errno
    guard result < 0 else {
      close(result)
      return "allowed"
    }
    switch number {
    case EACCES: return "EACCES"
    case EPERM: return "EPERM"
    default: return "\(number)"
    }
  }

  private static func connection(_ type: __socket_type) -> String {
    outcome(socket(AF_INET, Int32(type.rawValue), 0))
  }

  private static var execution: String {
    let words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
    defer { free(words[0]) }
    return outcome(execv("/bin/true", words))
  }

  private static var core: String {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    return limit.rlim_max == 0 ? "none" : "\(limit.rlim_max)"
  }
}
