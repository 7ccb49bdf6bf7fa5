import Glibc
import MediaFiles
import Probing
import Support
import Testing

/// How many mutations are tried: `TRIM_MUTATIONS`, or a few.
private let mutationCount = getenv("TRIM_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 30

/// The files of the repository, and those of the corpus where there is one.
private let clips: [String] =
  SampleClips.names.map(SampleClips.path) + (Corpus.shared?.clips.map(\.path) ?? [])

@Suite(.timeLimit(.minutes(getenv("TRIM_MUTATIONS") == nil ? 5 : 60)))
struct `Given real files that are damaged at random` {
  /// The CPU time that this process has used.
  private static func busy() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The most memory this process has held since it was last asked, in bytes.
  private static func peakBytes() -> Int {
    let status = (try? fileBytes("/proc/self/status")).map { String(decoding: $0, as: UTF8.self) }
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
    // Writing 5 restarts the count (proc(5)).
    let reset = open("/proc/self/clear_refs", O_WRONLY)
    if reset >= 0 {
      write(reset, "5", 1)
      close(reset)
    }
    return kibibytes.flatMap { Int($0) }.map { $0 * 1024 } ?? 0
  }

  /// One gibibyte; two under the address sanitizer, whose bookkeeping counts too.
  private static let bound =
    getenv("TRIM_SANITIZED") == nil ? 1 << 30 : 2 << 30

  /// In a separate process, so that time and memory are not shared.
  @Test func `then each ends in time, in bounds and with an answer`() async {
    await #expect(processExitsWith: .success) { try Self.readMutations() }
  }

  private static func readMutations() throws {
    let folder = try ScratchFolder()
    _ = peakBytes()
    var answers = (facts: 0, errors: 0)
    for number in 0..<mutationCount {
      var random = SeededGenerator(seed: UInt64(number) + 1)
      let clip = clips[number % clips.count]
      var bytes = try fileBytes(clip)
      let mutation = Mutation.allCases[Int.random(in: 0..<6, using: &random)]
      mutation.apply(to: &bytes, using: &random)
      let path = try folder.write(bytes, to: "clip")
      let depth = RequestedDepth.allCases.randomElement(using: &random) ?? .auto
      let label = "\(mutation) of \(clip) at depth \(depth), \(random)"
      // If the process dies, this is left next to the file.
      try folder.write(Array(label.utf8), to: "label")
      let before = busy()
      do throws(MediaError) {
        let options = ProbeOptions(depth: depth, wantsKeyframes: true)
        let facts = try Prober().probe(.file(path: Array(path.utf8)), options: options)
        #expect(facts.durations.presented.map { !$0.length.seconds.isNegative } ?? true, "\(label)")
        answers.facts += 1
      } catch {
        #expect(error.code != .internalError, "\(label): \(error)")
        answers.errors += 1
      }
      let time = busy() - before
      // On a slow machine a long file takes that long even undamaged.
      if time >= .seconds(10) {
        let start = busy()
        _ = try? Prober().probe(
          .file(path: Array(clip.utf8)), options: ProbeOptions(depth: depth, wantsKeyframes: true))
        let whole = busy() - start
        #expect(time < whole * 2, "\(label) took \(time), and undamaged \(whole)")
      }
      let peak = peakBytes()
      #expect(peak < bound, "\(label) held \(peak >> 20) MiB")
    }
    #expect(answers.facts > 0)
  }
}
