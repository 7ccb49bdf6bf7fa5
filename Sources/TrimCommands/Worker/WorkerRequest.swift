import CommandLineKit

/// The kinds of worker: loading FFmpeg's libraries takes longer than reading most files.
enum WorkerKind: String, Sendable, Equatable {
  /// Reads MP4 and QuickTime natively, and nothing else.
  case native
  /// Has loaded FFmpeg.
  case full
}

/// What a batch sends to one of its workers: a line that ends with the task as given.
///
/// The files of the task come with it as descriptors: input, output, scratch.
struct WorkerRequest: Equatable {
  var line: Int
  /// The time limit of the task in milliseconds.
  var milliseconds: Int64
  var task: [UInt8]
  /// Whether the task's path names a part of the file: a sealed worker cannot check whether a file with the
  /// whole name exists.
  var namesPart = false

  var bytes: [UInt8] {
    Array("\(line) \(milliseconds)\(namesPart ? "#" : "") ".utf8) + task + [UInt8(ascii: "\n")]
  }

  init(line: Int, milliseconds: Int64, task: [UInt8], namesPart: Bool = false) {
    self.line = line
    self.milliseconds = milliseconds
    self.task = task
    self.namesPart = namesPart
  }

  /// `nil` for anything other than a request.
  ///
  /// - Parameter bytes: without the newline.
  init?(_ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(
      separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let line = Int(String(decoding: parts[0], as: UTF8.self)),
      let milliseconds = Int64(
        String(decoding: parts[1].prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self))
    else { return nil }
    self.init(
      line: line, milliseconds: milliseconds, task: Array(parts[2]),
      namesPart: parts[1].last == UInt8(ascii: "#"))
  }
}
