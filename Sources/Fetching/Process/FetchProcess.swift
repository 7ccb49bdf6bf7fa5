import CSystem
import Glibc
import JSON

/// The process that fetches: `trim __fetch [unsealed]`, one of a run.
///
/// It has connections, and nothing else: before it reads a request, it drops what it inherited, loads
/// libcurl and the certificates, and seals itself. From then on it can open no file and start no program, as
/// the decoder; nor can it connect to anything: it only talks through the sockets that it is handed.
package enum FetchProcess {
  /// The hidden command; not for users.
  static let command = "__fetch"
  static let unsealed = "unsealed"

  /// Its address space, in bytes.
  private static let memory: UInt64 = 1 << 30

  /// If this process was started as such, does that work and ends it; must be called first, while there is
  /// only one thread.
  ///
  /// - Parameters:
  ///   - words: the command line without the program's name.
  ///   - added: answers requests that only tests make, by their names.
  package static func serveIfAsked(
    _ words: [[UInt8]],
    added: @escaping @Sendable (String) -> [(String, String)]? = { _ in nil }
  ) {
    guard words.first == Array(command.utf8) else { return }
    trim_leave_inheritance(0)
    // The command decides when its processes end: signals are for the command.
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    signal(SIGPIPE, SIG_IGN)
    let loop = FetchLoop(input: STDIN_FILENO, output: STDOUT_FILENO, added: added)
    var greeting = WireGreeting(process: getpid())
    greeting.failure = loop.load()
    if greeting.failure == nil {
      greeting.library = FetchLoop.library
      if !words.contains(Array(unsealed.utf8)) {
        greeting.layers = trim_enter_sandbox_with_connections(memory)
      }
    }
    if let coded = try? JSONValue.encoded(greeting) { loop.say(EngineMessage(head: coded)) }
    loop.run()
    exit(0)
  }
}
