package import Libav
package import MediaFacts

extension InputFile {
  /// Where a file's media are, once it was probed: behind the garbage that some begin with, or
  /// before what follows them.
  package func media(of facts: MediaFacts) -> any ByteInput {
    guard facts.notes.contains(where: { $0.id == "garbage-before-media" }),
      let start = MPEGAudioSearch.firstFrame(in: self), start > 0
    else { return StatedSound.input(of: self) ?? self }
    return ShiftedInput(self, by: start)
  }
}
