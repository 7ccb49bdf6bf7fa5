import MediaFacts
import MediaFiles
import Trimming

/// Packets that were read of a file: their bytes stay available until it is let go.
final class PacketStore {
  private var spool: PayloadSpool
  private var slots: [Int: [Int: (bytes: PayloadSpool.Slot, alpha: PayloadSpool.Slot?)]] = [:]

  init(_ spool: PayloadSpool) { self.spool = spool }

  /// Keeps the bytes in a file that several stores share, if it has none so far.
  func share(_ spool: PayloadSpool) { if slots.isEmpty { self.spool = spool } }

  /// Reads packets that it does not have, in one pass over the file.
  ///
  /// - Parameter sample: what to keep of a packet: its track, its place, and its bytes.
  func add(
    _ needed: [Int: [Range<Int>]], of source: PacketCutSource,
    as sample: (Int, Int, [UInt8]) throws(MediaError) -> [UInt8]
  ) throws(MediaError) {
    var wanted: [Int: Set<Int>] = [:]
    for (track, ranges) in needed {
      let places = Set(ranges.joined()).subtracting(slots[track, default: [:]].keys)
      if !places.isEmpty { wanted[track] = places }
    }
    guard !wanted.isEmpty else { return }
    try source.read(wanted) { (track, place, bytes, alpha) throws(MediaError) in
      let slot = try spool.add(sample(track, place, bytes))
      var layer: PayloadSpool.Slot?
      if let alpha { layer = try spool.add(alpha) }
      slots[track, default: [:]][place] = (slot, layer)
    }
  }

  /// - Parameter read: adds a packet that it does not have.
  /// - Throws: ``MediaError`` of code `inputChanged` where the file no longer has it.
  func bytes(
    ofTrack track: Int, _ place: Int, _ read: () throws(MediaError) -> Void
  ) throws(MediaError) -> [UInt8] {
    if slots[track]?[place] == nil { try read() }
    guard let slot = slots[track]?[place]?.bytes else {
      throw MediaError(
        .inputChanged,
        "packet \(place) of stream \(track) is no longer at its position in the file",
        hint: "The file was changed while it was being read; try again.")
    }
    return try spool.bytes(at: slot)
  }

  func alpha(ofTrack track: Int, _ place: Int) throws(MediaError) -> [UInt8]? {
    guard let slot = slots[track]?[place]?.alpha else { return nil }
    return try spool.bytes(at: slot)
  }

  /// `nil` for a packet that was not read.
  func byteCount(ofTrack track: Int, _ place: Int) -> Int? { slots[track]?[place]?.bytes.count }

  func forget(_ track: Int) { slots[track] = nil }
}

/// A source that keeps what was read of it.
protocol StoringSource: CutSource {
  var store: PacketStore { get }
}

extension StoringSource {
  func bytes(ofTrack track: Int, _ place: Int) throws(MediaError) -> [UInt8] {
    try store.bytes(ofTrack: track, place) { () throws(MediaError) in
      try prepare([track: [place..<place + 1]])
    }
  }

  func alpha(ofTrack track: Int, _ place: Int) throws(MediaError) -> [UInt8]? {
    try store.alpha(ofTrack: track, place)
  }

  func byteCount(ofTrack track: Int, _ place: Int) -> Int {
    store.byteCount(ofTrack: track, place) ?? tracks[track].coded.packets[place].byteCount
  }
}
