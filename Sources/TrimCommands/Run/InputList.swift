import CommandLineKit
import MediaEngine

/// The files of one invocation, in order: first from the command line, then from the list.
///
/// The list is read as needed, so that a list of millions takes no memory.
struct InputList {
  private var named: ArraySlice<ArgumentText>
  private var list: NameReader?

  init(named: [ArgumentText], list: NameReader?) {
    self.named = named[...]
    self.list = list
  }

  mutating func next() throws(NameReader.Failure) -> MediaInput? {
    if let word = named.popFirst() {
      return word.isStandardStream ? .standardInput : .file(path: word.bytes)
    }
    return try list?.next().map { .file(path: RemoteInputs.named($0, isListed: true)) }
  }
}
