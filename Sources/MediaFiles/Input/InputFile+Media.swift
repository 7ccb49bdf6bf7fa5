package import Libav
package import MediaFacts

extension InputFile {
  /// Where a file's media are, once it was probed: behind the garbage that some begin with, or
  /// before what follows them.
  package func media(of facts: MediaFacts) -> any ByteInput {
    guard facts.notes.contains(where: { $0.id == "garbage-before-media" }),
      let start = MPEGAudioSearch.firstFrame(in: self), start > 0
    else { return readable }
    return ShiftedInput(self, by: start)
  }

  /// What FFmpeg should see of the file: no more than its media, and those as it can read them.
  package var readable: any ByteInput {
    StatedSound.input(of: self) ?? TrailingTags.input(before: self) ?? OpenRF64.input(of: self)
      ?? ExtensibleWAV.input(of: self) ?? UncountedXing.input(of: self)
      ?? PatchedMovie.input(of: self) ?? NamedFLVTags.input(of: self) ?? self
  }

  /// The bytes of a range, as far as the file has them and no more than a number.
  package func bytes(in range: Range<Int64>, atMost limit: Int) -> [UInt8] {
    let count = Int(min(Int64(limit), range.upperBound - range.lowerBound))
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = (try? read(into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)) ?? 0
    }
  }
}
