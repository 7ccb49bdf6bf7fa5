#if !FFmpeg
  public import ExactTime
  public import MediaFacts
  public import MediaFiles
  /// The video track of a file; cannot be opened without FFmpeg.
  public final class PictureTrack: Sendable {
    /// - Throws: ``ProbeError`` of code `engineMissing`.
    public init(
      _ path: [UInt8], origin: MediaTime = .zero, limits: Limits = .standard,
      deadline: ContinuousClock.Instant? = nil,
      isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ProbeError) { throw .withoutFFmpeg("decoding video") }
  }

  /// Fetches frames; not available without FFmpeg.
  public enum FrameGrabber {
    /// Which frame to take for an instant.
    public enum Choice: String, Sendable, Hashable {
      case exact
      case keyframe
    }
  }

  /// Frames of a video side by side.
  public struct Filmstrip: Sendable, Hashable {
    /// The frames that are shown, in order; never filled without FFmpeg.
    public var frames: [PresentedFrame]
    /// All frames in one picture; never made without FFmpeg.
    public var picture: Picture
    /// Width of one frame of the strip in pixels.
    public var tileWidth: Int
    /// Height of one frame of the strip in pixels.
    public var tileHeight: Int
    /// True where HDR video was tone-mapped for a standard screen; never without FFmpeg.
    public var isToneMapped: Bool
    /// How many frames replace nearby ones that cannot be decoded.
    public var substituteCount: Int

    /// - Throws: ``ProbeError`` of code `engineMissing`.
    public init(
      of track: PictureTrack, at times: [MediaTime], tileWidth: Int,
      choice: FrameGrabber.Choice = .exact, columns: Int = 10,
      progress: (Int) -> Bool = { _ in true }
    ) throws(ProbeError) { throw .withoutFFmpeg("decoding video") }
  }

  extension Picture {
    /// The picture file formats that can be written.
    public enum FileFormat: String, Sendable, Hashable, CaseIterable {
      case png, jpeg
    }

    /// - Throws: ``ProbeError`` of code `engineMissing`.
    public func encoded(as format: FileFormat) throws(ProbeError) -> [UInt8] {
      throw .withoutFFmpeg("writing an image")
    }
  }

  /// The audio track of a file; cannot be opened without FFmpeg.
  public final class SoundTrack: Sendable {
    /// - Throws: ``ProbeError`` of code `engineMissing`.
    public init(
      _ path: [UInt8], facts: MediaFacts, origin: MediaTime = .zero, limits: Limits = .standard,
      deadline: ContinuousClock.Instant? = nil,
      isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ProbeError) { throw .withoutFFmpeg("decoding audio") }
  }

  extension Waveform {
    /// - Throws: ``ProbeError`` of code `engineMissing`.
    public init(
      of track: SoundTrack, in range: MediaTimeRange, scale: WaveformScale,
      channels: Channels = .mixed
    ) throws(ProbeError) { throw .withoutFFmpeg("decoding audio") }
  }

  extension MediaTimeline {
    /// - Throws: ``ProbeError`` of code `engineMissing`.
    public init(
      of path: [UInt8], facts: MediaFacts, origin: MediaTime, limits: Limits = .standard,
      deadline: ContinuousClock.Instant? = nil,
      isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ProbeError) { throw .withoutFFmpeg("the layout of packets") }
  }
#endif
