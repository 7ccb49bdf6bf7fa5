import Testing
import Trimming

@Suite struct `Given the reasons in plans and records of version 0.2.0` {
  @Test(arguments: [
    "no_random_access_point", "asked_for", "cannot_be_joined", "ends_with_packet",
    "exact_to_the_sample",
    "begins_with_packet", "whole_packets",
  ])
  func `then each is still a reason`(_ word: String) {
    #expect(TrackPlan.Reason(rawValue: word)?.rawValue == word)
  }
}
