import CommandLineKit
import Testing

@testable import TrimCommands

@Suite(.timeLimit(.minutes(1)))
struct `Given the file names of a camera` {
  private static func ordered(_ names: [String]) throws(CameraFiles.Failure) -> [String] {
    try CameraFiles.ordered(names.map { Array($0.utf8) }).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test(arguments: [
    ["GH010034.MP4", "GH020034.MP4", "GH100034.MP4"], ["GX010034.MP4", "GX020034.MP4"],
    ["GOPR0034.MP4", "GP010034.MP4", "GP020034.MP4"],
    ["DJI_0034.MP4", "DJI_0035.MP4"],
    ["DJI_20240102235905_0034_D.MP4", "DJI_20240103000205_0035_D.MP4"],
    ["20240102_030405_F.mp4", "20240102_030505_F.mp4"],
    ["2024_0102_030405_001F.MP4", "2024_0102_030505_002F.MP4"],
    ["2024-01-02_03-04-05.ts", "2024-01-02_03-05-05.ts"],
  ])
  func `when they are of one recording then they are put in order`(_ names: [String]) throws {
    #expect(
      try Self.ordered(names.reversed() + ["notes.txt", "GH010034.THM", "film.mp4"]) == names)
  }

  @Test(arguments: [
    ["GH010034.MP4", "GH010035.MP4"], ["20240102_030405_F.mp4", "20240102_030405_R.mp4"],
    ["GH010034.MP4", "DJI_0034.MP4"],
  ])
  func `when they are of several recordings then these are named`(_ names: [String]) {
    let error = #expect(throws: CameraFiles.Failure.self) { try Self.ordered(names) }
    #expect(error?.message.contains("2 recordings") == true)
  }

  @Test
  func `when no name is a camera's then that is said`() {
    #expect(throws: CameraFiles.Failure.self) {
      try Self.ordered(["film.mp4", "20241302_030405.mp4", "GH01003.MP4", "DJI_34.MP4"])
    }
  }
}
