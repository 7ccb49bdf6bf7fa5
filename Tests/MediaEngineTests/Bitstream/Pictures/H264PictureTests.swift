import MediaFacts
import Testing

@testable import MediaEngine

@Suite struct `Given a sample of H.264` {
  struct Access: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var sample: [UInt8]
    /// With the container's key flag, and without.
    var flagged: RandomAccessKind
    var unflagged: RandomAccessKind?

    init(
      _ name: String, _ sample: [UInt8], flagged: RandomAccessKind,
      unflagged: RandomAccessKind? = nil
    ) {
      testDescription = name
      self.sample = sample
      self.flagged = flagged
      self.unflagged = unflagged
    }

    static let cases = [
      Access(
        "an IDR picture", H264Film.sample(H264Film.delimiter, H264Film.slice(.i, unit: 0x65)),
        flagged: .idr, unflagged: .idr),
      Access(
        "an I picture with a recovery point",
        H264Film.sample(H264Film.recoveryPoint(after: 0), H264Film.slice(.i)),
        flagged: .recoveryPoint, unflagged: .recoveryPoint),
      Access(
        "an I picture that only the container calls key", H264Film.sample(H264Film.slice(.i)),
        flagged: .recoveryPoint),
      Access("a P picture", H264Film.sample(H264Film.slice(.p)), flagged: .flaggedOnly),
      Access("a B picture", H264Film.sample(H264Film.slice(.b)), flagged: .flaggedOnly),
      Access(
        "an I slice beside a P slice",
        H264Film.sample(H264Film.slice(.i), H264Film.slice(.p)), flagged: .flaggedOnly),
      Access(
        "P slices at the start of a gradual refresh",
        H264Film.sample(H264Film.recoveryPoint(after: 19), H264Film.slice(.p)),
        flagged: .flaggedOnly),
      Access(
        "P slices that are right at once",
        H264Film.sample(H264Film.recoveryPoint(after: 0), H264Film.slice(.p)),
        flagged: .recoveryPoint, unflagged: .recoveryPoint),
    ]
  }

  @Test(arguments: Access.cases)
  func `then the bitstream says what kind of keyframe it is`(_ access: Access) throws {
    var stream = try #require(VideoBitstream(codec: "h264", configuration: []))
    let read = stream.picture(in: access.sample)
    let picture = try #require(read)
    #expect(picture.access(isFlagged: true) == access.flagged)
    #expect(picture.access(isFlagged: false) == access.unflagged)
  }

  @Test func `when no slice is in its bytes then nothing is told of it`() throws {
    var stream = try #require(VideoBitstream(codec: "h264", configuration: []))
    #expect(stream.picture(in: H264Film.sample(H264Film.delimiter)) == nil)
    #expect(stream.picture(in: []) == nil)
  }

  @Test func `when its configuration asks for lengths of two bytes then they are followed`() throws
  {
    let sequence = H264Film.sequence()
    let pictureSet = H264Film.pictureSet
    let configuration =
      [1, 66, 0x40, 30, 0xFD, 0xE1, 0, UInt8(sequence.count)] + sequence
      + [1, 0, UInt8(pictureSet.count)] + pictureSet
    var stream = try #require(VideoBitstream(codec: "h264", configuration: configuration))
    let slice = H264Film.slice(.i, unit: 0x65)
    let picture = stream.picture(in: [0, UInt8(slice.count)] + slice)
    #expect(picture?.entry == .idr)
    #expect(picture?.structure == .frame)
    #expect(stream.header?.width == 32)
  }

  @Test func `when its parameter sets are in band then they are the header from then on`() throws {
    var stream = try #require(VideoBitstream(codec: "h264", configuration: []))
    #expect(stream.header == nil)
    _ = stream.picture(
      in: H264Film.sample(
        H264Film.sequence(), H264Film.pictureSet, H264Film.slice(.i, unit: 0x65)))
    #expect(stream.header?.profile == "Constrained Baseline")
    #expect(stream.header?.fieldOrder == "progressive")
    _ = stream.picture(
      in: H264Film.sample(
        H264Film.sequence(hasOnlyFrames: false), H264Film.slice(.i, unit: 0x65, lines: .frame)))
    #expect(stream.header?.profile == "Main")
    #expect(stream.headers.map(\.profile) == ["Constrained Baseline", "Main"])
  }

  @Test(
    arguments: [
      (H264Film.Lines.frame, false, CodedPicture.Structure.frame), (.frame, true, .adaptiveFrame),
      (.top, false, .topField), (.bottom, true, .bottomField),
    ])
  func `when its stream allows fields then it tells how its lines are coded`(
    _ lines: H264Film.Lines, _ isAdaptive: Bool, _ structure: CodedPicture.Structure
  ) throws {
    var stream = try #require(VideoBitstream(codec: "h264", configuration: []))
    let picture = stream.picture(
      in: H264Film.sample(
        H264Film.sequence(hasOnlyFrames: false, isAdaptive: isAdaptive), H264Film.pictureSet,
        H264Film.slice(.p, lines: lines)))
    #expect(picture?.structure == structure)
  }

  @Test func `when the second field of an I frame is a P field then the frame is still an I frame`()
    throws
  {
    var stream = try #require(VideoBitstream(codec: "h264", configuration: []))
    let picture = stream.picture(
      in: H264Film.sample(
        H264Film.sequence(hasOnlyFrames: false), H264Film.pictureSet,
        H264Film.slice(.i, lines: .top), H264Film.slice(.p, lines: .bottom)))
    #expect(picture?.prediction == .intra)
    #expect(picture?.structure == .topField)
  }
}
