import Attacks
import Glibc
import TrimCommands

/// The tool with misbehaving operations, only for the tests of `trim batch`.
///
/// The shipped tool has no such operations.
@main struct BatchHarness {
  static func main() {
    let folder = getenv("TRIM_ATTACK_FOLDER").map { String(cString: $0) } ?? "/nowhere"
    let mark = getenv("TRIM_CRASH_MARK").map { String(cString: $0) }
    let isMarked = mark.map { access($0, F_OK) == 0 } ?? true
    CommandLineTool.main(
      hooks: TestHooks(
        [
          "__spin": { while true {} },
          "__sleep": { while true { sleep(1) } },
          "__crash": {
            // Not caught by the address sanitizer either.
            signal(SIGSEGV, SIG_DFL)
            raise(SIGSEGV)
            return []
          },
          "__crash_once": {
            guard !isMarked else { return [("survived", "yes")] }
            raise(SIGABRT)
            return []
          },
          "__process": { [("pid", "\(getpid())")] },
          "__attack": { attempts(folder) },
          "__inherited": { [("descriptors", "\(trim_attack_inherited_descriptors())")] },
        ], step: Death.step, engine: { EngineFate.of($0, attempts: { attempts(folder) }) }))
  }

  /// Each attack with the error it gets, or the fact that it worked.
  private static func attempts(_ folder: String) -> [(String, String)] {
    (0..<trim_attack_count()).map { index in
      let name = String(cString: trim_attack_name(index))
      switch trim_attack_try(index, folder) {
      case 0: return (name, "allowed")
      case EPERM: return (name, "EPERM")
      case EACCES: return (name, "EACCES")
      case let number: return (name, "\(number)")
      }
    }
  }
}
