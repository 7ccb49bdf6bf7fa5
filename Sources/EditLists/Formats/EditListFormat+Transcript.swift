import ExactTime

extension EditListFormat {
  /// A transcript of whisper or WhisperX: each segment is a kept part, named by its text; or, where the
  /// context says so, each word.
  ///
  /// A word without times, such as a number that WhisperX could not align, is left out, and so is what
  /// has no length.
  public static let transcript = EditListFormat(
    id: "whisper", name: "transcript of whisper or WhisperX", extensions: ["json"],
    recognisesJSON: { tree in
      tree["segments"]?.isArray == true && tree["OTIO_SCHEMA"] == nil && tree["cutSegments"] == nil
    },
    reads: { root, context, leftOut throws(ListError) in
      var list = EditList()
      for segment in try root.member("segments").elements() {
        guard context.readsWords else {
          if let cue = try segment.cue(text: "text", &leftOut) { list.parts.append(cue) }
          continue
        }
        guard let words = segment["words"] else {
          throw segment.failure("it has no 'words'; transcribe with times of words")
        }
        for word in try words.elements() {
          guard word["start"] != nil || word["end"] != nil else {
            leftOut.note(word.failure("the word has no times"))
            continue
          }
          if let cue = try word.cue(text: "word", &leftOut) { list.parts.append(cue) }
        }
      }
      return list
    })
}

extension JSONNode {
  /// The part of a segment or word; `nil` for one of no length, of which whisper writes some.
  fileprivate func cue(
    text key: String, _ leftOut: inout EditListFormat.LeftOut
  ) throws(ListError) -> EditList.Part? {
    let (start, end) = (try member("start").seconds(), try member("end").seconds())
    if start == end {
      leftOut.note(failure("it has no length"))
      return nil
    }
    let range = try range(from: start, to: end)
    let words = try self[key]?.string().utf8.split { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
    let name = (words ?? []).map { String(Substring($0)) }.joined(separator: " ")
    return EditList.Part(range, name: name.isEmpty ? nil : name)
  }
}
