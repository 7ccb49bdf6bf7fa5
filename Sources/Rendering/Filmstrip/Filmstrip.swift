#if FFmpeg
  public import ExactTime
  public import MediaFiles
  /// Frames of a video side by side, in rows from the top left.
  public struct Filmstrip: Sendable, Hashable {
    /// The frames that are shown, in order.
    public var frames: [PresentedFrame]
    /// All frames in one picture.
    public var picture: Picture
    /// Width of each frame of the strip in pixels.
    public var tileWidth: Int
    /// Height of each frame of the strip in pixels, which follows from the video's shape.
    public var tileHeight: Int
    /// True where HDR video was tone-mapped for a standard screen.
    public var isToneMapped: Bool

    /// Fetches the frames and joins them.
    ///
    /// - Parameters:
    ///   - columns: frames in a row at most.
    ///   - progress: called after each frame with how many are done; returns false to cancel.
    /// - Throws: ``ProbeError``; `limitExceeded` when the strip would be larger than is made.
    public init(
      of track: PictureTrack, at times: [MediaTime], tileWidth: Int,
      choice: FrameGrabber.Choice = .exact, columns: Int = 10,
      progress: (Int) -> Bool = { _ in true }
    ) throws(ProbeError) {
      precondition(!times.isEmpty && columns > 0)
      let grabber = try FrameGrabber(track)
      var canvas: StripCanvas?
      var frames: [PresentedFrame] = []
      var isToneMapped = false
      try grabber.pictures(at: times, size: .width(tileWidth), choice: choice) {
        (position, shown) throws(ProbeError) in
        if canvas == nil {
          canvas = try StripCanvas(
            tile: shown.picture, count: times.count, columns: min(columns, times.count))
        }
        canvas?.place(shown.picture, at: position)
        frames.append(shown.frame)
        isToneMapped = isToneMapped || shown.isToneMapped
        guard progress(position + 1) else {
          throw ProbeError(.cancelled, "it was cancelled")
        }
        return true
      }
      guard let canvas else { throw ProbeError(.internalError, "a strip of no pictures") }
      self.frames = frames
      self.tileWidth = canvas.tileWidth
      self.tileHeight = canvas.tileHeight
      self.isToneMapped = isToneMapped
      picture = canvas.picture
    }
  }

  /// A large picture to which smaller ones are added.
  private struct StripCanvas {
    let tileWidth: Int
    let tileHeight: Int
    private let columns: Int
    private let width: Int
    private let height: Int
    private var pixels: [UInt8]

    init(tile: Picture, count: Int, columns: Int) throws(ProbeError) {
      tileWidth = tile.width
      tileHeight = tile.height
      self.columns = columns
      width = tile.width * columns
      height = tile.height * ((count + columns - 1) / columns)
      guard width <= Self.longestSide, height <= Self.longestSide,
        width * height <= Self.mostPixels
      else {
        throw ProbeError(
          .limitExceeded, "the strip would be \(width)x\(height) pixels, more than are made",
          hint: "Take fewer pictures, or narrower ones with --width.")
      }
      pixels = [UInt8](repeating: 0, count: width * height * 3)
    }

    private static let longestSide = 65_500
    private static let mostPixels = 1 << 26

    var picture: Picture { Picture(width: width, height: height, pixels: pixels) }

    /// A picture of another size, as after a change in the middle of a film, is cut or leaves a rest.
    mutating func place(_ tile: Picture, at position: Int) {
      let left = position % columns * tileWidth
      let top = position / columns * tileHeight
      let row = min(tile.width, tileWidth) * 3
      for y in 0..<min(tile.height, tileHeight) {
        let target = ((top + y) * width + left) * 3
        let source = y * tile.width * 3
        pixels.replaceSubrange(target..<target + row, with: tile.pixels[source..<source + row])
      }
    }
  }
#endif
