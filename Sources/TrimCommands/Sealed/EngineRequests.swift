import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// What the engine in a sealed process can be asked for.
enum EngineOperation: String, Sendable, Codable, CaseIterable {
  case probe, open, frames, plan, cut, preview, layout, pictures, instants, picture, file, prepare,
    thumbnails, levels, segment, draw

  /// How much processor time may go by between two signs of life.
  var longestStep: Duration {
    switch self {
    // Where FFmpeg reads headers, and packets one by one.
    case .open, .frames: Limits.standard.step
    // A probe looks after its own steps, and packets of what was opened are decoded and encoded.
    default: Limits.standard.computing
    }
  }
}

/// The arguments of each operation.
enum EngineArguments {
  struct Nothing: Sendable, Codable {}

  struct Probe: Sendable, Codable {
    var depth: RequestedDepth
    var wantsKeyframes: Bool
    var wantsFrames: Bool
    var milliseconds: Int64?
    /// Whether it answers with what a command writes of the facts, and how; else with these.
    var page: FactsPage?

    init(_ options: ProbeOptions, page: FactsPage? = nil) {
      self.page = page
      depth = options.depth
      wantsKeyframes = options.wantsKeyframes
      wantsFrames = options.wantsFrames
      milliseconds = options.timeout.map(\.wholeMilliseconds)
    }

    var options: ProbeOptions {
      ProbeOptions(
        depth: depth, wantsKeyframes: wantsKeyframes, wantsFrames: wantsFrames,
        timeout: milliseconds.map { .milliseconds($0) })
    }
  }

  struct Plan: Sendable, Codable {
    var request: CutRequest
    var container: OutputContainer
  }

  struct Cut: Sendable, Codable {
    var plan: CutPlan
  }

  struct Preview: Sendable, Codable {
    var request: CutRequest
    var container: OutputContainer
  }

  struct Pictures: Sendable, Codable {
    var facts: MediaFacts
    var origin: MediaTime
    /// Nothing but levels will be asked for.
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
    var manner: PreviewManner
    var range: MediaTimeRange
  }
}

/// What each operation gives, besides bytes.
enum EngineResults {
  struct Opened: Sendable, Codable {
    var facts: MediaFacts
  }

  struct Frames: Sendable, Codable {
    /// No two alike, which is short for any number; empty where they are not known.
    var instants: FrameInstants
    /// All of them, where some begin together.
    var starts: [MediaTime]?
    var end: MediaTime?
  }

  struct Preview: Sendable, Codable {
    var seams: [MediaTime]
    var seamsOfResult: [MediaTime]
  }

  /// Its pieces are the bytes.
  struct Layout: Sendable, Codable {
    var frames: FrameInstants
    var end: MediaTime
    var seams: [MediaTime]
  }

  struct Pictures: Sendable, Codable {
    var hasPictures: Bool
  }

  /// Its pixels are the bytes.
  struct Picture: Sendable, Codable {
    var frame: PresentedFrame
    var width: Int
    var height: Int
    var isToneMapped: Bool
  }

  /// All of a ``PreviewSegment`` but its bytes.
  struct Segment: Sendable, Codable {
    var type: String
    var range: MediaTimeRange
    var start: MediaTime?
  }

  /// Their pixels are the bytes, one behind the other.
  struct Thumbnails: Sendable, Codable {
    var sizes: [Size]

    struct Size: Sendable, Codable {
      var width: Int
      var height: Int
    }
  }
}
