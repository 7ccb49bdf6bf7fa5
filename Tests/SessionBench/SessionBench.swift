import FoundationEssentials
import Glibc
import MallocCounter
import Trimming

/// Measures the cost of the session and its presenter, and counts forbidden allocations.
///
/// Prints one JSON object; exits with 1 when a count is wrong. Speed is judged by `tools/bench`.
@main
enum SessionBench {
  static func main() async throws {
    let times = Clip.positions(1_000_000)
    let nothing = Cost.ofNothing(times)
    let position = Cost.ofPositions(times)
    let delivery = await Delivery.run(inputs: 200_000)
    let report = Report(
      ratio: position.nanoseconds / nothing.nanoseconds,
      emptyLoopNanoseconds: nothing.nanoseconds, inputNanoseconds: position.nanoseconds,
      inputsPerSecond: position.perSecond, dragsPerSecond: Cost.ofDragging(times).perSecond,
      presentedInputsPerSecond: Cost.ofPresenting(times).perSecond,
      kindsOfInput: Quiet.all.count, allocations: Quiet.allocations(), delivery: delivery,
      isCounterAlive: counterIsAlive())
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    print(String(decoding: try encoder.encode(report), as: UTF8.self))
    if !report.isRight { exit(1) }
  }

  /// A counter that never counts would report no problem.
  private static func counterIsAlive() -> Bool {
    var session = Clip.session()
    let earlier = trim_allocation_count()
    pass(session.handle(.pauseDidTap))
    return trim_allocation_count() > earlier
  }
}

/// Speeds are inputs and events per second of CPU time.
private struct Report: Encodable {
  var ratio: Double
  var emptyLoopNanoseconds: Double
  var inputNanoseconds: Double
  var inputsPerSecond: Double
  var dragsPerSecond: Double
  var presentedInputsPerSecond: Double
  var kindsOfInput: Int
  /// By kind of input; only those that allocate or have an effect.
  var allocations: [String: Int]
  var delivery: Delivery
  var isCounterAlive: Bool

  var isRight: Bool {
    isCounterAlive && allocations.isEmpty && delivery.lost == 0 && delivery.outOfOrder == 0
  }
}
