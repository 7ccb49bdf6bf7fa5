import ExactTime
import Support

@testable import ISOMedia

/// Files written from scratch.
enum Synthetic {
  static func entry(_ builder: BoxBuilder, _ kind: ISORawSampleEntry.Kind) throws
    -> ISORawSampleEntry
  {
    try ISORawSampleEntry(bytes: builder.bytes, kind: kind)
  }

  /// A picture track without samples.
  static func video(id: UInt32 = 1, timescale: UInt32 = 12_800) throws -> ISOOutputTrack {
    var boxes = ISOTrackBoxes(
      making: .video, id: id, timescale: timescale,
      sampleEntries: [try entry(ClipBuilder.videoEntry(), .video)], name: "Picture")
    (boxes.width, boxes.height) = (320 << 16, 240 << 16)
    return ISOOutputTrack(boxes)
  }

  /// A sound track without samples.
  static func audio(id: UInt32 = 2, timescale: UInt32 = 48_000) throws -> ISOOutputTrack {
    ISOOutputTrack(
      ISOTrackBoxes(
        making: .audio, id: id, timescale: timescale,
        sampleEntries: [
          try entry(
            ClipBuilder.audioEntry("mp4a", [Clips.elementaryStream]),
            .audio(descriptionVersion: 0))
        ], language: "deu", name: "Sound"))
  }

  /// A file of 2 s: 50 pictures, the first and the 26th sync, and 94 packets of sound.
  static func clip() throws -> ISOOutputFile {
    var picture = try video()
    for index in 0..<50 {
      picture.samples.append(
        ISOOutputSample(
          byteCount: UInt32(100 + index), duration: 512,
          compositionOffset: [1024, 2048, 512][index % 3], isSync: index % 25 == 0))
    }
    picture.edits = [ISOOutputEdit(length: MediaDuration(2), mediaTime: 1024)]
    var sound = try audio()
    sound.samples.append(ISOOutputSample(byteCount: 300, duration: 1024), count: 94)
    sound.edits = [ISOOutputEdit(length: MediaDuration(2), mediaTime: 256)]
    return ISOOutputFile(movie: ISOMovieBoxes(brands: .mp4), tracks: [picture, sound])
  }
}

extension ISOOutputFile {
  /// This file with zeros for media, read again.
  func read() throws -> ISOMovie {
    let layout = try ISOFileLayout(self)
    return try ISOMovie(reading: HeaderBytes(layout.headerBytes, total: layout.fileByteCount))
  }

  /// The boxes of one type in the written header, at any depth.
  func boxes(_ type: FourCC) throws -> [Box] {
    HeaderBytes.boxes(type, in: try ISOFileLayout(self).headerBytes)
  }
}

/// A file that is all zeros after its beginning, stored without memory for the zeros.
struct HeaderBytes: RandomAccessBytes {
  let header: InMemoryBytes
  let byteCount: Int64

  init(_ header: [UInt8], total: Int64) {
    self.header = InMemoryBytes(header)
    byteCount = total
  }

  func read(at offset: Int64, count: Int) -> [UInt8] {
    let count = Int(min(Int64(count), max(0, byteCount - offset)))
    let known = header.read(at: offset, count: count)
    return known + [UInt8](repeating: 0, count: count - known.count)
  }

  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts", "mvex", "udta", "moof", "traf", "tref",
  ]

  static func boxes(_ type: FourCC, in bytes: [UInt8]) -> [Box] {
    boxes(type, in: BoxSequence(ByteView(bytes, fileOffset: 0)))
  }

  private static func boxes(_ type: FourCC, in sequence: BoxSequence) -> [Box] {
    sequence.flatMap { box in
      (box.type == type ? [box] : [])
        + (containers.contains(box.type) ? boxes(type, in: box.children()) : [])
    }
  }
}
