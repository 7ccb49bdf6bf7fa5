import ExactTime
import JSON
import MediaEngine
import MediaFacts
import Synchronization
import Trimming

/// Answers requests with the engine in its own process, one at a time.
///
/// A process has at most one file open, which stays open until the process ends.
final class EngineServer {
  private let operations: SealedOperations
  private let voice: EngineVoice
  private let hasFFmpeg: Bool
  private var path: [UInt8] = []
  private var isStandardInput = false
  /// Further files, where several are joined.
  private var others: [[UInt8]] = []
  private var media: (any Cuttable)?
  private var pictures: MediaPictures?
  /// The index of the file for pictures, found by another process.
  private var index: [UInt8] = []
  /// The source of levels, if only those are requested.
  private var sound: EngineArguments.Pictures?
  private var preview: PreviewSource?

  init(_ operations: SealedOperations, voice: EngineVoice, hasFFmpeg: Bool = true) {
    self.operations = operations
    self.voice = voice
    self.hasFFmpeg = hasFFmpeg
  }

  func answer(_ request: EngineMessage, _ descriptors: [Int32]) -> EngineMessage {
    do throws(EngineFailure) {
      guard let operation = request.head["operation"]?.text.map({ RequestedOperation($0) }),
        let arguments = request.head["arguments"],
        let files = request.head["files"].flatMap(EngineFiles.init)
      else { throw Self.notUnderstood }
      take(files, descriptors)
      defer { putBack(after: operation) }
      if let words = operations.hook(operation.name) {
        throw EngineFailure(MediaError(.internalError, words))
      }
      if operation == .engine(.pictures) { index = request.body }
      let (result, bytes) = try perform(operation, arguments, request.body)
      return EngineMessage(head: .object(["result": result]), body: bytes)
    } catch {
      let failure = (try? JSONValue.encoded(error)) ?? .null
      return EngineMessage(head: .object(["failure": failure]))
    }
  }

  private func take(_ files: EngineFiles, _ descriptors: [Int32]) {
    var left = descriptors[...]
    if let name = files.input, let input = left.popFirst() {
      path = name
      isStandardInput = files.isStandardInput
      var held = HandedFiles.Files(input: (name, input))
      held.byteCount = files.byteCount
      held.isStandardInput = files.isStandardInput
      held.isSeekable = files.isSeekable
      others = files.others.map(\.name)
      for other in files.others {
        guard let descriptor = left.popFirst() else { break }
        held.others.append((other.name, descriptor, other.byteCount))
      }
      if files.output == nil {
        held.scratch = Array(left)
        left = []
      }
      HandedFiles.hold(held)
    }
    if let name = files.output, let output = left.popFirst() {
      HandedFiles.addOutput((name, output), scratch: Array(left))
    }
  }

  private func putBack(after operation: RequestedOperation) {
    switch operation {
    case .engine(.cut), .engine(.preview), .engine(.layout): HandedFiles.releaseOutput()
    case .engine(.probe), .added: HandedFiles.release()
    default: break
    }
  }

  private var input: MediaInput { isStandardInput ? .standardInput : .file(path: path) }

  private func perform(
    _ operation: RequestedOperation, _ arguments: JSONValue, _ body: [UInt8]
  ) throws(EngineFailure) -> (JSONValue, [UInt8]) {
    do {
      switch operation {
      case .engine(let operation): return try perform(operation, arguments)
      case .added(let name):
        guard let added = operations.added[name] else { throw Self.notUnderstood }
        let answer = try added(work(arguments, body))
        return (answer.value, answer.bytes)
      }
    } catch {
      throw EngineFailure(any: error)
    }
  }

  private func perform(
    _ operation: EngineOperation, _ arguments: JSONValue
  ) throws -> (JSONValue, [UInt8]) {
    switch operation {
    case .probe:
      let asked: CodedProbeOptions = try EngineProcess.decoded(arguments)
      return (try JSONValue.encoded(work(arguments).facts(asked.options)), [])
    case .open:
      let cutter = FileCutter(isCancelled: heartbeat)
      let opened =
        others.isEmpty
        ? try cutter.open(input) : try cutter.open([input] + others.map { .file(path: $0) })
      media = opened
      return (
        try JSONValue.encoded(
          EngineResults.Opened(
            facts: opened.facts,
            mostPixels: opened.allFacts.reduce(opened.facts.mostPixels) { max($0, $1.mostPixels) })),
        []
      )
    case .frames, .learn, .identity, .plan, .cut, .preview, .layout:
      return try performOnMedia(operation, arguments)
    case .pictures, .instants, .picture, .file, .prepare, .thumbnails, .levels, .segment:
      return try show(operation, arguments)
    }
  }

  private func work(_ arguments: JSONValue, _ body: [UInt8] = []) -> SealedWork {
    SealedWork(
      arguments: arguments, body: body, input: input, hasFFmpeg: hasFFmpeg, isCancelled: heartbeat,
      report: { [voice] progress in voice.report(progress.bytesDone, of: progress.bytesTotal) })
  }

  var heartbeat: @Sendable () -> Bool {
    { [voice] in
      voice.beat()
      return false
    }
  }

  private func performOnMedia(
    _ operation: EngineOperation, _ arguments: JSONValue
  ) throws -> (JSONValue, [UInt8]) {
    guard let media else { throw Self.nothingOpen }
    func plan() throws -> CutPlan {
      let asked: EngineArguments.Cut = try EngineProcess.decoded(arguments)
      return asked.plan
    }
    switch operation {
    case .frames:
      return (try JSONValue.encoded(EngineResults.Frames(media.frameStarts)), [])
    case .learn:
      let asked: EngineArguments.Learn = try EngineProcess.decoded(arguments)
      return (
        try JSONValue.encoded(EngineResults.Learned(facts: media.learn(asked.missing))), []
      )
    case .identity: return (try JSONValue.encoded(media.identity()), [])
    case .plan:
      let asked: EngineArguments.Plan = try EngineProcess.decoded(arguments)
      var order = CutOrder(asked.request, to: Self.outputName, replaces: true)
      // Its name says nothing about it.
      (order.request, order.container) = (asked.request, asked.container)
      order.isExecuted = asked.isExecuted
      return (try JSONValue.encoded(media.plan(order)), [])
    case .cut:
      let report = try media.cut(
        plan(), to: Self.outputName, replaces: true, keepsFailed: false, progress: report)
      return (try JSONValue.encoded(report), [])
    case .layout:
      guard let laid = try media.laidResult(plan(), beside: Self.outputName, progress: report)
      else { return (.null, []) }
      let reported = EngineResults.Layout(frames: laid.frames, end: laid.end, seams: laid.seams)
      return (try JSONValue.encoded(reported), laid.pieces.bytes)
    default:
      let made = try media.resultPictures(plan(), beside: Self.outputName, progress: report)
      pictures = made.pictures
      let seams = EngineResults.Preview(seams: made.seams, seamsOfResult: made.seamsOfResult)
      return (try JSONValue.encoded(seams), [])
    }
  }

  /// Any name will do: its descriptor was passed along.
  static let outputName = Array("output".utf8)

  private func report(_ progress: CutProgress) -> Bool {
    voice.report(progress.done, of: progress.total)
    return true
  }

  private static let notUnderstood = EngineFailure(
    MediaError(.internalError, "the request cannot be understood"))
  private static let nothingOpen = EngineFailure(
    MediaError(.internalError, "nothing is open in this process"))
}

extension EngineServer {
  private func show(
    _ operation: EngineOperation, _ arguments: JSONValue
  ) throws -> (JSONValue, [UInt8]) {
    if operation == .pictures { return try openPictures(arguments) }
    if operation == .levels { return try levels(arguments) }
    if operation == .segment { return try segment(arguments) }
    guard let pictures else { throw Self.nothingOpen }
    switch operation {
    case .instants:
      return (try JSONValue.encoded(pictures.frames()), [])
    case .picture:
      let asked: EngineArguments.Picture = try EngineProcess.decoded(arguments)
      let made = try pictures.picture(asked.time, asked.size, asked.isRestart)
      let result = EngineResults.Picture(
        frame: made.frame, width: made.picture.width, height: made.picture.height,
        isToneMapped: made.isToneMapped)
      return (try JSONValue.encoded(result), made.picture.pixels)
    case .file:
      let asked: EngineArguments.Picture = try EngineProcess.decoded(arguments)
      return (.null, try pictures.file(asked.time))
    case .prepare:
      let asked: EngineArguments.Picture = try EngineProcess.decoded(arguments)
      try pictures.prepare(asked.time, asked.size)
      return (.null, [])
    default:
      let asked: EngineArguments.Thumbnails = try EngineProcess.decoded(arguments)
      let made = try pictures.thumbnails(asked.times, asked.size)
      let sizes = made.map { EngineResults.Thumbnails.Size(width: $0.width, height: $0.height) }
      return (
        try JSONValue.encoded(EngineResults.Thumbnails(sizes: sizes)), made.flatMap(\.pixels)
      )
    }
  }

  private func openPictures(_ arguments: JSONValue) throws -> (JSONValue, [UInt8]) {
    let asked: EngineArguments.Pictures = try EngineProcess.decoded(arguments)
    sound = asked
    guard !asked.isSoundAlone else {
      return (try JSONValue.encoded(EngineResults.Pictures(hasPictures: false)), [])
    }
    let opened = try MediaPictures.open(
      path, asked.facts, asked.origin, index: index, isCancelled: heartbeat)
    pictures = opened
    let result = EngineResults.Pictures(hasPictures: opened.hasPictures)
    return (try JSONValue.encoded(result), index.isEmpty ? opened.index : [])
  }

  private func segment(_ arguments: JSONValue) throws -> (JSONValue, [UInt8]) {
    guard let sound else { throw Self.nothingOpen }
    let asked: EngineArguments.Segment = try EngineProcess.decoded(arguments)
    let source =
      preview
      ?? PreviewSource(path, sound.facts, sound.origin, index: index, isCancelled: heartbeat)
    preview = source
    guard let made = try source.segment(asked.kind, asked.coding, asked.range) else {
      return (.null, [])
    }
    let reported = EngineResults.Segment(
      type: made.type, range: made.range, start: made.start)
    return (try JSONValue.encoded(reported), made.bytes)
  }

  private func levels(_ arguments: JSONValue) throws -> (JSONValue, [UInt8]) {
    guard let sound else { throw Self.nothingOpen }
    let asked: EngineArguments.Levels = try EngineProcess.decoded(arguments)
    let levels = try MediaPictures.levels(
      path, sound.facts, sound.origin, asked.range, asked.count, isCancelled: heartbeat)
    return (
      .null,
      levels.flatMap { level in withUnsafeBytes(of: level.bitPattern.littleEndian, Array.init) }
    )
  }
}

extension EngineResults.Frames {
  init(_ known: FrameStarts?) {
    guard let known, let count = known.count else {
      self.init(instants: .unknown)
      return
    }
    let starts = (0..<count).compactMap { try? known.start(ofFrame: $0) }
    let instants = FrameInstants(starts)
    self.init(
      instants: instants, starts: instants.count == starts.count ? nil : starts,
      end: try? known.start(ofFrame: count))
  }

  var frameStarts: FrameStarts? {
    let starts = starts ?? (0..<instants.count).compactMap { instants.time(at: $0) }
    // They are searched as an ascending list.
    guard let end, !starts.isEmpty, zip(starts, starts.dropFirst()).allSatisfy(<=),
      starts.last.map({ $0 < end }) ?? true
    else { return nil }
    return FrameStarts(starts: starts, end: end)
  }
}
