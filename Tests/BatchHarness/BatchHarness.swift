import Attacks
import Fetching
import Glibc
import Isolation
import JSON
import TrimCommands

/// The tool with misbehaving operations, only for the tests of `trim batch`.
///
/// The shipped tool has no such operations.
@main struct BatchHarness {
  static func main() {
    let folder = getenv("TRIM_ATTACK_FOLDER").map { String(cString: $0) } ?? "/nowhere"
    FetchProcess.serveIfAsked(ProcessArguments.all) { name in
      switch name {
      case "attack":
        trim_attack_has_connections()
        return attempts(folder)
      case "environment":
        return [("fields", getenv("TRIM_HTTP_HEADERS").map { String(cString: $0) } ?? "absent")]
      case "inherited": return [("descriptors", "\(trim_attack_inherited_descriptors())")]
      default: return nil
      }
    }
    if ProcessArguments.all.first == Array("fetching".utf8) { fetching() }
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
          "__environment": {
            [("fields", getenv("TRIM_HTTP_HEADERS").map { String(cString: $0) } ?? "absent")]
          },
          "__inherited": { [("descriptors", "\(trim_attack_inherited_descriptors())")] },
        ], step: Death.step, engine: { EngineFate.of($0, attempts: { attempts(folder) }) }))
  }

  /// Prints what the process that fetches answers to a request that only tests make: `fetching NAME MANNER`.
  private static func fetching() -> Never {
    let words = ProcessArguments.all.map { String(decoding: $0, as: UTF8.self) }
    let isolation: FetcherIsolation =
      words.last == "unsealed" ? .unsealed : .sealed(isRequired: true)
    let fetcher = Fetcher(policy: AddressPolicy(), isolation: isolation)
    guard words.count == 3, let found = try? fetcher.added(words[1]) else { exit(1) }
    print(String(decoding: JSONWriter.write(found, .line), as: UTF8.self))
    exit(0)
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
