import CommandLineKit
import ExactTime
import Glibc
import MediaEngine
import Synchronization
import Threads
import Trimming

/// Where a cut goes, and whether existing files may be replaced.
final class EditTarget: Sendable {
  /// What has been written: parts, and the file names, safe to display.
  struct Written: Equatable, Sendable {
    var ranges: [MediaTimeRange]
    /// The indices of their files.
    var sources: [Int]
    var joins: Bool
    var shown: [String]
    var length: MediaDuration?
  }

  let path: [UInt8]
  /// The name, safe to display.
  let shown: String
  private let asciiOnly: Bool
  private let mayReplace: Mutex<Bool>
  private let newest = Mutex<Written?>(nil)

  init(_ path: [UInt8], replaces: Bool, asciiOnly: Bool) {
    self.path = path
    self.asciiOnly = asciiOnly
    shown = ForeignText.shown(path, asciiOnly: asciiOnly)
    mayReplace = Mutex(replaces)
  }

  var replaces: Bool { mayReplace.withLock { $0 } }
  func allowReplacing() { mayReplace.withLock { $0 = true } }

  /// What was written last.
  var written: Written? { newest.withLock { $0 } }

  func note(_ written: Written) { newest.withLock { $0 = written } }

  func shown(_ path: [UInt8]) -> String { ForeignText.shown(path, asciiOnly: asciiOnly) }

  /// The file of each part, or the one that joined parts become.
  ///
  /// Several files are numbered as by `trim cut --keep`, followed by the name of the part.
  func paths(_ parts: [TrimmingPart], joins: Bool) -> [[UInt8]] {
    guard parts.count > 1, !joins else { return [path] }
    let width = "\(parts.count)".utf8.count
    let name = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let dot = path.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name ? $0 : nil } ?? path.count
    return parts.enumerated().map { index, part in
      let number = "\(index + 1)"
      let digits = String(repeating: "0", count: width - number.utf8.count) + number
      let label = part.name.isEmpty ? "" : "-" + Self.fileName(part.name)
      return path[..<dot] + Array("-\(digits)\(label)".utf8) + path[dot...]
    }
  }

  /// The cut of each file.
  func orders(
    _ parts: [TrimmingPart], joins: Bool, _ limit: LengthLimit, settings: CutSettings
  ) -> [CutOrder] {
    paths(parts, joins: joins).enumerated().map { index, path in
      CutOrder(
        joins ? parts : [parts[index]], as: settings, to: path, limit: limit, replaces: replaces)
    }
  }

  /// Sanitizes a name: it cannot lead to another folder, and every character can be typed.
  private static func fileName(_ name: String) -> String {
    let characters = name.prefix(60).map { character -> Character in
      let isPlain = character.isLetter || character.isNumber || "-_ .".contains(character)
      return isPlain ? character : "_"
    }
    return String(characters)
  }

  /// The files that already exist, unless replacing is allowed.
  func taken(_ parts: [TrimmingPart], joins: Bool) -> [[UInt8]] {
    replaces ? [] : paths(parts, joins: joins).filter(Self.exists)
  }

  static func exists(_ path: [UInt8]) -> Bool {
    (path + [0]).withUnsafeBytes { bytes in
      guard let name = bytes.bindMemory(to: CChar.self).baseAddress else { return false }
      return access(name, F_OK) == 0
    }
  }
}

extension TrimmingPorts {
  /// The ports of a screen that already has its file and cuts it.
  static func editing(
    _ media: PlayedMedia, flags: FirstVisitFlag, cutter: MediaCutter?, target: EditTarget,
    settings: @escaping @Sendable () -> CutSettings
  ) -> TrimmingPorts {
    TrimmingPorts(
      probe: ProbePort { _ in media.timings }, flags: flags,
      export: .files { request, progress in
        guard let cutter else { throw VideoFailure("this build of trim cannot cut") }
        let orders = target.orders(
          request.parts, joins: request.joins, request.limit, settings: settings())
        let ranges = request.parts.map(\.range)
        for (index, order) in orders.enumerated() {
          try await run(order, cutter) { share in
            progress(Self.share(share, of: index, among: orders.count))
          }
        }
        let shown = orders.map { target.shown($0.output) }
        let length = ranges.reduce(MediaDuration?.some(.zero)) { sum, range in
          sum.flatMap { try? $0.adding(range.checkedLength()) }
        }
        target.note(
          EditTarget.Written(
            ranges: ranges, sources: request.parts.map(\.source), joins: request.joins,
            shown: shown, length: length))
        return shown
      })
  }

  /// The total progress, from the progress of one of the files.
  private static func share(_ share: Rational, of index: Int, among count: Int) -> Rational {
    let whole = try? Rational(Int64(index)).adding(share)
    return (try? whole?.divided(by: Rational(Int64(max(1, count))))) ?? share
  }

  /// Runs off the main actor, until it is done or has wound down after a cancel.
  private static func run(
    _ order: CutOrder, _ cutter: MediaCutter, _ progress: @escaping ExportPort.Progress
  ) async throws {
    let isCancelled = CancelSwitch()
    try await withTaskCancellationHandler {
      do {
        try await WaitingThread.value {
          try cutter.cut(
            order, { isCancelled.isOn },
            { share in
              progress(share)
              return !isCancelled.isOn
            })
        }
      } catch  where isCancelled.isOn {
        throw CancellationError()
      }
    } onCancel: {
      isCancelled.turnOn()
    }
  }
}
