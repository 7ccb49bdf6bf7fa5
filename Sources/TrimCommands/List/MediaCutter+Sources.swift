import CommandLineKit
import MediaEngine
import Synchronization
import Trimming

extension MediaCutter {
  /// Cuts parts of several files: those that an order has parts of are opened together.
  ///
  /// - Parameters:
  ///   - first: the cutter of the first file alone.
  ///   - paths: all files, by the index that parts have.
  ///   - joined: makes the cutter of some of them.
  init(
    _ first: MediaCutter, paths: @escaping @Sendable () -> [[UInt8]],
    joined: @escaping @Sendable (_ files: [[UInt8]]) -> MediaCutter
  ) {
    let others = Others(first, paths, joined)
    self.init(
      outlook: { orders in
        guard !orders.allSatisfy(\.isOfFirstSource) else { return try first.outlook(orders) }
        var sum: CutOutlook?
        for order in orders {
          let one = try others.with(order) { cutter, order, used, names in
            try cutter.outlook([order]).named(used, names)
          }
          sum = sum?.adding(one) ?? one
        }
        return sum ?? CutOutlook()
      },
      cut: { order, isCancelled, progress in
        try others.with(order) { cutter, order, _, _ in
          try cutter.cut(order, isCancelled, progress)
        }
      },
      preview: { order, goesOn in
        try others.with(order) { cutter, order, _, _ in try cutter.preview(order, goesOn) }
      })
    layout = { order, goesOn in
      // The pieces of a layout are those of one file.
      order.isOfFirstSource ? try first.layout(order, goesOn) : nil
    }
  }

  /// The cutters of other files than the first, of which the newest is kept.
  private final class Others: Sendable {
    private let first: MediaCutter
    private let paths: @Sendable () -> [[UInt8]]
    private let joined: @Sendable ([[UInt8]]) -> MediaCutter
    private let newest = Mutex<(files: [[UInt8]], cutter: MediaCutter)?>(nil)

    init(
      _ first: MediaCutter, _ paths: @escaping @Sendable () -> [[UInt8]],
      _ joined: @escaping @Sendable ([[UInt8]]) -> MediaCutter
    ) {
      self.first = first
      self.paths = paths
      self.joined = joined
    }

    /// Works with an order whose sources are numbered by the files that it has parts of.
    ///
    /// - Throws: also `VideoFailure` that names the file which an error is about.
    func with<Result>(
      _ order: CutOrder,
      _ work: (MediaCutter, CutOrder, _ used: [Int], _ names: [String]) throws -> Result
    ) throws -> Result {
      guard !order.isOfFirstSource else { return try work(first, order, [0], [""]) }
      let used = order.request.parts.map(\.source).reduce(into: [Int]()) { used, source in
        if !used.contains(source) { used.append(source) }
      }
      let all = paths()
      let files = used.compactMap { all.indices.contains($0) ? all[$0] : nil }
      guard files.count == used.count else {
        throw VideoFailure("A file that parts are of is not known here.")
      }
      var own = order
      own.request = order.request.showing(
        order.request.parts.map { part in
          var part = part
          part.source = used.firstIndex(of: part.source) ?? 0
          return part
        })
      // Tracks are chosen by their numbers in the first file, which leads then.
      if let first = used.firstIndex(of: 0) {
        if own.request.tracks != nil { own.request.like = first }
      } else {
        own.request.tracks = nil
      }
      let names = files.map { path in
        ForeignText.shown(path.split(separator: UInt8(ascii: "/")).last ?? path[...])
      }
      do {
        return try work(cutter(of: files), own, used, names)
      } catch let error as MediaError {
        guard let source = error.source, names.indices.contains(source) else { throw error }
        throw VideoFailure("\(names[source]): \(error)")
      }
    }

    private func cutter(of files: [[UInt8]]) -> MediaCutter {
      newest.withLock { newest in
        if let newest, newest.files == files { return newest.cutter }
        let made = joined(files)
        newest = (files, made)
        return made
      }
    }
  }
}

extension CutOrder {
  fileprivate var isOfFirstSource: Bool { request.parts.allSatisfy { $0.source == 0 } }

  /// - Parameter parts: concatenated in the same file; never empty. Each has the index of its file.
  init(
    _ parts: [TrimmingPart], as settings: CutSettings, to output: [UInt8], limit: LengthLimit,
    replaces: Bool
  ) {
    self.init(parts.map(\.range), as: settings, to: output, limit: limit, replaces: replaces)
    guard parts.contains(where: { $0.source != 0 }) else { return }
    request = request.showing(
      parts.map { CutRequest.Part(source: $0.source, range: $0.range) })
  }
}

extension EnginePort {
  /// The cutter of a screen's files.
  ///
  /// - Parameter input: the first of them.
  func cutter(
    of input: MediaInput, _ sources: ScreenSources, _ container: OutputContainer,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) -> MediaCutter? {
    let (make, join): (MakeCutter, Join) = (cutter, join)
    return make(input, container, isCancelled).map { first in
      MediaCutter(first, paths: { sources.paths }) { files in
        // Parts of one file need no container that files can be joined into.
        if files.count == 1, let own = make(.file(path: files[0]), container, isCancelled) {
          return own
        }
        return .live(container: container, isCancelled: isCancelled) {
          (isCancelled) throws(MediaError) in
          try join(files.map { .file(path: $0) }, isCancelled)
        }
      }
    }
  }
}
