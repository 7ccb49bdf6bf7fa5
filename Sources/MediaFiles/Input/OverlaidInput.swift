import ExactTime
package import Libav

/// A file in which some bytes are replaced when read.
package final class OverlaidInput: ByteInput {
  private let file: InputFile
  private let patches: [Patch]

  package struct Patch {
    package var place: Int64
    package var bytes: [UInt8]
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
      let start = max(position, patch.place)
      let end = min(position + Int64(count), patch.place + Int64(patch.bytes.count))
      guard start < end else { continue }
      for index in start..<end {
        buffer[Int(index - position)] = patch.bytes[Int(index - patch.place)]
      }
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
