extension MediaErrorCode {
  /// The file has no moving picture, or none that is shown.
  public static let noPicture = Self(rawValue: "noPicture")
  /// The file has no sound, or none that is heard.
  public static let noSound = Self(rawValue: "noSound")
  /// A codec that is not decoded here.
  public static let notDecoded = Self(rawValue: "notDecoded")
}
