import Dispatch
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given a broadcast` {
  @Suite struct `When three read it at full speed` {
    @Test func `then each gets all 100,000 elements in order`() async {
      let broadcast = Broadcast<Int>()
      let readers = (0..<3).map { _ in broadcast.subscribe() }
      await withTaskGroup(of: Bool.self) { group in
        for reader in readers {
          group.addTask {
            var expected = 0
            for await element in reader {
              guard element == expected else { return false }
              expected += 1
            }
            return expected == 100_000
          }
        }
        group.addTask {
          for element in 0..<100_000 { broadcast.send(element) }
          broadcast.finish()
          return true
        }
        for await isComplete in group { #expect(isComplete) }
      }
    }
  }

  @Suite struct `When many send at once` {
    @Test func `then all readers see the same order, which keeps each sender's own`() async {
      let broadcast = Broadcast<[Int]>()
      let readers = (0..<3).map { _ in broadcast.subscribe() }
      // Dedicated threads, so that they really overlap, whatever else runs here.
      DispatchQueue.concurrentPerform(iterations: 4) { sender in
        for number in 0..<10_000 { broadcast.send([sender, number]) }
      }
      broadcast.finish()
      var received: [[[Int]]] = []
      for reader in readers {
        var all: [[Int]] = []
        for await element in reader { all.append(element) }
        received.append(all)
      }
      #expect(received[0].count == 40_000)
      let isOneOrder = received.allSatisfy { $0 == received[0] }
      #expect(isOneOrder)
      for sender in 0..<4 {
        #expect(received[0].filter { $0[0] == sender }.map { $0[1] } == Array(0..<10_000))
      }
    }
  }

  @Suite struct `When delivering an element sends another` {
    /// Sends on when the last holder lets go of it.
    private final class Token: Sendable {
      let name: String
      let onRelease: @Sendable () -> Void

      init(_ name: String, onRelease: @escaping @Sendable () -> Void = {}) {
        self.name = name
        self.onRelease = onRelease
      }

      deinit { onRelease() }
    }

    @Test func `then no reader gets the second before the first`() async {
      let broadcast = Broadcast<Token>()
      let forgetful = broadcast.subscribe(buffering: .bufferingNewest(1))
      broadcast.send(Token("dropped", onRelease: { broadcast.send(Token("second")) }))
      let reader = broadcast.subscribe()
      // The forgetful reader drops its token for this one, before the other reader is served.
      broadcast.send(Token("first"))
      broadcast.finish()
      var names: [String] = []
      for await token in reader { names.append(token.name) }
      #expect(names == ["first", "second"])
      withExtendedLifetime(forgetful) {}
    }
  }

  @Suite struct `When a reader is slow` {
    @Test func `then nothing is lost, and the others do not wait for it`() async {
      let broadcast = Broadcast<Int>()
      let slow = broadcast.subscribe()
      let quick = broadcast.subscribe()
      for element in 0..<1_000 { broadcast.send(element) }
      broadcast.finish()
      var quickly: [Int] = []
      for await element in quick { quickly.append(element) }
      #expect(quickly == Array(0..<1_000))
      var slowly: [Int] = []
      for await element in slow { slowly.append(element) }
      #expect(slowly == Array(0..<1_000))
    }

    @Test func `then it may request only the newest`() async {
      let broadcast = Broadcast<Int>()
      let reader = broadcast.subscribe(buffering: .bufferingNewest(2))
      for element in 0..<10 { broadcast.send(element) }
      broadcast.finish()
      var received: [Int] = []
      for await element in reader { received.append(element) }
      #expect(received == [8, 9])
    }
  }

  @Suite struct `When a reader subscribes late` {
    @Test func `then it gets everything sent from then on, and nothing from before`() async {
      let broadcast = Broadcast<Int>()
      let early = broadcast.subscribe()
      broadcast.send(1)
      let late = broadcast.subscribe()
      broadcast.send(2)
      broadcast.finish()
      var received: [[Int]] = [[], []]
      for await element in early { received[0].append(element) }
      for await element in late { received[1].append(element) }
      #expect(received == [[1, 2], [2]])
    }

    @Test func `then it is registered by the time subscribe returns`() {
      let broadcast = Broadcast<Int>()
      let reader = broadcast.subscribe()
      #expect(broadcast.subscriberCount == 1)
      withExtendedLifetime(reader) {}
    }

    @Test func `then its stream has ended if the broadcast has`() async {
      let broadcast = Broadcast<Int>()
      broadcast.finish()
      broadcast.send(1)
      var iterator = broadcast.subscribe().makeAsyncIterator()
      #expect(await iterator.next() == nil)
      #expect(broadcast.subscriberCount == 0)
    }
  }

  @Suite struct `When a reader goes away` {
    @Test func `then one that is cancelled is removed and the others keep reading`() async {
      let broadcast = Broadcast<Int>()
      let stays = broadcast.subscribe()
      let leaves = broadcast.subscribe()
      let task = Task { for await _ in leaves {} }
      task.cancel()
      await task.value
      #expect(broadcast.subscriberCount == 1)
      broadcast.send(7)
      broadcast.finish()
      var received: [Int] = []
      for await element in stays { received.append(element) }
      #expect(received == [7])
    }

    @Test func `then one that releases its stream is removed`() {
      let broadcast = Broadcast<Int>()
      do { _ = broadcast.subscribe() }
      #expect(broadcast.subscriberCount == 0)
    }

    @Test func `then one that leaves in the middle of sending does no harm`() async {
      let broadcast = Broadcast<Int>()
      for round in 0..<200 {
        let reader = broadcast.subscribe()
        let task = Task { for await _ in reader { break } }
        broadcast.send(round)
        await task.value
      }
      broadcast.finish()
      #expect(broadcast.subscriberCount == 0)
    }
  }

  @Suite struct `When the broadcast goes away` {
    @Test func `then its streams end after everything that was sent`() async {
      var broadcast: Broadcast<Int>? = Broadcast<Int>()
      let reader = broadcast?.subscribe()
      broadcast?.send(3)
      broadcast = nil
      var received: [Int] = []
      if let reader { for await element in reader { received.append(element) } }
      #expect(received == [3])
    }
  }

  @Suite struct `When a reader sends while reading` {
    @Test func `then nothing deadlocks`() async {
      let broadcast = Broadcast<Int>()
      let reader = broadcast.subscribe()
      let other = broadcast.subscribe()
      let task = Task {
        for await element in reader where element < 10 { broadcast.send(element + 1) }
      }
      broadcast.send(0)
      var received: [Int] = []
      for await element in other {
        received.append(element)
        if element == 10 { break }
      }
      #expect(received == Array(0...10))
      broadcast.finish()
      await task.value
    }
  }
}
