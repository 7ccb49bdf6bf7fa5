import CommandLineKit
package import ExactTime
package import Isolation
package import MediaEngine
import MediaFacts
import Synchronization
package import Trimming

/// Cuts the file of a screen; every function blocks.
package struct MediaCutter: Sendable {
  /// What the cuts would do, one for each file.
  package var outlook: @Sendable (_ orders: [CutOrder]) throws -> CutOutlook
  /// Writes a range to a file.
  ///
  /// `isCancelled` is called from inside long loops, on any thread; `progress` receives the completed fraction,
  /// and cancels by returning false.
  package var cut: Cut
  package typealias Cut =
    @Sendable (
      _ order: CutOrder, _ isCancelled: @escaping @Sendable () -> Bool,
      _ progress: (Rational) -> Bool
    ) throws -> Void

  /// Makes the same cut for preview; cancelled when `goesOn` returns false.
  package var preview: @Sendable (_ order: CutOrder, _ goesOn: () -> Bool) throws -> ResultPictures
  /// Lays out the same cut without writing it, and keeps what it encodes for the next ``cut``; `nil` where
  /// that is not possible.
  package var layout: @Sendable (_ order: CutOrder, _ goesOn: () -> Bool) throws -> LaidResult? = {
    _, _ in nil
  }

  package init(
    outlook: @escaping @Sendable ([CutOrder]) throws -> CutOutlook,
    cut: @escaping Cut,
    preview: @escaping @Sendable (CutOrder, _ goesOn: () -> Bool) throws -> ResultPictures
  ) {
    self.outlook = outlook
    self.cut = cut
    self.preview = preview
  }
}

/// Creates the cutter of a file for an output container; `nil` where nothing can be cut.
package typealias MakeCutter =
  @Sendable (
    _ input: MediaInput, _ container: OutputContainer, _ isCancelled: @escaping @Sendable () -> Bool
  ) -> MediaCutter?

private typealias KeptMedia = any Cuttable & Sendable

extension MediaCutter {
  /// The engine's cutter, for a file that is opened when it is first needed.
  static func live(
    _ input: MediaInput, container: OutputContainer,
    isCancelled: @escaping @Sendable () -> Bool, open: @escaping EnginePort.Open
  ) -> MediaCutter {
    live(container: container, isCancelled: isCancelled) { (isCancelled) throws(MediaError) in
      try open(input, isCancelled)
    }
  }

  /// - Parameter open: opens the file, or several that are joined.
  static func live(
    container: OutputContainer, isCancelled: @escaping @Sendable () -> Bool,
    open:
      @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(MediaError)
      -> any Cuttable
  ) -> MediaCutter {
    let planned = Mutex<(any Cuttable)?>(nil)
    // Includes the encoded edges of the last preview.
    let laid = Mutex<KeptMedia?>(nil)
    let cancelling = CancelPort(isCancelled)
    var cutter = MediaCutter(
      outlook: { orders in
        try planned.withLock { media in
          let opened = try media ?? open(isCancelled)
          media = nil
          let plans = try orders.map { order in
            var order = order.written(as: container)
            // The length is judged by the screen, and its plan shown all the same.
            order.limit = LengthLimit(maximum: nil)
            return try opened.plan(order)
          }
          // After a failure, its process may be gone.
          media = opened
          return CutOutlook(plans)
        }
      },
      cut: { order, isCancelledHere, progress in
        let kept: KeptMedia? = laid.withLock { $0.take() }
        let media: any Cuttable =
          if let kept { kept } else { try open({ isCancelled() || isCancelledHere() }) }
        try cancelling.during(isCancelledHere) {
          _ = try order.written(as: container).worded { order throws(MediaError) in
            try media.cut(order) { progress($0.share) }
          }
        }
        laid.withLock { $0 = kept }
      },
      preview: { order, goesOn in
        let media = try open(isCancelled)
        return try order.written(as: container).worded { order throws(MediaError) in
          try media.resultPictures(order) { _ in goesOn() }
        }
      })
    cutter.layout = { order, goesOn in
      let kept: KeptMedia? = laid.withLock { $0.take() }
      let media: any Cuttable =
        if let kept { kept } else { try open({ cancelling.isOn }) }
      let result = try order.written(as: container).worded { order throws(MediaError) in
        try media.laidResult(order) { _ in goesOn() }
      }
      laid.withLock { $0 = result?.media }
      return result
    }
    return cutter
  }
}

/// Cancels the work on a file that several orders share.
private final class CancelPort: Sendable {
  private let always: @Sendable () -> Bool
  private let now = Mutex<(@Sendable () -> Bool)?>(nil)

  init(_ always: @escaping @Sendable () -> Bool) { self.always = always }

  var isOn: Bool { always() || now.withLock { $0 }?() == true }

  func during(_ isCancelled: @escaping @Sendable () -> Bool, _ work: () throws -> Void) rethrows {
    now.withLock { $0 = isCancelled }
    defer { now.withLock { $0 = nil } }
    try work()
  }
}

extension CutOrder {
  /// - Parameter ranges: concatenated in the same file; never empty.
  package init(
    _ ranges: [MediaTimeRange], as settings: CutSettings = CutSettings(), to output: [UInt8],
    limit: LengthLimit, replaces: Bool
  ) {
    precondition(!ranges.isEmpty)
    var request = CutRequest(range: ranges[0])
    for joined in ranges.dropFirst() { request.join(joined) }
    settings.apply(to: &request)
    self.init(request, to: output, limit: limit, replaces: replaces)
  }

  fileprivate func written(as container: OutputContainer) -> CutOrder {
    var order = self
    order.container = container
    return order
  }

  /// - Throws: `VideoFailure` where the result would be longer than allowed.
  fileprivate func worded<Result>(
    _ work: (CutOrder) throws(MediaError) -> Result
  ) throws -> Result {
    do throws(MediaError) {
      return try work(self)
    } catch {
      guard let length = error.refusedLength, let limit else { throw error }
      throw VideoFailure(limit.sentence(on: length))
    }
  }
}
