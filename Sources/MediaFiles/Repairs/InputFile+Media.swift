package import Libav
package import MediaFacts

extension InputFile {
  /// The media part of a probed file: after leading garbage, or before trailing data.
  package func media(of facts: MediaFacts) -> any ByteInput {
    guard facts.notes.contains(where: { $0.id == .garbageBeforeMedia }),
      let start = MPEGAudioSearch.firstFrame(in: self), start > 0
    else { return readable }
    return ShiftedInput(self, by: start)
  }

  /// The file as FFmpeg should see it: only its media, in a form that it can read.
  package var readable: any ByteInput { InnerTags.input(of: self) ?? readableHeaders }

  /// The same where only headers are read, so that the rest of the file need not be examined.
  package var readableHeaders: any ByteInput {
    StatedAudio.input(of: self) ?? TrailingTags.input(before: self) ?? OpenRF64.input(of: self)
      ?? ExtensibleWAV.input(of: self) ?? UncountedXing.input(of: self)
      ?? PatchedMovie.input(of: self) ?? NamedFLVTags.input(of: self) ?? self
  }

  /// The bytes of a range, as far as the file has them, up to a limit.
  package func bytes(in range: Range<Int64>, atMost limit: Int) -> [UInt8] {
    let count = Int(min(Int64(limit), range.upperBound - range.lowerBound))
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = (try? read(into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)) ?? 0
    }
  }
}
