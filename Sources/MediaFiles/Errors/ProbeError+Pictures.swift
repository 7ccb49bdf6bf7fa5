extension ProbeError.Code {
  /// The file has no video, or none that is shown.
  public static let noPicture = ProbeError.Code(rawValue: "noPicture")
  /// The file has no sound, or none that is heard.
  public static let noSound = ProbeError.Code(rawValue: "noSound")
  /// A codec that trim does not decode.
  public static let notDecoded = ProbeError.Code(rawValue: "notDecoded")
}
