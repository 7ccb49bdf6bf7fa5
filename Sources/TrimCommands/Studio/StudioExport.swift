import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import Synchronization
import TerminalUI
import TrimStudio
import Trimming

/// Where the results of one file go, and what cuts them: all writing in the studio.
///
/// A page may choose a name, and a folder only from a list; an existing name gets a number.
final class StudioExport: Sendable {
  private struct State {
    /// The file name without a folder.
    var name: [UInt8]
    var results: [StudioCutting.Result] = []
    /// The cutter used for planning, per container.
    var planner: (container: OutputContainer, cutter: MediaCutter?)?
  }

  private let tool: Tool
  private let media: PlayedMedia
  private let path: [UInt8]
  /// The files that parts may be of.
  private let sources: ScreenSources
  private let place: OutputFolder
  private let state: Mutex<State>
  private let choice: CutSettingsChoice
  private let types: [StudioSettings.FileType]

  init(
    tool: Tool, media: PlayedMedia, path: [UInt8], sources: ScreenSources? = nil,
    folder: OutputFolder
  ) {
    self.tool = tool
    self.sources = sources ?? ScreenSources(path, engine: tool.engine)
    self.media = media
    self.path = path
    let slash = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    place = folder
    let name = TrimmedName.of(Array(path[slash...]), holding: media.facts)
    state = Mutex(State(name: name))
    types = StudioSettings.FileType.all(for: media.facts, own: name)
    choice = CutSettingsChoice(media.facts, CutSettings())
  }

  private var folder: [UInt8] { place.path }

  /// The path that the next result has if it is free.
  var nextOutput: [UInt8] { folder + state.withLock { $0.name } }

  var cutting: StudioCutting {
    var cutting = StudioCutting(
      outlook: { [self] parts, joins in
        let worker = planning
        return try await worker.value { try self.outlook(parts, joins: joins) }
      },
      preview: { [self] parts, limit, isWritten in
        try await preview(parts, limit, isWritten: isWritten)
      },
      endPreview: { [self] in previews.wrappingAdd(1, ordering: .relaxed) },
      export: .files { [self] request, progress in try await export(request, progress) },
      results: { [self] in state.withLock { $0.results } },
      settings: { [self] in settings }, change: { [self] in try change($0) })
    cutting.folders = place.folders
    return cutting
  }

  private let planning = StudioWorker()
  private let previewing = StudioWorker()
  /// Incremented when the current preview is no longer wanted.
  private let previews = Atomic<Int>(0)

  /// The cutter shared by all results in one container, so that encoded edges are kept.
  private func cutter(_ container: OutputContainer) -> MediaCutter? {
    state.withLock { state in
      if let known = state.planner, known.container == container { return known.cutter }
      let made = tool.engine.cutter(
        of: .file(path: path), sources, container, { [tool] in tool.interruption() != 0 })
      state.planner = (container, made)
      return made
    }
  }

  private func outlook(
    _ parts: [TrimmingPart], joins: Bool
  ) throws -> StudioCutting.Outlook {
    let name = state.withLock { $0.name }
    guard let cutter = cutter(try Self.container(name)) else { throw Self.noCutter }
    let target = EditTarget(folder + name, replaces: false, asciiOnly: false)
    let outlook = try cutter.outlook(
      target.orders(parts, joins: joins, LengthLimit(maximum: nil), settings: choice.settings))
    var shown = StudioCutting.Outlook(sentence: outlook.sentence, encoded: outlook.encoded)
    shown.encodedSources = outlook.encodedSources
    if outlook.partBytes.count == parts.count {
      shown.sizes = outlook.partBytes.map { "about " + ByteCount.text($0) }
    }
    return shown
  }

  /// The cut that an export would write: laid out where possible, otherwise written to an unnamed
  /// file.
  private func preview(
    _ parts: [TrimmingPart], _ limit: LengthLimit, isWritten: Bool
  ) async throws -> StudioResult {
    let name = state.withLock { $0.name }
    let container = try Self.container(name)
    guard !parts.isEmpty, let cutter = cutter(container) else { throw Self.noCutter }
    let wanted = CutOrder(
      parts, as: choice.settings, to: folder + name, limit: limit, replaces: true)
    let isInterrupted = tool.interruption
    let number = previews.load(ordering: .relaxed)
    let goesOn = { @Sendable [self] in
      isInterrupted() == 0 && previews.load(ordering: .relaxed) == number
    }
    let laid = try await previewing.value {
      isWritten ? nil : try cutter.layout(wanted, goesOn)
    }
    if let laid {
      return StudioResult(
        laid, of: media, name: ForeignText.shown(name), type: MediaType.of(media.facts))
    }
    let (unnamed, seams) = try await previewing.value {
      let made = try cutter.preview(wanted, goesOn)
      return (UnnamedFile(descriptor: try made.openResult()), made.seamsOfResult)
    }
    return try await StudioResult(
      unnamed, name: ForeignText.shown(name), seams: seams, tool: tool)
  }

  // MARK: Writing

  private func export(
    _ request: ExportRequest, _ progress: @escaping ExportPort.Progress
  ) async throws -> [String] {
    let name = state.withLock { $0.name }
    guard let cutter = cutter(try Self.container(name)) else { throw Self.noCutter }
    if let refusal = place.refusal { throw VideoFailure(refusal + Self.elsewhere) }
    let target = try freeTarget(name, request)
    let port = TrimmingPorts.editing(
      media, flags: .inMemory(), cutter: cutter, target: target,
      settings: { [choice] in choice.settings })
    let shown = try await port.export.run(request, progress)
    let results = try target.paths(request.parts, joins: request.joins).map { path in
      let slash = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      return StudioCutting.Result(
        name: ForeignText.shown(path[slash...]), place: ForeignText.shown(path),
        media: try StudioMedia(path, type: Self.type(ofResult: path)))
    }
    state.withLock { $0.results = results }
    return shown
  }

  /// `clip-trimmed.mp4`, then `clip-trimmed-2.mp4` and so on: existing files are never replaced.
  private func freeTarget(_ name: [UInt8], _ request: ExportRequest) throws -> EditTarget {
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.count
    for number in 1...999 {
      let suffix = number == 1 ? [] : Array("-\(number)".utf8)
      let target = EditTarget(
        folder + name[..<dot] + suffix + name[dot...], replaces: false, asciiOnly: false)
      if target.taken(request.parts, joins: request.joins).isEmpty { return target }
    }
    throw VideoFailure(
      "There are already 999 files with this name in \(ForeignText.shown(folder)): choose another.")
  }

  // MARK: How

  private var settings: StudioSettings {
    var shown = StudioSettings(
      output: ForeignText.shown(state.withLock { $0.name }), mode: choice.settings.mode,
      tracks: choice.shownTracks)
    shown.types = types
    shown.folder = place.shown
    return shown
  }

  private func change(_ change: StudioSettings.Change) throws {
    switch change {
    case .output(let text): try rename(text)
    case .mode(let text):
      guard let mode = CutMode(rawValue: text) else {
        throw VideoFailure("There is no such mode.")
      }
      choice.choose(mode)
    case .folder(let text): try place.choose(text)
    case .tracks(let text):
      guard choice.choose(tracks: TrackNumbers.set(text)) else {
        throw VideoFailure("Choose at least one track.")
      }
    }
  }

  /// Accepts a plain name only: no folder, not hidden, with a supported extension.
  private func rename(_ text: String) throws {
    guard PlainName.isOne(text) else {
      throw VideoFailure("“\(ForeignText.shown(text))” is not a file name.")
    }
    let name = Array(text.utf8)
    _ = try Self.container(name)
    state.withLock { $0.name = name }
  }

  private static func container(_ name: [UInt8]) throws(VideoFailure) -> OutputContainer {
    guard let container = OutputContainer(fileName: name) else {
      let known = OutputContainer.allCases.map(\.rules.ending).joined(separator: ", ")
      throw VideoFailure("The name must end with one of \(known).")
    }
    return container
  }

  private static let elsewhere = " Choose another folder beside the name."
  private static let noCutter = VideoFailure("this build of trim cannot cut")

  private static func type(ofResult path: [UInt8]) -> String {
    OutputContainer(fileName: path)?.rules.mediaType ?? "application/octet-stream"
  }
}
