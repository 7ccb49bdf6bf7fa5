public import ExactTime

/// What is stated of a picture's light: how it was mastered, how bright it gets, and what changes
/// from scene to scene.
public struct HDRFacts: Hashable, Sendable, Codable {
  public var masteringDisplay: MasteringDisplay?
  public var contentLight: ContentLight?
  /// HDR10+ (SMPTE ST 2094-40): metadata that change with the scene.
  public var hasHDR10Plus = false
  public var dolbyVision: DolbyVision?

  public init() {}

  /// The display it was mastered on (SMPTE ST 2086).
  public struct MasteringDisplay: Hashable, Sendable, Codable {
    /// Chromaticities of CIE 1931; `nil` where they are not stated.
    public var red: Chromaticity?
    public var green: Chromaticity?
    public var blue: Chromaticity?
    public var white: Chromaticity?
    /// Candela a square metre.
    public var minimumLuminance: Rational?
    public var maximumLuminance: Rational?

    public init() {}
  }

  public struct Chromaticity: Hashable, Sendable, Codable {
    public var x: Rational
    public var y: Rational

    public init(x: Rational, y: Rational) {
      self.x = x
      self.y = y
    }
  }

  /// The brightest pixel and the brightest frame on average, in candela a square metre (CTA-861.3).
  public struct ContentLight: Hashable, Sendable, Codable {
    public var maximum: Int
    public var maximumFrameAverage: Int

    public init(maximum: Int, maximumFrameAverage: Int) {
      self.maximum = maximum
      self.maximumFrameAverage = maximumFrameAverage
    }
  }

  /// The configuration of Dolby Vision, as far as it is stated (Dolby Vision Streams Within the ISO
  /// Base Media File Format, 2.4).
  public struct DolbyVision: Hashable, Sendable, Codable {
    /// `nil` where only the stream's own units tell that it is Dolby Vision.
    public var profile: Int?
    public var level: Int?
    /// What a player without Dolby Vision can show: 0 nothing, 1 HDR10, 2 SDR, 4 HLG.
    public var compatibility: Int?
    public var hasEnhancementLayer: Bool?

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

  /// Takes what another source states and this one does not.
  public mutating func complete(with other: HDRFacts) {
    masteringDisplay = masteringDisplay ?? other.masteringDisplay
    contentLight = contentLight ?? other.contentLight
    hasHDR10Plus = hasHDR10Plus || other.hasHDR10Plus
    dolbyVision = dolbyVision ?? other.dolbyVision
  }
}
