import Glibc
import ISOMedia
import MediaEngine

/// A part of trim that reads bytes from strangers.
enum FuzzTarget: String, CaseIterable {
  /// MP4 and QuickTime boxes and sample tables, in memory.
  case boxes
  /// The whole probe, through a file: our code over FFmpeg's demuxers.
  case probe

  func run(_ input: [UInt8]) {
    switch self {
    case .boxes: Self.readBoxes(input)
    case .probe: Self.probeFile(input)
    }
  }

  private static func readBoxes(_ input: [UInt8]) {
    guard let movie = try? ISOMovie(reading: InMemoryBytes(input)) else { return }
    for track in movie.tracks {
      _ = try? track.samples(.timesAndPlaces, limit: 1_000_000)
    }
  }

  private static func probeFile(_ input: [UInt8]) {
    let path = "/dev/shm/trim-fuzz-\(getpid())"
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0, write(file, input, input.count) == input.count, close(file) == 0 else {
      perror(path)
      abort()
    }
    for depth in [RequestedDepth.auto, .packets] {
      let options = ProbeOptions(depth: depth, wantsKeyframes: true, timeout: .seconds(5))
      _ = try? Prober().probe(.file(path: Array(path.utf8)), options: options)
    }
    unlink(path)
  }
}
