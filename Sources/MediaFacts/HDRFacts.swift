public import ExactTime

/// HDR metadata: the mastering display, light levels, and whether dynamic metadata is present.
public struct HDRFacts: Hashable, Sendable, Codable {
  /// The display that the video was graded on; `nil` where it is not stated.
  public var masteringDisplay: MasteringDisplay?
  /// MaxCLL and MaxFALL; `nil` where they are not stated.
  public var contentLight: ContentLight?
  /// True where HDR10+ dynamic metadata (SMPTE ST 2094-40) is present.
  public var hasHDR10Plus = false
  /// The Dolby Vision configuration record; `nil` where the stream has no Dolby Vision.
  public var dolbyVision: DolbyVision?

  /// Creates facts that state nothing.
  public init() {}

  /// The mastering display color volume (SMPTE ST 2086).
  public struct MasteringDisplay: Hashable, Sendable, Codable {
    /// The red primary; `nil` where it is not stated.
    public var red: Chromaticity?
    /// The green primary; `nil` where it is not stated.
    public var green: Chromaticity?
    /// The blue primary; `nil` where it is not stated.
    public var blue: Chromaticity?
    /// The white point; `nil` where it is not stated.
    public var white: Chromaticity?
    /// Luminance of the darkest black of the mastering display in cd/m²; `nil` where not stated.
    public var minimumLuminance: Rational?
    /// Luminance of the brightest white of the mastering display in cd/m²; `nil` where not stated.
    public var maximumLuminance: Rational?

    /// Creates a display with no values stated.
    public init() {}
  }

  /// A color as a point in the CIE 1931 (x, y) chromaticity diagram, as exact fractions.
  public struct Chromaticity: Hashable, Sendable, Codable {
    /// The CIE 1931 x coordinate, from 0 to 1 in valid files.
    public var x: Rational
    /// The CIE 1931 y coordinate, from 0 to 1 in valid files.
    public var y: Rational

    /// Creates a chromaticity from its coordinates, which are kept as given.
    public init(x: Rational, y: Rational) {
      self.x = x
      self.y = y
    }
  }

  /// Content light levels, static for the whole stream (CTA-861.3).
  public struct ContentLight: Hashable, Sendable, Codable {
    /// Maximum content light level (MaxCLL) in cd/m²; 0 where only the other one is stated.
    public var maximum: Int
    /// Maximum frame-average light level (MaxFALL) in cd/m²; 0 where only the other one is stated.
    public var maximumFrameAverage: Int

    /// Creates a pair of light levels, both in cd/m².
    public init(maximum: Int, maximumFrameAverage: Int) {
      self.maximum = maximum
      self.maximumFrameAverage = maximumFrameAverage
    }
  }

  /// The Dolby Vision configuration, as far as it is stated (Dolby Vision Streams Within the ISO
  /// Base Media File Format, 2.4).
  public struct DolbyVision: Hashable, Sendable, Codable {
    /// The profile number, such as 5 or 8; `nil` where Dolby Vision is known only from
    /// the stream's NAL units.
    public var profile: Int?
    /// The level, which bounds frame size and rate; `nil` where it is not stated.
    public var level: Int?
    /// What a player without Dolby Vision can show: 0 nothing, 1 HDR10, 2 SDR, 4 HLG.
    public var compatibility: Int?
    /// Whether an enhancement layer is present; `nil` where it is not stated.
    public var hasEnhancementLayer: Bool?

    /// Creates a configuration; omitted values are `nil`, not stated.
    public init(
      profile: Int? = nil, level: Int? = nil, compatibility: Int? = nil,
      hasEnhancementLayer: Bool? = nil
    ) {
      self.profile = profile
      self.level = level
      self.compatibility = compatibility
      self.hasEnhancementLayer = hasEnhancementLayer
    }
  }

  /// True where nothing is stated.
  public var isEmpty: Bool { self == HDRFacts() }

  /// Fills in what only another source states.
  public mutating func complete(with other: HDRFacts) {
    masteringDisplay = masteringDisplay ?? other.masteringDisplay
    contentLight = contentLight ?? other.contentLight
    hasHDR10Plus = hasHDR10Plus || other.hasHDR10Plus
    dolbyVision = dolbyVision ?? other.dolbyVision
  }
}
