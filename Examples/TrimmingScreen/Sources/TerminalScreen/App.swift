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
    let video = TrimmingVideo(duration: length, location: "a video of \(text) s")
    let presenter = TrimmingPresenter(video: video, isPlaying: false, ports: ports(output))
    await TerminalScreen(presenter: presenter).run(linesOfInput())
  }

  /// Everything that the screen uses outside of itself.
  ///
  /// Here a video is only a length, and an export writes the exact range to a file; a real app
  /// supplies its own ports.
  private static func ports(_ output: String) -> TrimmingPorts {
    TrimmingPorts(
      probe: ProbePort { _ in VideoTimings() },
      // Lasts as long as the process; a tool keeps it in a file, an app in its user defaults.
      flags: .inMemory(),
      export: ExportPort { request, _ in try await write(request, to: output) })
  }

  /// Writes the range off the main actor, on which ports are called, since writing blocks.
  @concurrent private static func write(
    _ request: ExportRequest, to output: String
  ) async throws -> String {
    // The export checks the length again, whatever the screen decided.
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

  /// Reads lines on a separate thread, since reading blocks.
  private static func linesOfInput() -> AsyncStream<String> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
      }
    }
  }
}
