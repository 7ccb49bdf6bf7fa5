import ExactTime
import JSON
import MediaEngine
import MediaFacts
import Synchronization
import Trimming

/// Pictures and audio of a file, made in sealed processes.
///
/// Two follow playback, one makes thumbnails, one makes levels and two make previews, as threads
/// would; each is started when first needed.
struct SealedPictures: Sendable {
  private let playback: LateProcess
  private let loop: LoopTurns<LateProcess, EngineFailure>
  private let thumbnails: LateProcess
  private let sound: LateProcess
  private let previews: [PreviewKind: LateProcess]
  private let isCancelled: @Sendable () -> Bool

  /// What a process is started for.
  private enum Use {
    case pictures, levels, stretches
  }

  /// Opens the pictures; `nil` if no process is available and the file is opened in this one.
  static func open(
    _ path: [UInt8], _ facts: MediaFacts, _ origin: MediaTime, with keeper: EngineKeeper,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws -> MediaPictures? {
    let media = SealedPictures(
      path, try InputFile(path: path), facts, origin, keeper, isCancelled)
    guard facts.tracks.contains(where: { $0.kind == .video && $0.isPresented }) else {
      let nothing = MediaError(.noPicture, "it has no video")
      var sound = MediaPictures(
        picture: { _, _, _ in throw nothing }, levels: media.levels, segment: media.segment)
      sound.hasPictures = false
      return sound
    }
    do throws(EngineFailure) {
      try media.playback.perform { _ throws(EngineFailure) in }
    } catch {
      if error.code == Self.absence.code { return nil }
      throw error.mediaError
    }
    return media.pictures
  }

  private init(
    _ path: [UInt8], _ file: InputFile, _ facts: MediaFacts, _ origin: MediaTime,
    _ keeper: EngineKeeper, _ isCancelled: @escaping @Sendable () -> Bool
  ) {
    let index = KnownIndex()
    let process = { (use: Use) in
      LateProcess { () throws(EngineFailure) in
        guard let process = try keeper.startOne() else { throw Self.absence }
        process.allowMemory(forPixels: facts.mostPixels)
        // Levels require decoding the whole of a long file.
        if use == .levels { process.stepBack() }
        let scratch = TemporaryFiles()
        let handed: HandedInput
        do throws(MediaError) {
          handed = try file.handedOver()
        } catch {
          throw EngineFailure(error)
        }
        defer { withExtendedLifetime(handed) {} }
        let answer = try process.perform(
          .pictures,
          EngineArguments.Pictures(facts: facts, origin: origin, isSoundAlone: use != .pictures),
          body: index.bytes, files: EngineFiles(.file(path: path), file),
          descriptors: [handed.descriptor] + scratch.descriptors,
          isCancelled: isCancelled)
        let _: EngineResults.Pictures = try EngineProcess.decoded(answer.head)
        index.keep(answer.body)
        return process
      }
    }
    playback = process(.pictures)
    loop = LoopTurns(playback, process(.pictures)) { (process, time, size) throws(EngineFailure) in
      try process.perform { process throws(EngineFailure) in
        try process.picture(
          EngineArguments.Picture(time: time, size: size), isCancelled: isCancelled)
      }
    }
    thumbnails = process(.pictures)
    sound = process(.levels)
    previews = [.video: process(.stretches), .sound: process(.stretches)]
    self.isCancelled = isCancelled
  }

  private static let absence = EngineFailure(
    MediaError(MediaErrorCode(rawValue: "workerMissing"), "no process can be started for it"))

  private var pictures: MediaPictures {
    MediaPictures(
      frames: { instants },
      picture: { time, size, isRestart in
        try Self.reported { () throws(EngineFailure) in
          try loop.picture(at: time, size: size, isRestart: isRestart)
        }
      },
      file: { time in
        try Self.reported { () throws(EngineFailure) in
          try thumbnails.perform { process throws(EngineFailure) in
            try process.perform(
              .file, EngineArguments.Picture(time: time, size: .full), isCancelled: isCancelled)
          }.body
        }
      },
      prepare: { start, size in
        try Self.reported { () throws(EngineFailure) in try loop.prepare(start: start, size: size) }
      },
      thumbnails: { times, size in
        try Self.reported { () throws(EngineFailure) in
          try thumbnails.perform { process throws(EngineFailure) in
            try process.thumbnails(
              EngineArguments.Thumbnails(times: times, size: size), isCancelled: isCancelled)
          }
        }
      },
      levels: levels, segment: segment)
  }

  private var segment: MediaPictures.Segment {
    { kind, coding, range in
      try Self.reported { () throws(EngineFailure) in
        try previews[kind]?.perform { process throws(EngineFailure) in
          try process.segment(
            EngineArguments.Segment(kind: kind, coding: coding, range: range),
            isCancelled: isCancelled)
        } ?? nil
      }
    }
  }

  private var instants: FrameInstants {
    let known: FrameInstants? = try? EngineProcess.decoded(
      playback.perform { process throws(EngineFailure) in
        try process.perform(.instants, EngineArguments.Nothing(), isCancelled: isCancelled)
      }.head)
    return known ?? .unknown
  }

  private var levels: @Sendable (MediaTimeRange, Int) throws -> [Float] {
    { range, count in
      try Self.reported { () throws(EngineFailure) in
        try sound.perform { process throws(EngineFailure) in
          try process.levels(
            EngineArguments.Levels(range: range, count: count), isCancelled: isCancelled)
        }
      }
    }
  }

  /// Maps errors to those of pictures made in this process.
  private static func reported<Value>(
    _ body: () throws(EngineFailure) -> Value
  ) throws(MediaError) -> Value {
    do throws(EngineFailure) {
      return try body()
    } catch {
      throw error.mediaError
    }
  }
}

/// The index that the first process built by reading the whole file: passed on to the others, and never
/// parsed here.
private final class KnownIndex: Sendable {
  private let known = Mutex<[UInt8]>([])

  var bytes: [UInt8] { known.withLock { $0 } }

  func keep(_ bytes: [UInt8]) {
    known.withLock { known in
      if known.isEmpty { known = bytes }
    }
  }
}
