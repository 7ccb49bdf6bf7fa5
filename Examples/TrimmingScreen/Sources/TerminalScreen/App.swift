import ExactTime
import Foundation
import Trimming

@main
enum App {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let text = arguments.first, let output = arguments.last,
      let length = try? MediaDuration(parsing: text)
    else {
      print("usage: TerminalScreen LENGTH OUTPUT.json\n\n\(Help.commands)")
      exit(64)
    }
    let video = TrimmingVideo(duration: length, location: "a clip of \(text) s")
    let presenter = TrimmingPresenter(video: video, isPlaying: false, ports: ports(output))
    await TerminalScreen(presenter: presenter).run(linesOfInput())
  }

  /// What the screen uses of the world.
  ///
  /// The file is a length, and the cutter writes down what to cut, exactly; an app brings its own.
  private static func ports(_ output: String) -> TrimmingPorts {
    TrimmingPorts(
      probe: ProbePort { _ in VideoTimings() },
      // As long as the process: a tool keeps it in a file, an app in its defaults.
      flags: .inMemory(),
      export: ExportPort { request, _ in try await write(request, to: output) })
  }

  /// Ports are called on the main actor; work that blocks leaves it.
  @concurrent private static func write(
    _ request: ExportRequest, to output: String
  ) async throws -> String {
    // The cutter's own door: whatever the screen thought, a length is judged here once more.
    guard request.limit.isValid(try request.range.checkedLength()) else {
      throw VideoFailure("the selected part is too long")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      try encoder.encode(request.range).write(to: URL(filePath: output), options: .atomic)
    } catch {
      throw VideoFailure("\(output) cannot be written: \(error.localizedDescription)")
    }
    return output
  }

  /// Read on a thread of their own, since reading blocks.
  private static func linesOfInput() -> AsyncStream<String> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
      }
    }
  }
}
