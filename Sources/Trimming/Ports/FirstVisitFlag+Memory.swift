import Synchronization

extension FirstVisitFlag {
  /// A flag that lasts as long as the process: for previews, simulations and tests.
  public static func inMemory(isClaimed: Bool = false) -> FirstVisitFlag {
    let flag = MemoryFlag(isClaimed)
    return FirstVisitFlag(
      claim: {
        flag.isClaimed.withLock { isClaimed in
          defer { isClaimed = true }
          return !isClaimed
        }
      },
      reset: { flag.isClaimed.withLock { $0 = false } },
      isClaimed: { flag.isClaimed.withLock { $0 } })
  }
}

private final class MemoryFlag: Sendable {
  let isClaimed: Mutex<Bool>

  init(_ isClaimed: Bool) { self.isClaimed = Mutex(isClaimed) }
}
