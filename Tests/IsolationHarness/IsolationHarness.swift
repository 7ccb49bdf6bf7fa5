import ExactTime
import Foundation
import IsolatedEngine
import MediaEngine
import MediaFacts
import Trimming

/// A program that embeds the sealed engine, only for its tests.
///
/// `probe FILE` prints what a player presents of it; `cut FILE FROM TO OUTPUT` cuts; `unserved FILE`
/// probes without serving; `killed FILE` ends the sealed process between two probes; `seals FILE` prints
/// how the process that read a file is sealed.
@main struct IsolationHarness {
  static func main() {
    let words = CommandLine.arguments.dropFirst().map(\.self)
    if words.first != "unserved" { IsolatedEngine.serveIfAsked() }
    // A process started from this program that does not serve would print this a second time.
    print("main")
    do {
      try run(words)
    } catch let error as MediaError {
      print("error \(error.code.rawValue)")
    } catch {
      print("error \(error)")
    }
  }

  private static func run(_ words: [String]) throws {
    guard words.count >= 2 else { return }
    let input = MediaInput.file(path: Array(words[1].utf8))
    let engine = IsolatedEngine()
    switch words[0] {
    case "cut":
      guard words.count == 5, let from = Int64(words[2]), let to = Int64(words[3]),
        let range = MediaTimeRange(from: MediaTime(from), to: MediaTime(to))
      else { return }
      let order = CutOrder(CutRequest(range: range), to: Array(words[4].utf8))
      _ = try engine.open(input).cut(order)
      let made = try presented(.file(path: Array(words[4].utf8)), engine)
      print("written \(made)")
    case "killed":
      print("presented \(try presented(input, engine))")
      for child in children() {
        kill(child, SIGKILL)
        // Its files, too, are closed once its last thread has ended.
        while try !isDead(child) { usleep(1000) }
      }
      // The engine takes another process.
      print("presented \(try presented(input, engine))")
    case "seals":
      _ = try presented(input, engine)
      for child in children() {
        for name in ["NoNewPrivs", "Seccomp"] { print(try status(of: child, name)) }
      }
    default: print("presented \(try presented(input, engine))")
    }
  }

  private static func presented(_ input: MediaInput, _ engine: IsolatedEngine) throws -> String {
    let facts = try engine.probe(input)
    return facts.durations.presented.map { "\($0.length.seconds)" } ?? "nothing"
  }

  private static func isDead(_ process: pid_t) throws -> Bool {
    try status(of: process, "State").contains("Z")
      && status(of: process, "Threads").hasSuffix("\t1")
  }

  /// A line of what the system reports about a process.
  private static func status(of process: pid_t, _ name: String) throws -> Substring {
    let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    return text.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
  }

  private static func children() -> [pid_t] {
    let own = getpid()
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(own)/task")) ?? []
    return tasks.flatMap { task -> [pid_t] in
      let text = try? String(contentsOfFile: "/proc/\(own)/task/\(task)/children", encoding: .utf8)
      return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
  }
}
