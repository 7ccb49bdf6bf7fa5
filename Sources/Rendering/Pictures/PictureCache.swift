import Probing
import Synchronization

/// A cache of rendered pictures with a memory limit; the least recently used are removed first.
public final class PictureCache: Sendable {
  /// Identifies a picture of a video.
  public struct Key: Hashable, Sendable {
    /// The frame's number, from 0 in presentation order.
    public var frame: Int
    /// The requested size of the picture.
    public var size: PictureSize

    /// Creates a key from a frame's number and a size.
    public init(frame: Int, size: PictureSize) {
      self.frame = frame
      self.size = size
    }
  }

  private struct Entry {
    var picture: GrabbedPicture
    var lastUse: UInt64
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var byteCount = 0
    var uses: UInt64 = 0
  }

  /// The maximum size of all pictures in bytes; a larger picture is not kept.
  public let byteLimit: Int
  private let state = Mutex(State())

  /// Creates an empty cache; 64 MiB by default.
  public init(byteLimit: Int = 64 << 20) { self.byteLimit = byteLimit }

  /// The size of all pictures in it, in bytes.
  public var byteCount: Int { state.withLock { $0.byteCount } }

  /// The picture for a key, which counts as used now; `nil` where it is not kept.
  public subscript(key: Key) -> GrabbedPicture? {
    state.withLock { state in
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      return state.entries[key]?.picture
    }
  }

  /// Stores a picture, replacing an older one with the same key, and removes others to stay within
  /// ``byteLimit``.
  public func keep(_ picture: GrabbedPicture, for key: Key) {
    let size = picture.picture.byteCount
    guard size <= byteLimit else { return }
    state.withLock { state in
      state.uses += 1
      let before = state.entries.updateValue(
        Entry(picture: picture, lastUse: state.uses), forKey: key)
      state.byteCount += size - (before?.picture.picture.byteCount ?? 0)
      while state.byteCount > byteLimit,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.byteCount -= oldest.value.picture.picture.byteCount
        state.entries[oldest.key] = nil
      }
    }
  }
}
