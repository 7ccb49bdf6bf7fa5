import CommandLineKit
import FoundationEssentials
import Glibc

/// A program run by the tests: its exit status and its output.
struct Program {
  var status: Int32
  var out: [UInt8]
  var err: [UInt8]

  var outText: String { String(decoding: out, as: UTF8.self) }
  var errText: String { String(decoding: err, as: UTF8.self) }

  /// Runs a shell command; its arguments are `$1`, `$2` and so on.
  static func shell(
    _ command: String, _ arguments: [[UInt8]] = [], environment: [String: String] = [:]
  ) throws -> Program {
    // A program that hangs is a failure, but does not end the run.
    let words = ["timeout", "--foreground", "60", "sh", "-c", command, "sh"]
    return try run(
      "/usr/bin/timeout", words.map { Array($0.utf8) } + arguments, environment: environment)
  }

  /// - Parameter words: all of `argv`, the name included.
  static func run(
    _ path: String, _ words: [[UInt8]], environment: [String: String] = [:]
  ) throws -> Program {
    let folder = try TemporaryFolder()
    let (out, err) = (folder.path(of: "out"), folder.path(of: "err"))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, out, flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, err, flags, 0o600)
    let inherited = ProcessInfo.processInfo.environment.filter {
      ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR", "ASAN_OPTIONS"].contains($0.key)
    }
    let variables = inherited.merging(environment) { $1 }.map {
      Array("\($0.key)=\($0.value)".utf8)
    }
    var process = pid_t()
    let result = withCStrings(words) { arguments in
      withCStrings(variables) { variables in
        posix_spawn(&process, path, &actions, nil, arguments, variables)
      }
    }
    guard result == 0 else { throw Failure(call: "posix_spawn \(path)", number: result) }
    var wait: Int32 = 0
    while waitpid(process, &wait, 0) < 0 && errno == EINTR {}
    let signal = wait & 0x7f
    return Program(
      status: signal == 0 ? wait >> 8 & 0xff : 128 + signal, out: try folder.bytes(of: "out"),
      err: try folder.bytes(of: "err"))
  }

  struct Failure: Error {
    var call: String
    var number: Int32
  }

  private static func withCStrings<Result>(
    _ words: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = words.map { word in
      (word + [0]).map(CChar.init(bitPattern:)).withUnsafeBufferPointer {
        $0.baseAddress.flatMap { strdup($0) }
      }
    }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}

/// A folder that is deleted after the test.
final class TemporaryFolder {
  let root: String

  init() throws {
    var template = Array("/tmp/trim-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw Program.Failure(call: "mkdtemp", number: errno)
    }
    root = String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func path(of name: String) -> String { root + "/" + name }

  func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(of: name))))
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: path(of: name)))
  }
}
