import CommandLineKit
import EditLists
import MediaEngine
import Threads
import TrimStudio
import Trimming

/// What opens the files that are added to that of a screen.
struct AddedFiles: Sendable {
  /// A file that was opened, and what shows it.
  typealias Show = @MainActor (_ media: PlayedMedia, _ path: [UInt8]) -> PlayedFile

  /// All files, by their index in the session.
  let sources: ScreenSources
  /// Reads a file.
  let load: @Sendable (PlayInput) async -> Result<PlayedMedia, PlayedMedia.Failure>
  let show: Show
  let asciiOnly: Bool

  /// What is typed for a file, which may have a part after its name.
  ///
  /// - Throws: `VideoFailure`.
  func input(_ file: ArgumentText) throws(VideoFailure) -> (input: PlayInput, path: [UInt8]) {
    let named: PlayInput
    do throws(UsageError) {
      named = try PlayInput(
        file, part: PartExpression(), command: EditOptions.command, asciiOnly: asciiOnly)
    } catch {
      throw VideoFailure("Not added: \(error.message)")
    }
    guard case .file(let path) = named.input else {
      throw VideoFailure("A file is added by its path, not from standard input.")
    }
    return (named, path)
  }

  /// A file of earlier work or of a project.
  func input(path: [UInt8]) -> PlayInput {
    var input = PlayInput(path: path)
    input.location = ForeignText.shown(path, asciiOnly: asciiOnly)
    return input
  }

  /// The index of a file that the session has already; `nil` for another.
  func index(of path: [UInt8]) async throws -> Int? {
    try await WaitingThread.value { [sources] in sources.index(of: path) }
  }

  /// Reads another file, and notes what distinguishes it.
  ///
  /// - Throws: ``PlayedMedia/Failure`` or `VideoFailure`.
  func open(_ input: PlayInput, at path: [UInt8]) async throws -> PlayedMedia {
    let media = try await load(input).get()
    try await WaitingThread.value { [sources] in try sources.identify(path) }
    return media
  }

  /// The files of earlier work or of a project, where they are.
  ///
  /// - Parameter project: the one that was opened, whose files were found with it.
  /// - Throws: `VideoFailure` for one that is gone, or another one.
  func located(
    _ others: [EditList.Source], of project: ProjectFile?
  ) async throws -> [[UInt8]] {
    if let project, project.project.others == others { return Array(project.sources.dropFirst()) }
    // The user's own state names them.
    return try await WaitingThread.value { [sources] in
      try sources.located(others) { _ in true }
    }
  }
}
