import ExactTime
import FoundationEssentials
import Glibc
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible && geteuid() == 0, "needs ffmpeg, and root's rights"))
struct `Given a file in AV1, whose encoder takes real-time priority when run as root` {
  @Test func `when it is cut then no thread of the process keeps that priority`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=1", "-c:v",
      "libsvtav1", "-preset", "12", path,
    ])
    await #expect(processExitsWith: .success) { [path = path as String] in
      let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
      let range = try #require(MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(4, 5)))
      _ = try clip.cut(CutRequest(range: range), to: Array((path + ".cut").utf8), as: .webm)
      for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
        let number = try #require(pid_t(thread))
        #expect(![SCHED_FIFO, SCHED_RR].contains(sched_getscheduler(number)), "thread \(number)")
      }
    }
  }
}
