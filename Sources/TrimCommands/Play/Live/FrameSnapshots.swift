import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import Threads
import Trimming

/// Writes frames as full-size PNG files next to the video.
@MainActor final class FrameSnapshots {
  private let pictures: MediaPictures
  /// The file that frames are named after.
  private let base: [UInt8]
  private let didWrite: @MainActor () -> Void

  /// - Parameters:
  ///   - path: the video, or another file whose folder and name are used.
  ///   - didWrite: called when there is something new to report.
  init(_ pictures: MediaPictures, besides path: [UInt8], didWrite: @escaping @MainActor () -> Void)
  {
    self.pictures = pictures
    self.didWrite = didWrite
    base = path
  }

  /// The path of a frame's file: that of the video, with the frame's position and `.png` in place of its
  /// extension.
  nonisolated static func path(besides video: [UInt8], _ time: MediaTime) -> [UInt8] {
    let name = video.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let dot = video.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name ? $0 : nil }
    let place = DecimalText.clock(time.seconds).split(separator: ":").joined(separator: "-")
    return Array(video[..<(dot ?? video.count)]) + Array("-\(place).png".utf8)
  }

  /// Writes one frame off the main actor; an existing file is never replaced.
  func write(_ time: MediaTime, frame: Int?, didSay: @escaping @MainActor (String) -> Void) {
    let path = Self.path(besides: base, time)
    let shown = ForeignText.shown(path)
    let number = frame.map { "frame \($0)" } ?? "the frame"
    Task { [pictures, didWrite] in
      do {
        try await WaitingThread.value {
          let bytes = try pictures.file(time)
          try ResultFile(path, replaces: false, madeFrom: []).publish(bytes)
        }
        didSay("Wrote \(number): \(shown)")
      } catch let failure as PlayedMedia.Failure {
        didSay("Not written: \(ForeignText.shown(failure.message))")
      } catch {
        didSay("Not written: \(ForeignText.shown("\(error)"))")
      }
      didWrite()
    }
  }
}
