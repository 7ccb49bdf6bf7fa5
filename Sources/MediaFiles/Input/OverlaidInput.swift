import ExactTime
package import Libav

/// A file in which some bytes are replaced when read.
package final class OverlaidInput: ByteInput {
  private let file: InputFile
  private let patches: [Patch]

  package struct Patch {
    package var place: Int64
    package var bytes: [UInt8]

    /// Writes what lies in the `count` bytes that were read from a position.
    func write(into buffer: UnsafeMutableRawBufferPointer, holding count: Int, from position: Int64)
    {
      let start = max(position, place)
      let end = min(position + Int64(count), place + Int64(bytes.count))
      guard start < end else { return }
      for index in start..<end { buffer[Int(index - position)] = bytes[Int(index - place)] }
    }
  }

  /// - Parameter patches: must not overlap.
  package init(_ file: InputFile, _ patches: [Patch]) {
    self.file = file
    self.patches = patches.sorted { $0.place < $1.place }
  }

  package convenience init(_ file: InputFile, _ bytes: [UInt8], at place: Int64) {
    self.init(file, [Patch(place: place, bytes: bytes)])
  }

  package var byteCount: Int64? { file.byteCount }
  package var refusal: String? { file.refusal }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) throws(InputFault) -> Int {
    let count = try file.read(into: buffer, at: position)
    for patch in patches[firstPatch(endingBehind: position)...] {
      guard patch.place < position + Int64(count) else { break }
      patch.write(into: buffer, holding: count, from: position)
    }
    return count
  }

  /// A binary search, because there may be a patch for every tag of a file.
  private func firstPatch(endingBehind position: Int64) -> Int {
    patches.indices.partitionPoint {
      patches[$0].place + Int64(patches[$0].bytes.count) > position
    }
  }
}
