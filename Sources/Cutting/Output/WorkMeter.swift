import MediaFacts
import Synchronization
import Trimming

/// Adds up the work of a cut as it progresses, and stops the cut on request.
///
/// A unit is about a microsecond. The weights of the kinds of work were measured with the encoder
/// settings used here; only their ratios matter.
final class WorkMeter {
  private let report: (CutProgress) -> Bool
  private var done: Int64 = 0
  private var total: Int64
  /// Units per decoded and per encoded video frame, by track.
  private let frames: [Int: (decode: Int64, encode: Int64)]
  private let stop = StopFlag()
  /// True once the cut is to stop; called often, from any thread.
  let isStopped: @Sendable () -> Bool

  init(
    _ plan: CutPlan, _ source: any CutSource, isProven: Bool,
    isCancelled: @escaping @Sendable () -> Bool,
    report: @escaping (CutProgress) -> Bool
  ) {
    self.report = report
    let stop = stop
    isStopped = { stop.isRaised || isCancelled() }
    var frames: [Int: (decode: Int64, encode: Int64)] = [:]
    let described = (source.joined?.leader ?? source).tracks
    for (index, track) in described.enumerated() where track.facts.kind == .video {
      frames[index] = Self.weights(track)
    }
    self.frames = frames
    total = 0
    total = work(of: plan, isProven: isProven)
  }

  /// Microseconds per frame, from nanoseconds per pixel.
  private static func weights(_ track: SourceTrack) -> (decode: Int64, encode: Int64) {
    let pixels = Int64(track.facts.video?.width ?? 1280) * Int64(track.facts.video?.height ?? 720)
    let (decode, encode): (Int64, Int64) =
      switch track.facts.codec {
      case .h264: (4, 7)
      case .hevc: (5, 70)
      case .vp9: (4, 90)
      case .vp8: (4, 40)
      case .av1: (6, 80)
      default: (3, 8)
      }
    return (max(1, pixels * decode / 1000), max(1, pixels * encode / 1000))
  }

  /// Microseconds to decode and encode an audio packet.
  private static let soundPacket: Int64 = 250
  private static let bytesPerUnit: Int64 = 400

  private func work(of plan: CutPlan, isProven: Bool) -> Int64 {
    var work: Int64 = 0
    for part in plan.parts {
      for track in part.tracks {
        if let cut = track.video {
          let weights = frames[track.source] ?? (1, 1)
          let decoded = cut.headSource.count + cut.tailSource.count
          work += Int64(decoded) * weights.decode + Int64(cut.encodedCount) * weights.encode
        } else if track.encodesSound, let cut = track.audio {
          work += Int64(cut.packetCount) * Self.soundPacket
        }
      }
    }
    let written = plan.estimatedBytes / Self.bytesPerUnit
    if isProven { work += provenFrames(of: plan) }
    return max(1, work + written * (isProven ? 2 : 1))
  }

  /// Verification decodes what was encoded, or everything.
  private func provenFrames(of plan: CutPlan) -> Int64 {
    plan.tracks.reduce(0) { sum, track in
      let count = plan.request.verification == .full ? track.packets : track.encoded
      let frames = track.kind == .video && !track.isCover ? Int64(count) : 0
      return sum + frames * (self.frames[track.index]?.decode ?? 1)
    }
  }

  func didDecodeFrame(ofTrack track: Int) { add(frames[track]?.decode ?? 1) }
  func didEncodeFrame(ofTrack track: Int) { add(frames[track]?.encode ?? 1) }
  func didEncodeSound() { add(Self.soundPacket) }

  private var bytes: Int64 = 0

  /// Bytes that were written, or read back and compared.
  func didPass(bytes count: Int) {
    bytes += Int64(count)
    guard bytes >= Self.bytesPerUnit * 256 else { return }
    add(bytes / Self.bytesPerUnit)
    bytes %= Self.bytesPerUnit
  }

  private func add(_ units: Int64) {
    done = min(total, done + units)
    reportProgress()
  }

  /// Reports the progress, and stops if asked to.
  func reportProgress() {
    if !report(CutProgress(done: done, total: total)) { stop.raise() }
  }

  func finish() {
    done = total
    reportProgress()
  }
}

/// A flag that is raised once, to stop work from any thread.
final class StopFlag: Sendable {
  private let flag = Atomic(false)
  var isRaised: Bool { flag.load(ordering: .relaxed) }
  func raise() { flag.store(true, ordering: .relaxed) }
}
