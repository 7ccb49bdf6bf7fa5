extension MediaErrorCode {
  /// The file has no video, or none that is shown.
  public static let noPicture = Self(rawValue: "noPicture")
  /// The file has no audio, or none that is audible.
  public static let noSound = Self(rawValue: "noSound")
  /// A codec that trim does not decode.
  public static let notDecoded = Self(rawValue: "notDecoded")
}
