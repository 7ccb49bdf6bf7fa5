import Libav
import MediaFiles
import Trimming

/// Identifies the packets given to a decoder: by PTS, or by display order if two of them have the
/// same PTS.
struct EdgeStamps {
  private let packets: ContiguousArray<CodedPacket>
  private var ranks: [Int: Int64] = [:]

  init(_ packets: ContiguousArray<CodedPacket>, _ range: Range<Int>) {
    self.packets = packets
    guard Set(range.lazy.map { packets[$0].pts }).count < range.count else { return }
    let shown = range.sorted { (packets[$0].pts, $0) < (packets[$1].pts, $1) }
    for (rank, place) in shown.enumerated() { ranks[place] = Int64(rank) }
  }

  func stamp(of place: Int) -> Int64 { ranks[place] ?? packets[place].pts }
}

/// The frames of a run on their way from the decoder to the encoder.
struct EdgeEncoding {
  private let run: EdgeEncoder.Run
  private let settings: Encoder.Settings
  private let wanted: [Int64: Int]
  private let track: SourceTrack
  private let fitter: PictureFitter?
  private var packets: ContiguousArray<CodedPacket> { track.coded.packets }
  private var encoder: EncoderBox?
  private var sent: [Int] = []
  private var means: [LumaMeans?] = []
  private var captions: [[UInt8]?] = []
  private var faults: [Int: CutDamage.Kind] = [:]
  /// Whether even the first frame may be damaged.
  ///
  /// Where other pictures are made of the frames, all of a file is
  /// decoded, and those after it may be in any case.
  var takesFaults = false
  private var received = 0
  /// The first wanted frame was not decoded, or only with errors.
  private(set) var isAtFault = false

  private final class EncoderBox {
    let value: Encoder
    init(_ value: consuming Encoder) { self.value = value }
  }

  init(
    _ run: EdgeEncoder.Run, _ track: SourceTrack, _ stamps: EdgeStamps,
    _ settings: Encoder.Settings, _ fitter: PictureFitter? = nil
  ) {
    self.run = run
    self.fitter = fitter
    self.settings = settings
    self.track = track
    wanted = Dictionary(
      run.places.map { (stamps.stamp(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  var isComplete: Bool { sent.count == run.places.count }
  var hasBegun: Bool { !sent.isEmpty }

  mutating func drain(
    _ decoder: borrowing Decoder, _ emit: (EdgeEncoder.Picture, [UInt8]) throws(MediaError) -> Void
  ) throws(MediaError) {
    while !isComplete, !isAtFault {
      var failure: MediaError?
      let output = decoder.receive { frame in
        do throws(MediaError) {
          try take(frame)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      switch output {
      case .frame: try receive(emit)
      case .failed: continue
      case .needsInput, .ended: return
      }
    }
  }

  private mutating func take(_ frame: borrowing DecodedFrame) throws(MediaError) {
    guard let time = frame.statedTime, let place = wanted[time] else { return }
    let expected = run.places[sent.count]
    // Of two with the same PTS either may come first.
    let isOther = packets[place].pts != packets[expected].pts || sent.suffix(8).contains(place)
    guard place == expected || !isOther else {
      // The expected frame was not decoded.
      if sent.isEmpty, !takesFaults {
        isAtFault = true
        return
      }
      guard let fitter else {
        throw MediaError.damaged(
          track, places: [expected], "a frame at the edge of the range cannot be decoded")
      }
      // One that comes late has been replaced.
      guard let end = run.places[sent.count...].firstIndex(of: place) else { return }
      return try fit(frame, at: place, behind: run.places[sent.count..<end], with: fitter)
    }
    if frame.isDamaged {
      // It may be intact if decoding starts earlier.
      if sent.isEmpty, !takesFaults {
        isAtFault = true
        return
      }
      guard fitter != nil else {
        throw MediaError.damaged(
          track, places: [place], "a frame at the edge of the range decodes with errors")
      }
    }
    guard let fitter else { return try encode(frame, at: place) }
    try fit(frame, at: place, behind: [], with: fitter)
  }

  /// Makes another picture of a frame; those before it that were not decoded show the frame before them, or
  /// black.
  private mutating func fit(
    _ frame: borrowing DecodedFrame, at place: Int, behind missing: ArraySlice<Int>,
    with fitter: PictureFitter
  ) throws(MediaError) {
    try replace(missing, with: fitter)
    do throws(LibavError) {
      try fitter.fit(frame)
    } catch {
      throw MediaError(cutting: error)
    }
    if frame.isDamaged { faults[place] = .decoding }
    try encode(fitter.fitted, at: place)
  }

  private mutating func replace(
    _ missing: some Collection<Int>, with fitter: PictureFitter
  ) throws(MediaError) {
    guard !missing.isEmpty else { return }
    if sent.isEmpty {
      do throws(LibavError) {
        try fitter.makeBlack()
      } catch {
        throw MediaError(cutting: error)
      }
    }
    fitter.standIn()
    for place in missing {
      faults[place] = .missing
      try encode(fitter.fitted, at: place)
    }
  }

  private mutating func encode(
    _ frame: borrowing DecodedFrame, at place: Int
  ) throws(MediaError) {
    if let encoder, !encoder.value.takes(frame) {
      throw MediaError.formatChanges
    }
    do throws(LibavError) {
      let encoder: EncoderBox
      if let opened = self.encoder {
        encoder = opened
      } else {
        encoder = EncoderBox(try Encoder(settings, matching: frame))
        self.encoder = encoder
      }
      try encoder.value.send(
        frame, pts: Int64(sent.count), isKey: sent.isEmpty || run.intra.contains(place))
    } catch {
      throw MediaError(cutting: error)
    }
    sent.append(place)
    means.append(frame.lumaMeans)
    captions.append(fitter == nil ? nil : frame.captions)
  }

  private mutating func receive(
    _ emit: (EdgeEncoder.Picture, [UInt8]) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard let encoder else { return }
    while true {
      let packet: EncodedPacket?
      do throws(LibavError) {
        packet = try encoder.value.receive()
      } catch {
        throw MediaError(cutting: error)
      }
      guard let packet else { return }
      guard received < sent.count else {
        throw MediaError(.internalError, "the encoder produced more frames than it was given")
      }
      let place = sent[received]
      try emit(
        EdgeEncoder.Picture(
          place: place, packet: packet, means: means[received], captions: captions[received],
          fault: faults[place]),
        encoder.value.extradata)
      received += 1
    }
  }

  mutating func finish(
    _ emit: (EdgeEncoder.Picture, [UInt8]) throws(MediaError) -> Void
  ) throws(MediaError) {
    if let fitter, !isComplete, hasBegun {
      try replace(run.places[sent.count...], with: fitter)
    }
    encoder?.value.finish()
    try receive(emit)
    guard isComplete, received == sent.count else {
      throw MediaError.damaged(
        track, places: Array(run.places.dropFirst(received)),
        "only \(received) of \(run.places.count) frames at the edge could be decoded")
    }
  }
}
