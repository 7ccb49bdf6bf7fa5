import Synchronization

/// The blocks of remote files that were received last, for all files of a run.
package final class BlockCache: Sendable {
  /// Small, so that a header of a few kilobytes displaces little.
  static let blockBytes = 16 << 10
  /// What a run keeps unless another size is chosen.
  package static let usualBytes = 64 << 20
  /// Less would not hold what a single read needs.
  package static let leastBytes = 4 << 20

  private struct Key: Hashable {
    var file: Int
    var block: Int64
  }

  private struct State {
    var blocks: [Key: Block] = [:]
    var bytes = 0
    var clock: UInt64 = 0
    /// Bytes that are on their way, or were fetched before they were read.
    var reserved = 0
    var files = 0
  }

  private struct Block {
    var bytes: [UInt8]
    var used: UInt64
    /// Whether it was fetched before it was read, and was not read since.
    var isAhead = false
  }

  let most: Int
  private let state = Mutex(State())

  /// - Parameter byteCount: how much is kept; at least ``leastBytes``.
  package init(byteCount: Int = usualBytes) { most = max(byteCount, Self.leastBytes) }

  /// The number by which another file's blocks are distinguished.
  func newFile() -> Int {
    state.withLock { state in
      state.files += 1
      return state.files
    }
  }

  static func block(of position: Int64) -> Int64 { position / Int64(blockBytes) }

  /// Copies consecutive bytes from a position on, as far as they are kept.
  func copy(_ file: Int, from position: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      state.clock += 1
      var done = 0
      while done < buffer.count {
        let place = position + Int64(done)
        let key = Key(file: file, block: Self.block(of: place))
        let offset = Int(place % Int64(Self.blockBytes))
        guard let bytes = state.blocks[key]?.bytes, offset < bytes.count else { break }
        state.blocks[key]?.used = state.clock
        let count = min(buffer.count - done, bytes.count - offset)
        bytes.withUnsafeBytes { bytes in
          UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count]).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        done += count
      }
      return done
    }
  }

  func holds(_ file: Int, _ blocks: ClosedRange<Int64>) -> Bool {
    state.withLock { state in
      blocks.allSatisfy { state.blocks[Key(file: file, block: $0)] != nil }
    }
  }

  /// Which of the blocks is the last that is not kept, where at most `gap` kept ones lie between two of those;
  /// `nil` if the first are kept.
  func lastMissing(_ file: Int, _ blocks: ClosedRange<Int64>, gap: Int) -> Int64? {
    state.withLock { state in
      var last: Int64?
      var kept = 0
      for block in blocks {
        if state.blocks[Key(file: file, block: block)] == nil {
          last = block
          kept = 0
        } else {
          kept += 1
          if kept > gap { break }
        }
      }
      return last
    }
  }

  /// Asks for room for what is about to be fetched.
  ///
  /// - Parameter atAnyRate: for what is being waited for.
  /// - Returns: `false` where it would displace what was fetched before it was read.
  @discardableResult func reserve(_ count: Int, atAnyRate: Bool = false) -> Bool {
    state.withLock { state in
      guard atAnyRate || state.reserved + count <= most / 4 * 3 else { return false }
      state.reserved += count
      return true
    }
  }

  func release(_ count: Int) { state.withLock { $0.reserved -= count } }

  /// What was fetched before it was read is being read: it is displaced like all others from now on.
  func settle(_ file: Int, _ blocks: ClosedRange<Int64>) {
    state.withLock { state in
      state.clock += 1
      for block in blocks {
        let key = Key(file: file, block: block)
        guard let place = state.blocks.index(forKey: key) else { continue }
        state.blocks.values[place].isAhead = false
        state.blocks.values[place].used = state.clock
      }
    }
  }

  /// Keeps bytes that begin with a block, and end with one or with the file.
  ///
  /// - Parameter isAhead: whether nobody read them yet: they are displaced last.
  func keep(_ file: Int, _ bytes: [UInt8], from position: Int64, isAhead: Bool = false) {
    state.withLock { state in
      state.clock += 1
      var place = 0
      while place < bytes.count {
        let end = min(bytes.count, place + Self.blockBytes)
        let key = Key(file: file, block: Self.block(of: position + Int64(place)))
        let old = state.blocks.updateValue(
          Block(bytes: Array(bytes[place..<end]), used: state.clock, isAhead: isAhead), forKey: key)
        state.bytes += end - place - (old?.bytes.count ?? 0)
        place = end
      }
      if state.bytes > most { Self.shrink(&state, to: most - most / 8) }
    }
  }

  /// Drops those that were used least recently.
  private static func shrink(_ state: inout State, to most: Int) {
    let oldest = state.blocks.map { ($0.value.isAhead ? 1 : 0, $0.value.used, $0.key) }.sorted {
      ($0.0, $0.1, $0.2.block) < ($1.0, $1.1, $1.2.block)
    }
    for (_, _, key) in oldest {
      guard state.bytes > most else { return }
      state.bytes -= state.blocks.removeValue(forKey: key)?.bytes.count ?? 0
    }
  }

  /// Drops all blocks of a file.
  func forget(_ file: Int) {
    state.withLock { state in
      for (key, block) in state.blocks where key.file == file {
        state.bytes -= block.bytes.count
        state.blocks[key] = nil
      }
    }
  }
}
