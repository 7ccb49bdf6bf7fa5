import CSystem
import Glibc
import Synchronization

/// Runs of FFmpeg's commands that are made once in a run of the tests, however many tests want them:
/// what such a run writes depends only on its words and on the files that it reads.
///
/// Everyone gets a copy of the written file, which they may change. All copies come from one file
/// without a name, so nothing remains when the tests end in any way.
actor RepeatedRuns {
  static let shared = RepeatedRuns()

  private let store = RunStore()
  private var made: [FFmpegWords.Key: Task<Made, any Error>] = [:]

  private struct Made: Sendable {
    var run: ProgramRun
    /// Where its standard output and the written file are in the store; `nil` for a run that may
    /// differ from the next one.
    var kept: (out: Range<Int>, file: Range<Int>)?
  }

  /// A run of these words, made here or before.
  func run(_ words: FFmpegWords, limit: Duration) async throws -> ProgramRun {
    guard let key = words.key() else { return try await Self.make(words, limit: limit) }
    if let earlier = made[key], let run = try? await copy(of: earlier.value, for: words) {
      return run
    }
    let task = Task { [store] in
      var run = try await Self.make(words, limit: limit)
      guard run.status == 0, !words.isNamed(in: run) else { return Made(run: run) }
      let file = try words.output.map { try fileBytes($0) } ?? []
      let kept = (out: try store.keep(run.out), file: try store.keep(file))
      run.out = []
      return Made(run: run, kept: kept)
    }
    made[key] = task
    let first = try await task.value
    guard let kept = first.kept else { return first.run }
    var run = first.run
    run.out = store.bytes(kept.out)
    return run
  }

  private static func make(_ words: FFmpegWords, limit: Duration) async throws -> ProgramRun {
    try await BlockingWork.run {
      try ProgramServer[words.program]?.run(words.all, limit: limit)
        ?? ProgramRun(blocking: words.all, limit: limit)
    }
  }

  private func copy(of made: Made, for words: FFmpegWords) throws -> ProgramRun? {
    guard let kept = made.kept else { return nil }
    var run = made.run
    run.out = store.bytes(kept.out)
    if let output = words.output {
      try writeFile(store.bytes(kept.file), to: Array(output.utf8CString))
    }
    return run
  }
}

/// The words of one of FFmpeg's commands, of which it is known what they read and write.
struct FFmpegWords: Sendable {
  /// What the words write: two runs with the same key write the same.
  struct Key: Hashable, Sendable {
    fileprivate var words: [String]
    fileprivate var inputs: [[Int]]
  }

  let all: [[UInt8]]
  /// The file that is written; `nil` where all goes to standard output.
  let output: String?
  private let words: [String]

  var program: String { words[0] }

  private static let scratch = "/tmp/trim-scratch-"
  /// What names other files, which may change, or writes more than one.
  private static let others = ["concat", "hls", "dash", "segment", "tee", "-report", "-progress"]

  /// - Returns: `nil` for another program, and for words that may read or write anything else.
  init?(_ all: [[UInt8]]) {
    let words = all.map { String(decoding: $0, as: UTF8.self) }
    guard let program = words.first, ["ffmpeg", "ffprobe"].contains(program) else { return nil }
    guard let last = words.last, !words.contains(where: Self.others.contains) else { return nil }
    let writes = program == "ffmpeg" && last.hasPrefix("/")
    guard program == "ffprobe" || writes || last == "-" else { return nil }
    for (place, word) in words.enumerated().dropFirst() {
      if word.hasPrefix("/") {
        let isInput = ["-i", "-attach"].contains(words[place - 1]) || program == "ffprobe"
        guard isInput || (writes && place == words.count - 1) else { return nil }
        let ending = word.split(separator: ".").last ?? ""
        guard !word.contains("%"), !["m3u8", "mpd", "idx", "txt"].contains(ending) else {
          return nil
        }
      } else if word.contains("/tmp/") || word.contains("movie=") {
        return nil
      }
    }
    (self.all, self.words, output) = (all, words, writes ? last : nil)
  }

  /// - Returns: `nil` where an input cannot be read, or is so large that reading it twice is slow.
  func key() -> Key? {
    var key = Key(words: [], inputs: [])
    for (place, word) in words.enumerated() {
      guard word.hasPrefix("/") else {
        key.words.append(word)
        continue
      }
      // The folder of a test has a random name, and the name of a file tells FFmpeg its format.
      let isScratch = word.hasPrefix(Self.scratch)
      key.words.append(isScratch ? String(word.split(separator: "/").last ?? "") : word)
      if output != nil, place == words.count - 1 { continue }
      guard Self.isSmall(word), let bytes = try? fileBytes(word) else { return nil }
      key.inputs.append([bytes.count] + Self.digest(bytes))
    }
    return key
  }

  private static func isSmall(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size <= 32 << 20
  }

  private static func digest(_ bytes: [UInt8]) -> [Int] {
    (0..<2).map { salt in
      var hasher = Hasher()
      hasher.combine(salt)
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      return hasher.finalize()
    }
  }

  /// True when what it printed contains the name of a test's folder.
  func isNamed(in run: ProgramRun) -> Bool {
    let printed = words.first == "ffprobe" ? run.err + run.out : run.err
    return String(decoding: printed, as: UTF8.self).contains(Self.scratch)
  }
}

/// Bytes in an unnamed file, which are never changed.
private final class RunStore: Sendable {
  private let descriptor = trim_open_unnamed_file("/tmp")
  private let end = Mutex(0)

  func keep(_ bytes: [UInt8]) throws -> Range<Int> {
    try end.withLock { end in
      let start = end
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes {
          pwrite(
            descriptor, $0.baseAddress?.advanced(by: written), $0.count - written,
            off_t(start + written))
        }
        guard count > 0 else { throw ScratchFolder.SystemFailure(call: "pwrite", number: errno) }
        written += count
      }
      end = start + bytes.count
      return start..<end
    }
  }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, range.count, off_t(range.lowerBound)))
    }
  }
}
