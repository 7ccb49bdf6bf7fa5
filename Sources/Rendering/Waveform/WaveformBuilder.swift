import ExactTime
package import Libav

/// Adds up decoded samples into pixels.
package struct WaveformBuilder {
  private let scale: WaveformScale
  package let sampleCount: Int64
  private let isMixed: Bool
  private var levels: [[SampleLevels]]
  private var counts: [[Int32]]

  package static let mostPixels: Int64 = 10_000_000

  /// Creates a builder; `nil` when there would be too many pixels.
  package init?(scale: WaveformScale, sampleCount: Int64, channels: Int, isMixed: Bool) {
    let pixels = scale.pixelCount(sampleCount)
    let rows = isMixed ? 1 : channels
    guard pixels > 0, pixels * Int64(rows) <= Self.mostPixels, sampleCount < 1 << 40 else {
      return nil
    }
    self.scale = scale
    self.sampleCount = sampleCount
    self.isMixed = isMixed
    levels = Array(repeating: Array(repeating: SampleLevels(), count: Int(pixels)), count: rows)
    counts = Array(repeating: Array(repeating: 0, count: Int(pixels)), count: rows)
  }

  /// Adds a run of samples that starts at a position.
  ///
  /// - Parameter heard: positions outside of this are not drawn.
  /// - Returns: false where the sample format is not supported here.
  package mutating func add(
    _ sound: borrowing DecodedAudio, _ run: AudioPlacement.Run, heard: Range<Int64>
  ) -> Bool {
    let first = max(run.position, heard.lowerBound, 0)
    let end = min(run.position + Int64(run.samples.count), heard.upperBound, sampleCount)
    var position = first
    while position < end {
      let pixel = scale.pixel(of: position, of: sampleCount)
      let next = min(end, scale.start(ofPixel: pixel + 1, of: sampleCount))
      let from = run.samples.lowerBound + Int(position - run.position)
      let samples = from..<from + Int(next - position)
      for row in levels.indices {
        // A stream that continues with fewer channels leaves the others silent.
        if !isMixed, row >= sound.channelCount { continue }
        guard let found = sound.levels(ofChannel: isMixed ? nil : row, samples) else {
          return false
        }
        levels[row][Int(pixel)].add(found)
        counts[row][Int(pixel)] += Int32(clamping: samples.count)
      }
      position = next
    }
    return true
  }

  package var channels: [Waveform.Channel] {
    zip(levels, counts).map { levels, counts in
      Waveform.Channel(
        low: zip(levels, counts).map { $1 > 0 ? $0.low : 0 },
        high: zip(levels, counts).map { $1 > 0 ? $0.high : 0 },
        rms: zip(levels, counts).map {
          $1 > 0 ? Float(($0.squares / Double($1)).squareRoot()) : 0
        })
    }
  }
}
