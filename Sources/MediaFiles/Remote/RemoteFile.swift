import Glibc
package import Libav
import Synchronization

/// A file on another machine, read by ranges through a cache.
package final class RemoteFile: Sendable {
  /// What it is called wherever it is shown; never its whole address.
  package let name: [UInt8]
  package let byteCount: Int64
  private let source: any RemoteSource
  private let cache: BlockCache
  let number: Int
  private let plan: Mutex<RequestPlan>
  /// Held during a request, so that two readers do not ask for the same bytes.
  private let turn = Mutex(())
  private let firstFault = Mutex<ProbeError?>(nil)

  package init(_ source: any RemoteSource, name: [UInt8], cache: BlockCache) {
    self.source = source
    self.name = name
    self.cache = cache
    byteCount = source.byteCount
    number = cache.newFile()
    let block = BlockCache.blockBytes
    let head = source.head
    // An incomplete block would look like the end of the file.
    let whole = Int64(head.count) >= byteCount ? head.count : head.count / block * block
    plan = Mutex(RequestPlan(cacheBytes: cache.most, headBytes: Int64(whole)))
    cache.keep(number, Array(head[..<whole]), from: 0)
  }

  deinit { cache.forget(number) }

  /// Why it could not be read: everything that was made of it is then worthless.
  package var fault: ProbeError? { firstFault.withLock { $0 } }

  package var cost: RemoteCost { source.cost }

  /// Makes it a ``fault`` if what was read is not all of one version.
  package func confirm() {
    guard fault == nil else { return }
    do throws(ProbeError) {
      try source.confirm()
    } catch {
      firstFault.withLock { known in known = known ?? error }
    }
  }

  /// Fetches what is missing from a position on, and copies it.
  ///
  /// - Returns: how many bytes were copied.
  private func fetch(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) throws(ProbeError) -> Int {
    let block = Int64(BlockCache.blockBytes)
    let start = BlockCache.block(of: position) * block
    let most = min(plan.withLock { $0.most }, Int64(buffer.count))
    let wanted = start..<min(byteCount, (position + most + block - 1) / block * block)
    var range = plan.withLock { $0.request(for: wanted) }
    var first = BlockCache.block(of: range.lowerBound)
    while first * block < start, cache.holds(number, first...first) { first += 1 }
    range = first * block..<min(range.upperBound, byteCount)
    // What follows is left out as far as it is there already.
    let blocks = BlockCache.block(of: range.lowerBound)...BlockCache.block(of: range.upperBound - 1)
    if let last = cache.lastMissing(number, blocks, gap: Int(RequestPlan.gap / block)) {
      range = range.lowerBound..<min(byteCount, max(wanted.upperBound, (last + 1) * block))
    }
    let bytes = try source.bytes(in: range)
    guard bytes.count == Int(range.upperBound - range.lowerBound) else {
      throw ProbeError(
        .readFailed,
        "the server sent \(bytes.count) bytes of a range of "
          + "\(range.upperBound - range.lowerBound)")
    }
    cache.keep(number, bytes, from: range.lowerBound)
    let offset = Int(position - range.lowerBound)
    let count = min(buffer.count, bytes.count - offset)
    bytes.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
    }
    return count
  }
}

extension RemoteFile: RangedBytes {
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at position: Int64
  ) -> Result<Int, InputFault> {
    guard position >= 0, position < byteCount else { return .success(0) }
    let buffer = UnsafeMutableRawBufferPointer(
      rebasing: buffer[..<Int(min(Int64(buffer.count), byteCount - position))])
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let place = position + Int64(done)
      let kept = cache.copy(number, from: place, into: rest)
      done += kept
      if kept > 0 { continue }
      if fault != nil { return .failure(InputFault(.failed(EIO), at: place)) }
      let result = turn.withLock { _ -> Result<Int, ProbeError> in
        // Another reader may have fetched it meanwhile.
        let kept = cache.copy(number, from: place, into: rest)
        if kept > 0 { return .success(kept) }
        return Result { () throws(ProbeError) in try fetch(into: rest, at: place) }
      }
      switch result {
      case .success(let count): done += count
      case .failure(let error):
        firstFault.withLock { known in known = known ?? error }
        return .failure(InputFault(.failed(EIO), at: place))
      }
    }
    return .success(done)
  }

  package func expect(_ range: Range<Int64>) {
    let inside = range.clamped(to: 0..<byteCount)
    guard !inside.isEmpty else { return }
    plan.withLock { $0.expect(inside) }
  }

  package func isAtHand(_ range: Range<Int64>) -> Bool {
    let inside = range.clamped(to: 0..<byteCount)
    guard !inside.isEmpty else { return true }
    return cache.holds(
      number,
      BlockCache.block(of: inside.lowerBound)...BlockCache.block(of: inside.upperBound - 1))
  }
}
