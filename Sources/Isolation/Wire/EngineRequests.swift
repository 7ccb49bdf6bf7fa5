import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// The operations of the engine in a sealed process.
enum EngineOperation: String, Sendable, Codable, CaseIterable {
  case probe, open, frames, plan, cut, preview, layout, pictures, instants, picture, file, prepare,
    thumbnails, levels, segment, draw

  /// The maximum CPU time between two heartbeats.
  var longestStep: Duration {
    switch self {
    // FFmpeg reads headers, and packets one by one.
    case .open, .frames: Limits.standard.step
    // A probe limits its own steps, and packets of an open file are decoded and encoded.
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
    /// How to answer with a command's output for the facts; `nil` to answer with the facts
    /// themselves.
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
    var manner: PreviewManner
    var range: MediaTimeRange
  }
}

/// What each operation returns, in addition to bytes.
enum EngineResults {
  struct Opened: Sendable, Codable {
    var facts: MediaFacts
  }

  struct Frames: Sendable, Codable {
    /// Distinct frame times, in a compact form for any number; empty if not known.
    var instants: FrameInstants
    /// All start times, if some coincide.
    var starts: [MediaTime]?
    var end: MediaTime?
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
