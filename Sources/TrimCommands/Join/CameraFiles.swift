import CommandLineKit
import Glibc
import MediaEngine

/// The files of one recording, which cameras split, in the order in which they were recorded.
enum CameraFiles {
  /// The media files of a folder, if their names are those of one recording.
  static func files(in folder: ArgumentText) throws(UsageError) -> [ArgumentText] {
    guard let names = names(in: folder.bytes) else {
      throw UsageError(
        "'\(folder.shown)' is not a folder that can be read.", command: JoinOptions.command)
    }
    let order: [[UInt8]]
    do throws(Failure) {
      order = try ordered(names)
    } catch {
      throw UsageError("'\(folder.shown)': \(error.message)", command: JoinOptions.command)
    }
    let lead =
      folder.bytes.last == UInt8(ascii: "/") ? folder.bytes : folder.bytes + Array("/".utf8)
    return order.map { ArgumentText(bytes: lead + $0) }
  }

  struct Failure: Error {
    var message: String
  }

  /// A name taken apart: which recording it belongs to, and which piece of it it is.
  struct Name: Equatable {
    /// Names of one recording share it.
    var recording: String
    /// What orders the pieces.
    var piece: String
  }

  /// Names in recording order; others are left out.
  ///
  /// - Throws: where there is no name of a camera, or those of several recordings.
  static func ordered(_ names: [[UInt8]]) throws(Failure) -> [[UInt8]] {
    let known = names.compactMap { bytes in
      String(validating: bytes, as: UTF8.self).flatMap(Self.name).map { (bytes, $0) }
    }
    let recordings = Set(known.map(\.1.recording)).sorted()
    guard !recordings.isEmpty else {
      throw Failure(message: "no file in it has a name as GoPro, DJI or dash cameras give them.")
    }
    guard recordings.count == 1 else {
      throw Failure(
        message:
          "it holds \(recordings.count) recordings (\(recordings.prefix(4).joined(separator: ", "))"
          + "\(recordings.count > 4 ? " …" : "")); name the files of one.")
    }
    return known.sorted { ($0.1.piece, $0.0.count) < ($1.1.piece, $1.0.count) }.map(\.0)
  }

  /// `nil` for a name that no camera gives.
  ///
  /// - GoPro: `GH010034.MP4`, `GH020034.MP4`: chapter, then the number of the recording (HERO6 and later;
  ///   `GX` for HEVC, `GL` for low resolution); earlier `GOPR0034.MP4`, `GP010034.MP4`.
  /// - DJI: `DJI_0034.MP4`, `DJI_0035.MP4`, or `DJI_20240102030405_0034_D.MP4`: the numbers go on.
  /// - Dash cameras: a date and time, and a camera: `20240102_030405_F.mp4`, `2024_0102_030405_001F.MP4`.
  static func name(_ text: String) -> Name? {
    guard let dot = text.lastIndex(of: "."),
      ["mp4", "mov", "ts", "mts", "360", "insv"].contains(
        text[text.index(after: dot)...].lowercased())
    else { return nil }
    let stem = text[..<dot].uppercased()
    return goPro(stem) ?? dji(stem) ?? dashCamera(stem)
  }

  private static func goPro(_ stem: String) -> Name? {
    guard stem.count == 8 else { return nil }
    let (head, tail) = (stem.prefix(4), String(stem.suffix(4)))
    guard isDigits(tail) else { return nil }
    if head == "GOPR" { return Name(recording: "GoPro \(tail)", piece: "00") }
    guard ["GH", "GX", "GL", "GP", "GS", "GA"].contains(head.prefix(2)), isDigits(head.suffix(2))
    else { return nil }
    return Name(recording: "GoPro \(tail)", piece: String(head.suffix(2)))
  }

  private static func dji(_ stem: String) -> Name? {
    let words = stem.split(separator: "_", omittingEmptySubsequences: false)
    guard words.first == "DJI", words.count >= 2 else { return nil }
    if words.count == 2, words[1].count == 4, isDigits(words[1]) {
      return Name(recording: "DJI", piece: String(words[1]))
    }
    guard words.count >= 3, words[1].count == 14, isDigits(words[1]), words[2].count == 4,
      isDigits(words[2])
    else { return nil }
    let camera = words.dropFirst(3).joined(separator: "_")
    return Name(
      recording: camera.isEmpty ? "DJI" : "DJI \(camera)", piece: String(words[1] + words[2]))
  }

  /// A date, a time and the letter or number of the camera, in digits between separators.
  private static func dashCamera(_ stem: String) -> Name? {
    let words = stem.split { "_-".contains($0) }
    let digits = words.map { $0.filter(isDigit) }.joined()
    let letters = words.map { $0.filter { !isDigit($0) } }.joined(separator: " ")
      .split(separator: " ").joined(separator: " ")
    guard digits.count >= 14, let year = Int(digits.prefix(4)), (1990...2100).contains(year),
      let month = Int(digits.dropFirst(4).prefix(2)), (1...12).contains(month),
      let day = Int(digits.dropFirst(6).prefix(2)), (1...31).contains(day), letters.count <= 8
    else { return nil }
    return Name(
      recording: letters.isEmpty ? "dash camera" : "dash camera \(letters)", piece: digits)
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
  private static func isDigits(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.allSatisfy(isDigit)
  }

  private static func names(in folder: [UInt8]) -> [[UInt8]]? {
    let path = folder.map { CChar(bitPattern: $0) } + [0]
    guard let stream = opendir(path) else { return nil }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      names.append(name)
    }
    return names
  }
}
