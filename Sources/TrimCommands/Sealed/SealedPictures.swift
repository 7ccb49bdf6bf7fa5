import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Synchronization
import Trimming

/// Pictures and sound of a film, made in sealed processes.
///
/// One follows playback, others make thumbnails and levels meanwhile, as threads would.
final class SealedPictures: Sendable {
  private enum Part: Hashable, Sendable {
    case playback, thumbnails, levels
  }

  /// Opens a process when it is first needed.
  private final class Desk: Sendable {
    private enum State {
      case none
      case open(EngineProcess)
      case failed(EngineFailure)
    }

    private let state = Mutex(State.none)

    func process(
      _ open: () throws(EngineFailure) -> EngineProcess
    ) throws(EngineFailure) -> EngineProcess {
      try state.withLock { state throws(EngineFailure) in
        switch state {
        case .open(let process): return process
        case .failed(let failure): throw failure
        case .none:
          do throws(EngineFailure) {
            let process = try open()
            state = .open(process)
            return process
          } catch {
            state = .failed(error)
            throw error
          }
        }
      }
    }
  }

  private let keeper: EngineKeeper
  private let path: [UInt8]
  private let file: InputFile
  private let facts: MediaFacts
  private let origin: MediaTime
  private let isCancelled: @Sendable () -> Bool
  private let desks: [Part: Desk] = [
    .playback: Desk(), .thumbnails: Desk(), .levels: Desk(),
  ]

  /// `nil` where no process can be had, and the film is opened in this one.
  static func open(
    _ path: [UInt8], _ facts: MediaFacts, _ origin: MediaTime, with keeper: EngineKeeper,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws -> FilmPictures? {
    let film = SealedPictures(keeper, path, try InputFile(path: path), facts, origin, isCancelled)
    guard facts.tracks.contains(where: { $0.kind == .video && $0.isPresented }) else {
      let nothing = ProbeError(.noPicture, "it has no moving picture")
      var sound = FilmPictures(picture: { _, _, _ in throw nothing }, levels: film.levels)
      sound.hasPictures = false
      return sound
    }
    do throws(EngineFailure) {
      _ = try film.process(.playback)
    } catch {
      if error.code == Self.absence.code { return nil }
      throw error.probeError
    }
    return FilmPictures(
      frames: { film.instants },
      picture: { time, size, isRestart in
        try film.asked { (film) throws(EngineFailure) in
          try film.process(.playback).picture(
            EngineArguments.Picture(time: time, size: size, isRestart: isRestart),
            isCancelled: film.isCancelled)
        }
      },
      file: { time in
        try film.asked { (film) throws(EngineFailure) in
          try film.process(.thumbnails).perform(
            .file, EngineArguments.Picture(time: time, size: .full),
            isCancelled: film.isCancelled
          ).body
        }
      },
      prepare: { start, size in
        try film.asked { (film) throws(EngineFailure) in
          _ = try film.process(.playback).perform(
            .prepare, EngineArguments.Picture(time: start, size: size),
            isCancelled: film.isCancelled)
        }
      },
      thumbnails: { times, size in
        try film.asked { (film) throws(EngineFailure) in
          try film.process(.thumbnails).thumbnails(
            EngineArguments.Thumbnails(times: times, size: size), isCancelled: film.isCancelled)
        }
      },
      levels: film.levels)
  }

  private init(
    _ keeper: EngineKeeper, _ path: [UInt8], _ file: InputFile, _ facts: MediaFacts,
    _ origin: MediaTime, _ isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.keeper = keeper
    self.path = path
    self.file = file
    self.facts = facts
    self.origin = origin
    self.isCancelled = isCancelled
  }

  private static let absence = EngineFailure(
    ProbeError(MediaErrorCode(rawValue: "workerMissing"), "no process can be started for it"))

  private func process(_ part: Part) throws(EngineFailure) -> EngineProcess {
    guard let desk = desks[part] else { throw Self.absence }
    return try desk.process { () throws(EngineFailure) in
      guard let process = try keeper.startOne() else { throw Self.absence }
      let scratch = TemporaryFiles()
      let _: EngineResults.Pictures = try EngineProcess.decoded(
        process.perform(
          .pictures,
          EngineArguments.Pictures(facts: facts, origin: origin, isSoundAlone: part == .levels),
          files: EngineFiles(.file(path: path), file),
          descriptors: [file.descriptorToHandOver] + scratch.descriptors, isCancelled: isCancelled
        ).head)
      return process
    }
  }

  /// With errors as those of pictures that are made here.
  private func asked<Value>(
    _ body: (SealedPictures) throws(EngineFailure) -> Value
  ) throws(ProbeError) -> Value {
    do throws(EngineFailure) {
      return try body(self)
    } catch {
      throw error.probeError
    }
  }

  private var instants: FrameInstants {
    let starts: [MediaTime]? = try? EngineProcess.decoded(
      process(.playback).perform(
        .instants, EngineArguments.Nothing(), isCancelled: isCancelled
      ).head)
    return FrameInstants(starts ?? [])
  }

  private var levels: @Sendable (MediaTimeRange, Int) throws -> [Float] {
    { [self] range, count in
      try asked { (film) throws(EngineFailure) in
        try film.process(.levels).levels(
          EngineArguments.Levels(range: range, count: count), isCancelled: film.isCancelled)
      }
    }
  }
}

extension FilmPictures {
  /// What a cut would show, in the process that made it.
  init(previewedIn process: EngineProcess, isCancelled: @escaping @Sendable () -> Bool) {
    self.init(
      picture: { time, size, isRestart in
        do throws(EngineFailure) {
          return try process.picture(
            EngineArguments.Picture(time: time, size: size, isRestart: isRestart),
            isCancelled: isCancelled)
        } catch {
          throw error.probeError
        }
      },
      prepare: { start, size in
        do throws(EngineFailure) {
          _ = try process.perform(
            .prepare, EngineArguments.Picture(time: start, size: size), isCancelled: isCancelled)
        } catch {
          throw error.probeError
        }
      })
  }
}

extension EngineProcess {
  fileprivate func perform(
    _ operation: EngineOperation, _ arguments: some Encodable, files: EngineFiles = EngineFiles(),
    descriptors: [Int32] = [], isCancelled: @escaping () -> Bool
  ) throws(EngineFailure) -> EngineMessage {
    try perform(
      Request(
        operation: operation, arguments: try Self.encoded(arguments), files: files,
        descriptors: descriptors, isCancelled: isCancelled))
  }

  fileprivate func picture(
    _ asked: EngineArguments.Picture, isCancelled: @escaping () -> Bool
  ) throws(EngineFailure) -> GrabbedPicture {
    let answer = try perform(.picture, asked, isCancelled: isCancelled)
    let made: EngineResults.Picture = try Self.decoded(answer.head)
    return GrabbedPicture(
      frame: made.frame,
      picture: try Self.picture(made.width, made.height, answer.body[...]),
      isToneMapped: made.isToneMapped)
  }

  fileprivate func thumbnails(
    _ asked: EngineArguments.Thumbnails, isCancelled: @escaping () -> Bool
  ) throws(EngineFailure) -> [Picture] {
    let answer = try perform(.thumbnails, asked, isCancelled: isCancelled)
    let made: EngineResults.Thumbnails = try Self.decoded(answer.head)
    var pixels = answer.body[...]
    var pictures: [Picture] = []
    for size in made.sizes {
      let count = Self.byteCount(size.width, size.height) ?? .max
      pictures.append(try Self.picture(size.width, size.height, pixels.prefix(count)))
      pixels = pixels.dropFirst(count)
    }
    return pictures
  }

  fileprivate func levels(
    _ asked: EngineArguments.Levels, isCancelled: @escaping () -> Bool
  ) throws(EngineFailure) -> [Float] {
    let bytes = try perform(.levels, asked, isCancelled: isCancelled).body
    return stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { place in
      let bits = bytes[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let level = Float(bitPattern: bits)
      return level.isFinite ? level : 0
    }
  }

  private static func byteCount(_ width: Int, _ height: Int) -> Int? {
    let sides = 1...16_384
    return sides.contains(width) && sides.contains(height) ? width * height * 3 : nil
  }

  /// The size is the process's word: it must fit the bytes that came.
  private static func picture(
    _ width: Int, _ height: Int, _ pixels: ArraySlice<UInt8>
  ) throws(EngineFailure) -> Picture {
    guard byteCount(width, height) == pixels.count else {
      throw EngineFailure(ProbeError(.internalError, "its process sent what is no picture"))
    }
    return Picture(width: width, height: height, pixels: Array(pixels))
  }
}
