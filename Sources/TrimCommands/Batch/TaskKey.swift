import CSystem
import CommandLineKit
import Glibc

/// What identifies a finished task: its request, and the state of the source.
struct TaskKey: Hashable, Sendable {
  let text: String

  init(text: String) { self.text = text }

  init(_ task: BatchTask, source: SourceState) {
    var hash = StableHash()
    hash.add(task.operation ?? "")
    hash.add(task.path ?? [])
    hash.add(task.output ?? [])
    for word in Self.ordered(task.words) { hash.add(word) }
    hash.add("\(source.byteCount) \(source.modifiedSeconds) \(source.modifiedNanoseconds)")
    for path in task.others { hash.add(path) }
    for path in task.otherFiles {
      let state = SourceState(path: path)
      hash.add(
        state.map { "\($0.byteCount) \($0.modifiedSeconds) \($0.modifiedNanoseconds)" } ?? "")
    }
    text = hash.hexadecimal
  }

  /// Sorted by option name, regardless of member order; values of a repeated option keep their
  /// order, so that parts in a different order remain a different task.
  private static func ordered(_ words: [ArgumentText]) -> [[UInt8]] {
    typealias Word = (name: [UInt8], index: Int, bytes: [UInt8])
    let named = words.enumerated().map { (index, word) -> Word in
      let end = word.bytes.firstIndex(of: UInt8(ascii: "=")) ?? word.bytes.endIndex
      return (name: Array(word.bytes[..<end]), index: index, bytes: word.bytes)
    }
    let sorted = named.sorted { (one: Word, other: Word) -> Bool in
      guard one.name != other.name else { return one.index < other.index }
      return one.name.lexicographicallyPrecedes(other.name)
    }
    return sorted.map(\.bytes)
  }
}

/// A hash that is the same in every process: FNV-1a, 128 bits.
struct StableHash {
  private(set) var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b

  /// Adds a piece; its end is hashed too, so that two pieces differ from their concatenation.
  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { add(byte) }
    withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { for byte in $0 { add(byte) } }
  }

  mutating func add(_ text: String) { add(Array(text.utf8)) }

  private mutating func add(_ byte: UInt8) { value = (value ^ UInt128(byte)) &* Self.prime }

  var hexadecimal: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}

/// What shows that a source has changed.
struct SourceState: Sendable, Equatable {
  var byteCount: Int64
  var modifiedSeconds: Int64
  var modifiedNanoseconds: Int64

  /// `nil` when there is no such regular file.
  init?(path: [UInt8]) {
    var status = stat()
    guard !path.contains(0), stat(path.map { CChar(bitPattern: $0) } + [0], &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    let modified = status.st_mtim
    byteCount = Int64(status.st_size)
    modifiedSeconds = Int64(modified.tv_sec)
    modifiedNanoseconds = Int64(modified.tv_nsec)
  }
}
