import CommandLineKit
import ExactTime
import MediaEngine
import Synchronization
import Testing

@testable import TrimCommands

@Suite struct `Given a scan with a progress line` {
  /// A line on a made-up terminal, with a clock that stands still until it is moved.
  private final class Scene: Sendable {
    let written = Mutex("")
    private let time = Mutex(ContinuousClock.now)
    private let line: Mutex<ProgressLine?> = Mutex(nil)
    /// The current width of the window.
    let columns = Mutex(40)

    init(
      term: String = "xterm", isTerminal: Bool = true, isQuiet: Bool = false, several: Bool = false
    ) {
      let stream = OutputStream { (bytes) throws(OutputStream.Failure) in
        self.written.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
      }
      let traits = { @Sendable in
        StreamTraits(
          isTerminal: isTerminal, terminalColumns: self.columns.withLock { $0 }, color: .auto,
          isPlain: false, environment: .fixed(["TERM": term]))
      }
      let console = Console(
        out: stream, err: stream, outTraits: traits(), errTraits: traits(), isQuiet: isQuiet,
        errTraitsNow: traits)
      let made = ProgressLine(console: console, isSeveral: several) { self.time.withLock { $0 } }
      line.withLock { $0 = made }
    }

    func report(_ done: Int64, of total: Int64?, after wait: Duration) {
      time.withLock { $0 += wait }
      line.withLock { $0?.report(ProbeProgress(bytesDone: done, bytesTotal: total)) }
    }

    func fileDone() { line.withLock { $0?.fileDone() } }
    func clear() { line.withLock { $0?.clear() } }
    var text: String { written.withLock { $0 } }
  }

  @Test func `then nothing is shown within half a second`() {
    let scene = Scene()
    scene.report(1, of: 100, after: .milliseconds(499))
    scene.clear()
    #expect(scene.text.isEmpty)
  }

  @Test func `then the line is rewritten in place and cleared at the end`() {
    let scene = Scene()
    scene.report(12_600_000, of: 30_000_000, after: .milliseconds(500))
    scene.report(13_000_000, of: 30_000_000, after: .milliseconds(99))
    scene.report(15_000_000, of: 30_000_000, after: .milliseconds(1))
    scene.clear()
    let (start, end) = ("\r\u{1B}[K", "\r\u{1B}[K")
    #expect(
      scene.text == "\(start)scanning 42 %, 12.6 MB of 30.0 MB"
        + "\(start)scanning 50 %, 15.0 MB of 30.0 MB\(end)")
  }

  @Test func `then a pipe of unknown length has no percentage`() {
    let scene = Scene()
    scene.report(5_000_000, of: nil, after: .seconds(1))
    #expect(scene.text == "\r\u{1B}[Kscanning, 5.0 MB read")
  }

  @Test(arguments: [(20, "scanning 50 %, 15.0"), (2, "s"), (1, "")])
  func `then it never reaches the edge of a window that was shrunk`(
    _ columns: Int, _ shown: String
  ) {
    let scene = Scene()
    scene.columns.withLock { $0 = columns }
    scene.report(15_000_000, of: 30_000_000, after: .seconds(1))
    #expect(scene.text == "\r\u{1B}[K" + shown)
  }

  @Test func `then impossible numbers are harmless`() {
    #expect(
      ProgressLine.text(ProbeProgress(bytesDone: .max, bytesTotal: 10))
        == "scanning 100 %, 10 B of 10 B")
    #expect(
      ProgressLine.text(ProbeProgress(bytesDone: -5, bytesTotal: .max)).hasPrefix("scanning 0 %"))
  }

  @Test func `then a search says its share and the time that is left`() {
    let step = CutProgress(done: 250, total: 1000)
    #expect(
      CutProgressLine.text(step, elapsed: .seconds(5), doing: "looking")
        == "looking 25 %, 15 s left")
    // Pictures follow audio, and take most of the time.
    guard let range = MediaTimeRange(from: MediaTime(2), to: MediaTime(12)) else { return }
    let share = FindingShare([.silence, .scene])
    #expect(share.step(to: MediaTime(12), in: range, isPictures: false).done == 20)
    #expect(share.step(to: MediaTime(7), in: range, isPictures: true).done == 510)
    #expect(FindingShare([.black]).step(to: MediaTime(7), in: range, isPictures: true).done == 500)
    #expect(
      FindingShare([.black]).step(to: MediaTime(99), in: range, isPictures: true).done == 1000)
  }

  @Test func `then many files are counted`() {
    let scene = Scene(several: true)
    for _ in 0..<3 { scene.fileDone() }
    scene.report(1, of: 2, after: .seconds(1))
    #expect(scene.text == "\r\u{1B}[K3 files done")
  }

  @Test(arguments: [("dumb", true, false), ("xterm", false, false), ("xterm", true, true)])
  func `then it is silent where nothing can be redrawn or it is turned off`(
    _ term: String, _ isTerminal: Bool, _ isQuiet: Bool
  ) {
    let scene = Scene(term: term, isTerminal: isTerminal, isQuiet: isQuiet)
    scene.report(1, of: 2, after: .seconds(5))
    scene.clear()
    #expect(scene.text.isEmpty)
  }
}
