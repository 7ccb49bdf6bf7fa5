import ExactTime
import Trimming

/// Events sent at full speed, and what three subscribers got of them.
struct Delivery: Encodable {
  static let subscribers = 3
  /// An input yields two events: the restart, and its line in the log.
  var sent: Int
  /// The total of all subscribers.
  var lost = 0
  var outOfOrder = 0
  /// Per second of the main actor's CPU time: inputs handled, effects performed, all three streams
  /// fed.
  var sentPerSecond = 0.0
  /// Per second of wall time, up to the last event of the slowest reader.
  ///
  /// The slowest is on the main actor, where a stream switches threads twice for each event.
  var readPerSecond = 0.0

  /// The number of completed passes grows by one with each input, so events carry their number.
  @MainActor static func run(inputs: Int) async -> Delivery {
    let presenter = Clip.presenter()
    // One reads on the main actor, as the screen does; the others elsewhere.
    var readers: [Task<(received: Int, outOfOrder: Int), Never>] = []
    for index in 0..<subscribers {
      let stream = presenter.events.subscribe()
      readers.append(
        index == 0 ? Task { await read(stream) } : Task.detached { await read(stream) })
    }
    let clock = ContinuousClock()
    let began = clock.now
    let start = threadTime()
    for number in 1...inputs { presenter.handle(.playbackPassesDidEnd(count: number)) }
    presenter.events.finish()
    var delivery = Delivery(sent: 2 * inputs)
    delivery.sentPerSecond = Double(delivery.sent) / (threadTime() - start)
    for reader in readers {
      let result = await reader.value
      delivery.lost += delivery.sent - result.received
      delivery.outOfOrder += result.outOfOrder
    }
    delivery.readPerSecond = Double(delivery.sent) / ((clock.now - began) / .seconds(1))
    return delivery
  }

  private static func read(
    _ stream: AsyncStream<SessionEvent>
  ) async -> (received: Int, outOfOrder: Int) {
    var received = 0
    var outOfOrder = 0
    for await event in stream {
      let number = received / 2 + 1
      let isExpected =
        switch event {
        case .restartedVideo(let restart): received % 2 == 0 && restart.passes == number
        case .logged(let line):
          received % 2 == 1 && line.parameters.last?.value == .count(number)
        default: false
        }
      if !isExpected { outOfOrder += 1 }
      received += 1
    }
    return (received, outOfOrder)
  }
}
