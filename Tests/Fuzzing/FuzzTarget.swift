import Bitstreams
import CommandLineKit
import ExactTime
import Glibc
import ISOMedia
import MediaEngine
import MediaFacts

/// A part of trim that reads untrusted bytes.
enum FuzzTarget: String, CaseIterable {
  /// MP4 and QuickTime boxes and sample tables, in memory.
  case boxes
  /// Headers, random access points, order and damage of coded pictures and sound, in memory.
  case streams
  /// Times, lengths and ranges as people type them.
  case times
  /// JSON of tasks and plans.
  case rows
  /// Names and tags on their way to a screen.
  case text
  /// The planner, with packets and requests that the bytes describe.
  case plan
  /// The whole probe, through a file: our code over FFmpeg's demuxers.
  case probe
  /// The same, with every frame and sample decoded.
  case decode

  func run(_ input: [UInt8]) {
    switch self {
    case .boxes: Self.readBoxes(input)
    case .streams: Self.readStreams(input)
    case .times: Self.readTimes(input)
    case .rows: Self.readRows(input)
    case .text: Self.showText(input)
    case .plan: PlanFuzzing.plan(input)
    case .probe: Self.probeFile(input, [.auto, .packets])
    case .decode: Self.probeFile(input, [.frames])
    }
  }

  private static func readBoxes(_ input: [UInt8]) {
    guard let movie = try? ISOMovie(reading: InMemoryBytes(input)) else { return }
    for track in movie.tracks {
      _ = try? track.samples(.timesAndPlaces, limit: 1_000_000)
    }
  }

  private static let pictures: [Codec] = [
    .h264, .hevc, .av1, .mpeg4, .mpeg2Video, .vp8, .vp9, .prores, .mjpeg,
  ]
  private static let sounds: [Codec] = [.aac, .mp3, .opus, .vorbis, .flac, .ac3, .eac3, .alac]

  /// The first byte chooses the codec, the second gives the size of its configuration.
  private static func readStreams(_ input: [UInt8]) {
    guard input.count > 2 else { return }
    let split = 2 + Int(input[1]) % (input.count - 1)
    let (configuration, sample) = (Array(input[2..<split]), input[split...])
    let choice = Int(input[0]) % (pictures.count + sounds.count)
    guard choice < pictures.count else {
      let codec = sounds[choice - pictures.count]
      _ = AudioHeader(codec: codec, configuration: configuration)
      _ = AudioFrameLength.samples(codec: codec, sample, frameSize: 0)
      _ = OpusLayout.isValid(configuration)
      var blocks = VorbisBlocks(configuration: configuration)
      for byte in sample.prefix(8) { _ = blocks.samples(byte) }
      return
    }
    let codec = pictures[choice]
    _ = VideoHeader(codec: codec, configuration: configuration)
    let framing = Framing(codec: codec, configuration: configuration)
    _ = VideoHeader(codec: codec, firstSample: sample, framing: framing)
    _ = RandomAccess.classify(codec: codec, sample, framing: framing)
    var inspector = PacketInspector(codec: codec, configuration: configuration, framing: framing)
    _ = inspector.fault(in: Array(sample))
    var clock = PictureClock(format: "avi", codec: codec, configuration: configuration)
    _ = clock?.add(Array(sample), instant: 0, duration: 1)
  }

  /// A parsed value must print as text that parses back to the same value.
  private static func readTimes(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    if let time = try? TimeExpression(parsing: text) {
      precondition((try? TimeExpression(parsing: time.description)) == time, text)
    }
    if let range = try? TimeRangeExpression(parsing: text) {
      precondition((try? TimeRangeExpression(parsing: "\(range)")) == range, text)
    }
    _ = try? LengthExpression(parsing: text)
  }

  private static func readRows(_ input: [UInt8]) {
    guard let value = try? JSONReader.read(input) else {
      precondition(JSONText(object: input[...]) == nil, "what no reader reads was taken")
      return
    }
    let written = JSONWriter.write(value, .line)
    precondition((try? JSONReader.read(written)) != nil, "what was written is not read")
  }

  private static func showText(_ input: [UInt8]) {
    for asciiOnly in [false, true] {
      let shown = ForeignText.shown(input, asciiOnly: asciiOnly)
      precondition(!shown.unicodeScalars.contains { ForeignText.deceives($0) }, "it deceives")
      precondition(!asciiOnly || shown.utf8.allSatisfy { $0 < 0x80 }, "it is not ASCII")
    }
  }

  private static func probeFile(_ input: [UInt8], _ depths: [RequestedDepth]) {
    _ = threadsAtFirst
    // The fuzzer has no sandbox, but reads what needs one.
    SealedEngine.noteSeal(lacking: [])
    let path = "/dev/shm/trim-fuzz-\(getpid())"
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0, write(file, input, input.count) == input.count, close(file) == 0 else {
      perror(path)
      abort()
    }
    for depth in depths {
      let options = ProbeOptions(depth: depth, wantsKeyframes: true, timeout: .seconds(5))
      _ = try? Prober().probe(.file(path: Array(path.utf8)), options: options)
    }
    unlink(path)
    awaitThreads()
  }

  private static let threadsAtFirst = threadCount

  /// One subfolder for each thread (proc(5)), and as many links.
  private static var threadCount: UInt {
    var status = stat()
    return stat("/proc/self/task", &status) == 0 ? UInt(status.st_nlink) : 0
  }

  /// Waits until no thread is just ending.
  ///
  /// A thread that has delivered its result may still hold objects, and the leak sanitizer does not
  /// scan every stack: it would report a false leak. An abandoned thread is not waited for.
  private static func awaitThreads() {
    let end = ContinuousClock.now + .seconds(60)
    while threadCount > threadsAtFirst, ContinuousClock.now < end { usleep(100) }
  }
}
