import ExactTime
import MediaFacts
import Testing

@testable import Probing

private func fact(_ length: MediaDuration?, _ source: DurationSource) -> DurationFact? {
  length.map { DurationFact(length: $0, source: source) }
}

/// The notes on a file of 25 frames a second.
private func notes(
  declared: MediaDuration? = nil, guessed: MediaDuration? = nil, track: MediaDuration? = nil,
  indexed: MediaDuration? = nil, presented: MediaDuration?, of number: Int? = nil
) -> [Note.ID] {
  let durations = Durations(
    declared: fact(declared, .containerHeader) ?? fact(guessed, .estimate),
    track: fact(track, .trackHeader), indexed: fact(indexed, .sampleTable),
    presented: fact(presented, .packets))
  return Disagreements.notes(for: durations, frame: MediaDuration(1, 25), track: number).map(\.id)
}

/// When two of the five durations disagree, and with which notes.
@Suite struct `Given two durations of one file` {
  @Suite struct `When the container declares one` {
    @Test func `then a frame more or less is not a disagreement`() {
      for declared in [MediaDuration(10), MediaDuration(251, 25), MediaDuration(249, 25)] {
        #expect(notes(declared: declared, presented: MediaDuration(10)).isEmpty)
      }
    }

    @Test func `then anything beyond a frame is one`() {
      let bit = MediaDuration(1, 1_000_000_000)
      #expect(
        notes(declared: MediaDuration(251, 25) + bit, presented: MediaDuration(10))
          == [.declaredTooLong])
      #expect(
        notes(declared: MediaDuration(249, 25) - bit, presented: MediaDuration(10))
          == [.declaredTooShort])
    }

    @Test func `then an estimate from the bit rate is reported as one, even if it is right`() {
      #expect(
        notes(guessed: MediaDuration(10), presented: MediaDuration(10)) == [.declaredEstimated])
    }

    @Test func `then figures too far apart to subtract disagree`() {
      #expect(
        notes(declared: MediaDuration(.max, 3), presented: MediaDuration(1, .max))
          == [.declaredTooLong])
    }
  }

  @Suite struct `When it declares nothing` {
    @Test func `then that is noted for the file, not for a track`() {
      #expect(notes(presented: MediaDuration(10)) == [.declaredMissing])
      #expect(notes(presented: MediaDuration(10), of: 1).isEmpty)
    }
  }

  @Suite struct `When a track has its own header` {
    @Test func `then it is compared with that, not with the container's`() {
      #expect(
        notes(
          declared: MediaDuration(99), track: MediaDuration(10), presented: MediaDuration(10), of: 1
        ).isEmpty)
      #expect(
        notes(track: MediaDuration(9), presented: MediaDuration(10), of: 1)
          == [.declaredTooShort])
    }
  }

  @Suite struct `When the sample table adds up to one` {
    @Test func `then it is compared with what is presented, as is the declared one`() {
      #expect(
        notes(
          declared: MediaDuration(12), indexed: MediaDuration(12), presented: MediaDuration(10))
          == [.declaredTooLong, .indexedDiffers])
      #expect(
        notes(
          declared: MediaDuration(10), indexed: MediaDuration(251, 25), presented: MediaDuration(10)
        ).isEmpty)
    }
  }

  @Suite struct `When nothing is presented` {
    @Test func `then only a declared length is reported`() {
      #expect(notes(declared: MediaDuration(10), presented: nil) == [.nothingPresented])
      #expect(notes(track: MediaDuration(10), presented: nil, of: 1) == [.nothingPresented])
      #expect(notes(presented: nil).isEmpty)
    }
  }

  @Suite struct `When the file was decoded` {
    private func decodedNotes(_ decoded: MediaDuration?) -> [Note.ID] {
      let durations = Durations(
        presented: fact(MediaDuration(10), .packets),
        decoded: fact(decoded, .frames))
      return Disagreements.decodedNote(
        for: durations, frame: MediaDuration(1, 25), track: nil
      ).map(\.id)
    }

    @Test func `then only more than a frame is worth a note`() {
      #expect(decodedNotes(nil).isEmpty)
      #expect(decodedNotes(MediaDuration(251, 25)).isEmpty)
      #expect(decodedNotes(MediaDuration(252, 25)) == [.decodedDiffers])
      #expect(decodedNotes(MediaDuration(248, 25)) == [.decodedDiffers])
    }
  }
}
