/// A QuickTime or MP4 file with its header at the end, whose edit lists are replaced (ISO/IEC 14496-12, 8.6.6).
package struct EditedMovie {
  /// What an edit shows: media from an instant of the unedited file on, or nothing.
  package struct Edit: Sendable {
    var start: Double?
    var length: Double

    /// Seconds of the unedited file.
    package init(from start: Double?, lasting length: Double) {
      self.start = start
      self.length = length
    }
  }

  package private(set) var bytes: [UInt8]

  /// - Parameter edits: those of every track, exact in its ticks.
  package init(_ file: [UInt8], _ edits: [Edit]) {
    bytes = []
    var movieScale = 1
    for box in Self.boxes(file[...]) {
      guard Self.name(box) == "moov" else {
        bytes += box
        continue
      }
      var movie: [UInt8] = []
      for child in Self.boxes(box.dropFirst(8)) {
        if Self.name(child) == "mvhd" { movieScale = Self.number(child, at: 20) }
        movie += Self.name(child) == "trak" ? Self.track(child, edits, movieScale) : Array(child)
      }
      bytes += Self.box("moov", movie)
    }
  }

  private static func track(_ track: ArraySlice<UInt8>, _ edits: [Edit], _ movieScale: Int)
    -> [UInt8]
  {
    let children = boxes(track.dropFirst(8))
    let media = children.first { name($0) == "mdia" }.map { boxes($0.dropFirst(8)) } ?? []
    let scale = media.first { name($0) == "mdhd" }.map { number($0, at: 20) } ?? 1
    let list = children.first { name($0) == "edts" }.flatMap { boxes($0.dropFirst(8)).first }
    // What the encoders' delay was hidden with.
    let lead = list.map { number($0, at: 20) } ?? 0
    var entries = word(0) + word(edits.count)
    for edit in edits {
      let start = edit.start.map { lead + Int(($0 * Double(scale)).rounded()) } ?? 0xFFFF_FFFF
      entries +=
        word(Int((edit.length * Double(movieScale)).rounded())) + word(start) + word(1 << 16)
    }
    let edited = box("edts", box("elst", entries))
    var result: [UInt8] = []
    for child in children where name(child) != "edts" {
      result += child
      if name(child) == "tkhd" { result += edited }
    }
    return box("trak", result)
  }

  private static func boxes(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var (boxes, rest) = ([ArraySlice<UInt8>](), bytes)
    while rest.count >= 8 {
      let size = min(max(8, number(rest, at: 0)), rest.count)
      boxes.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return boxes
  }

  private static func name(_ box: ArraySlice<UInt8>) -> String {
    String(decoding: box.dropFirst(4).prefix(4), as: UTF8.self)
  }

  private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Int {
    bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  private static func word(_ value: Int) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    word(content.count + 8) + Array(name.utf8) + content
  }
}
