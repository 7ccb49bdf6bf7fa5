import ExactTime
import Support
import Testing

@testable import ISOMedia

@Suite struct `Given a file written from scratch` {
  @Test func `then the reader finds every field as it was given`() throws {
    var clip = try Synthetic.clip()
    clip.movie.creationTime = 3_800_000_000
    clip.tracks[0].boxes.matrix = try #require(
      ISOMatrix([0, 1 << 16, 0, -1 << 16, 0, 0, 0, 0, 1 << 30]))
    clip.tracks[1].boxes.alternateGroup = 1
    clip.tracks[1].boxes.flags = 2
    let movie = try clip.read()
    #expect(movie.problems == [])
    #expect(movie.isComplete)
    #expect(movie.majorBrand == "isom")
    #expect(movie.creationTime == 1_717_155_200)
    #expect(movie.timescale == 1000)
    #expect(movie.duration == 2000)
    #expect(movie.tracks.map(\.id) == [1, 2])
    let picture = movie.tracks[0]
    #expect(picture.handler == "vide")
    #expect(picture.handlerName == "Picture")
    #expect(picture.language == nil)
    #expect(picture.isEnabled)
    #expect(picture.orientation == ISOOrientation(degreesClockwise: 90))
    #expect([picture.displayWidth, picture.displayHeight] == [320, 240])
    #expect(picture.timescale == 12_800)
    #expect(picture.mediaDuration == 25_600)
    #expect(picture.headerDuration == 2000)
    #expect(picture.edits == [ISOEdit(segmentDuration: 2000, mediaTime: 1024, rate: .one)])
    let sound = movie.tracks[1]
    #expect(sound.language == "deu")
    #expect(!sound.isEnabled)
    #expect(sound.alternateGroup == 1)
    #expect(sound.mediaDuration == 96_256)
    #expect(sound.headerDuration == 2000)
    #expect(sound.sampleEntries.first?.elementaryStream?.decoderConfiguration == [0x11, 0x90])
  }

  @Test func `then a constant frame rate is one run, and equal sizes are one number`() throws {
    let clip = try Synthetic.clip()
    #expect(try clip.boxes("stts").map { $0.payload.u32(4) } == [1, 1])
    #expect(try clip.boxes("stts").map { $0.payload.u32(8) } == [50, 94])
    #expect(try clip.boxes("stsz").map { $0.payload.u32(4) } == [0, 300])
    #expect(try clip.boxes("ctts").count == 1)
    #expect(try clip.boxes("stss").count == 1)
    #expect(try clip.boxes("sdtp").isEmpty)
  }

  @Test func `then negative offsets need version 1, and state their shift`() throws {
    var clip = try Synthetic.clip()
    var samples = ISOOutputSamples()
    for index in 0..<6 {
      samples.append(
        ISOOutputSample(
          byteCount: 10, duration: 512, compositionOffset: [0, 1024, -512][index % 3]))
    }
    clip.tracks[0].samples = samples
    let box = try #require(clip.boxes("ctts").first)
    #expect(box.payload.u8(0) == 1)
    let movie = try clip.read()
    let shift = ISOCompositionShift(
      compositionToDecodeShift: 512, leastOffset: -512, greatestOffset: 1024,
      compositionStart: 0, compositionEnd: 3584)
    #expect(movie.tracks[0].compositionShift == shift)
    #expect(movie.tracks[0].timing.leastCompositionOffset == -512)
    #expect(movie.compatibleBrands.contains("iso4"))
  }

  @Test func `then several edits end where they should, whatever the timescale`() throws {
    var clip = try Synthetic.clip()
    clip.movieTimescale = 100
    clip.tracks[0].edits = [
      .empty(MediaDuration(1, 30)), ISOOutputEdit(length: MediaDuration(1, 30), mediaTime: 0),
      ISOOutputEdit(length: MediaDuration(1, 30), mediaTime: 5_000_000_000),
    ]
    #expect(try !ISOFileLayout(clip).isTimescaleExact)
    let track = try clip.read().tracks[0]
    #expect(track.edits.map(\.segmentDuration) == [3, 4, 3])
    #expect(track.edits.map(\.mediaTime) == [-1, 0, 5_000_000_000])
    #expect(track.headerDuration == 10)
  }

  @Test func `then times beyond 32 bits take boxes of version 1`() throws {
    var clip = try Synthetic.clip()
    clip.modificationTime = 1 << 33
    clip.movieTimescale = 1_000_000_000
    clip.tracks[0].samples.append(ISOOutputSample(byteCount: 1, duration: .max), count: 3)
    clip.tracks[0].edits = [ISOOutputEdit(length: MediaDuration(600_000), mediaTime: 0)]
    let movie = try clip.read()
    #expect(movie.problems.allSatisfy { $0.kind == .hugeSampleDuration })
    #expect(movie.duration == 600_000_000_000_000)
    #expect(movie.tracks[0].headerDuration == 600_000_000_000_000)
    #expect(movie.tracks[0].mediaDuration == 12_884_927_485)
    #expect(movie.tracks[0].edits.map(\.segmentDuration) == [600_000_000_000_000])
  }

  @Test func `then a language without a three-letter code is written as a tag`() throws {
    var clip = try Synthetic.clip()
    clip.tracks[0].boxes.setLanguage("pt-BR")
    #expect(try clip.read().tracks[0].language == "pt-BR")
    clip.tracks[0].boxes.setLanguage(nil)
    #expect(try clip.read().tracks[0].language == nil)
    #expect(try clip.boxes("elng").isEmpty)
  }
}

@Suite struct `Given tracks that refer to each other` {
  private func clip() throws -> ISOOutputFile {
    var clip = try Synthetic.clip()
    clip.tracks[0].boxes.references = [
      ISOTrackReference("chap", ids: [7]), ISOTrackReference("cdsc", ids: [2, 7]),
    ]
    return clip
  }

  @Test func `then references to tracks that are not written are dropped`() throws {
    #expect(try clip().read().tracks[0].references == ["cdsc": [2]])
  }

  @Test func `then a track ID that is taken or zero is replaced by a free one`() throws {
    var clip = try clip()
    clip.tracks.append(try Synthetic.audio(id: 2))
    clip.tracks.append(try Synthetic.audio(id: 0))
    #expect(try ISOFileLayout(clip).trackIDs == [1, 2, 3, 4])
    #expect(try clip.read().tracks.map(\.id) == [1, 2, 3, 4])
  }
}

@Suite struct `Given what cannot be written` {
  private func code(_ change: (inout ISOOutputFile) -> Void) throws -> ISOWriteError.Code? {
    var clip = try Synthetic.clip()
    change(&clip)
    do {
      _ = try ISOFileLayout(clip)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `then each reason has its code`() throws {
    #expect(try code { _ in } == nil)
    #expect(try code { $0.tracks = [] } == .noTracks)
    #expect(try code { $0.tracks[0].boxes.timescale = 0 } == .incompleteTrack)
    #expect(try code { $0.tracks[0].boxes.sampleEntries = [] } == .incompleteTrack)
    let foreign = ISOOutputSample(byteCount: 1, duration: 1, description: 2)
    #expect(try code { $0.tracks[0].samples.append(foreign) } == .unknownDescription)
    let none = ISOOutputSample(byteCount: 1, duration: 1, description: 0)
    #expect(try code { $0.tracks[0].samples.append(none) } == .unknownDescription)
    let backwards = ISOOutputEdit(length: MediaDuration(-1), mediaTime: 0)
    #expect(try code { $0.tracks[0].edits = [backwards] } == .timeOutOfRange)
    let early = ISOOutputEdit(length: MediaDuration(1), mediaTime: -2)
    #expect(try code { $0.tracks[0].edits = [early] } == .timeOutOfRange)
    let endless = ISOOutputEdit(length: MediaDuration(.max), mediaTime: 0)
    #expect(try code { $0.tracks[0].edits = [endless, endless] } == .timeOutOfRange)
    var endlessSamples = ISOOutputSamples()
    let sample = ISOOutputSample(byteCount: .max, duration: 1)
    endlessSamples.append(sample, count: (1 << 31) - 1)
    #expect(try code { $0.tracks[0].samples = endlessSamples } == .tooLarge)
    endlessSamples.append(sample, count: 1)
    #expect(try code { $0.tracks[0].samples = endlessSamples } == .tooMany)
  }
}

@Suite struct `Given a file whose edits are stated in movie ticks` {
  @Test func `then the video's ticks are used if they state every length exactly`() throws {
    var clip = try Synthetic.clip()
    clip.tracks[0].edits = [ISOOutputEdit(length: MediaDuration(153, 128), mediaTime: 1024)]
    clip.tracks[1].edits = [ISOOutputEdit(length: MediaDuration(153, 128), mediaTime: 256)]
    #expect(ISOFileLayout.movieTimescale(for: clip) == 12_800)
  }

  @Test func `when audio begins with an empty edit then the audio's ticks are used`() throws {
    var clip = try Synthetic.clip()
    clip.tracks[1].edits = [
      .empty(MediaDuration(1, 50)), ISOOutputEdit(length: MediaDuration(1), mediaTime: 0),
    ]
    clip.tracks[0].edits = [ISOOutputEdit(length: MediaDuration(1), mediaTime: 1024)]
    #expect(ISOFileLayout.movieTimescale(for: clip) == 48_000)
  }

  @Test func `when a length is between ticks then they get finer, and state it exactly`() throws {
    var clip = try Synthetic.clip()
    clip.tracks[1].edits = [ISOOutputEdit(length: MediaDuration(1, 44_100), mediaTime: 0)]
    let timescale = ISOFileLayout.movieTimescale(for: clip)
    #expect(timescale > 96_000 && timescale.isMultiple(of: 44_100))
  }

  @Test func `when audio is hidden for less than a tick then the ticks get finer to state its end`()
    throws
  {
    var clip = try Synthetic.clip()
    clip.tracks[0].edits = [ISOOutputEdit(length: MediaDuration(2), mediaTime: 1024)]
    clip.tracks[1].samples = ISOOutputSamples()
    clip.tracks[1].samples.append(ISOOutputSample(byteCount: 9, duration: 1), count: 96_002)
    clip.tracks[1].edits = [ISOOutputEdit(length: MediaDuration(2), mediaTime: 0)]
    #expect(ISOFileLayout.movieTimescale(for: clip) >= 96_000)
  }
}

@Suite struct `Given lengths for which a movie timescale is chosen` {
  private typealias Case = (lengths: [Rational], preferred: UInt32?, timescale: UInt32, Bool)

  @Test func `then the smallest exact timescale finer than a millisecond is used`() {
    let cases: [Case] = [
      ([Rational(302, 5)], nil, 1000, true),
      ([Rational(302, 5)], 600, 600, true),
      ([Rational(1001, 30_000)], 600, 30_000, true),
      ([Rational(1001, 30_000), Rational(1, 44_100)], 1000, 4_410_000, true),
      ([], nil, 1000, true),
      ([Rational(1, 7)], nil, 1001, true),
      ([Rational(1, 2_000_000_011), Rational(1, 3)], nil, 2_000_000_011, false),
      ([Rational(1, 3), Rational(1, .max)], nil, 1_000_002, false),
    ]
    for (lengths, preferred, timescale, isExact) in cases {
      let found = ISOFileLayout.movieTimescale(for: lengths, preferred: preferred)
      #expect(found.timescale == timescale && found.isExact == isExact, "\(lengths): \(found)")
    }
  }
}
