import ExactTime
package import MediaEngine
import MediaFacts
import Trimming

/// The operations of the engine in a sealed process.
enum EngineOperation: String, Sendable, Codable, CaseIterable {
  case probe, open, frames, learn, identity, plan, cut, preview, layout
  case pictures, instants, picture, file, prepare, thumbnails, levels, segment
}

/// The arguments of each operation.
enum EngineArguments {
  struct Nothing: Sendable, Codable {}

  struct Learn: Sendable, Codable {
    var missing: [MissingFact]
  }

  struct Plan: Sendable, Codable {
    var request: CutRequest
    var container: OutputContainer
    /// Whether the cut follows its plan.
    var isExecuted: Bool
  }

  /// Of a cut, a preview and a layout.
  struct Cut: Sendable, Codable {
    var plan: CutPlan
  }

  struct Pictures: Sendable, Codable {
    var facts: MediaFacts
    var origin: MediaTime
    /// Only levels will be requested.
    var isSoundAlone: Bool
  }

  struct Picture: Sendable, Codable {
    var time: MediaTime
    var size: PictureSize
    var isRestart = false
  }

  struct Thumbnails: Sendable, Codable {
    var times: [MediaTime]
    var size: PictureSize
  }

  struct Levels: Sendable, Codable {
    var range: MediaTimeRange
    var count: Int
  }

  struct Segment: Sendable, Codable {
    var kind: PreviewKind
    var coding: PreviewCoding
    var range: MediaTimeRange
  }
}

/// What each operation returns, in addition to bytes.
enum EngineResults {
  struct Opened: Sendable, Codable {
    var facts: MediaFacts
    /// Of the largest picture in any of the files.
    var mostPixels: Int64
  }

  struct Frames: Sendable, Codable {
    /// Distinct frame times, in a compact form for any number; empty if not known.
    var instants: FrameInstants
    /// All start times, if some coincide.
    var starts: [MediaTime]?
    var end: MediaTime?
  }

  struct Learned: Sendable, Codable {
    var facts: [LearnedFact]
  }

  struct Preview: Sendable, Codable {
    var seams: [MediaTime]
    var seamsOfResult: [MediaTime]
  }

  /// A layout; its pieces are the bytes.
  struct Layout: Sendable, Codable {
    var frames: FrameInstants
    var end: MediaTime
    var seams: [MediaTime]
  }

  struct Pictures: Sendable, Codable {
    var hasPictures: Bool
  }

  /// A picture; its pixels are the bytes.
  struct Picture: Sendable, Codable {
    var frame: PresentedFrame
    var width: Int
    var height: Int
    var isToneMapped: Bool
  }

  /// Everything in a ``PreviewSegment`` except its bytes.
  struct Segment: Sendable, Codable {
    var type: String
    var range: MediaTimeRange
    var start: MediaTime?
  }

  /// Thumbnails; their pixels are the bytes, concatenated.
  struct Thumbnails: Sendable, Codable {
    var sizes: [Size]

    struct Size: Sendable, Codable {
      var width: Int
      var height: Int
    }
  }
}

/// How a file is to be probed, for another process.
package struct CodedProbeOptions: Sendable, Codable {
  private var depth: RequestedDepth
  private var wantsKeyframes: Bool
  private var wantsFrames: Bool
  private var needsLength: Bool
  private var numbersKeyframes: Bool
  private var milliseconds: Int64?

  package init(_ options: ProbeOptions) {
    depth = options.depth
    wantsKeyframes = options.wantsKeyframes
    wantsFrames = options.wantsFrames
    needsLength = options.needsLength
    numbersKeyframes = options.numbersKeyframes
    milliseconds = options.timeout.map(\.wholeMilliseconds)
  }

  package var options: ProbeOptions {
    var options = ProbeOptions(
      depth: depth, wantsKeyframes: wantsKeyframes, wantsFrames: wantsFrames,
      timeout: milliseconds.map { .milliseconds($0) })
    options.needsLength = needsLength
    options.numbersKeyframes = numbersKeyframes
    return options
  }
}

extension Duration {
  /// Rounded down.
  package var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
