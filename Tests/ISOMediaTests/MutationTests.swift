import ISOMedia
import Support
import Testing

/// A file that uses as many boxes as possible, so that damage reaches all of the code.
private enum Specimen: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case progressive, fragmented, chapters

  var testDescription: String { rawValue }

  var bytes: [UInt8] {
    switch self {
    case .progressive: Clips.rich.bytes
    case .fragmented: Clips.manyFragments.bytes
    case .chapters: Clips.chaptered.bytes
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Given valid files that are damaged at random` {
  /// Reads everything; any trap ends the test run.
  private func readAll(_ bytes: [UInt8]) {
    guard let movie = try? ISOMovie(reading: InMemoryBytes(bytes)) else { return }
    #expect(movie.problems.count <= ISOLimits().problems)
    for track in movie.tracks {
      guard let table = try? track.samples() else { continue }
      #expect(table.count <= bytes.count)
      for index in 0..<table.count {
        _ = table.presentationEnd(index)
        _ = table.offset(index)
        _ = table.isSync(index)
      }
      for type in track.sampleGroupTypes {
        _ = track.sampleGroup(type)?.rollDistance(ofSample: table.count / 2)
      }
    }
  }

  @Test(arguments: Specimen.allCases, [UInt64](1...4))
  private func `then flipped bits never trap`(specimen: Specimen, seed: UInt64) {
    let sound = specimen.bytes
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      readAll(bytes)
    }
  }

  @Test(arguments: Specimen.allCases, [UInt64](1...4))
  private func `then fields of extreme values never trap`(specimen: Specimen, seed: UInt64) {
    let sound = specimen.bytes
    var random = SeededGenerator(seed: seed)
    let extremes: [UInt32] = [0, 1, 7, 8, 9, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF]
    for _ in 0..<500 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...(bytes.count - 4) / 4, using: &random) * 4
        let value = extremes.randomElement(using: &random) ?? 0
        bytes.replaceSubrange(place..<place + 4, with: BoxBuilder.Field.u32(value).bytes)
      }
      readAll(bytes)
    }
  }

  @Test(arguments: Specimen.allCases)
  private func `then no truncated length of the file traps`(specimen: Specimen) {
    let sound = specimen.bytes
    for length in stride(from: 0, to: sound.count, by: max(1, sound.count / 800)) {
      readAll(Array(sound[..<length]))
    }
  }
}
