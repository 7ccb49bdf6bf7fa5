import ExactTime
import Testing
import Trimming

@Suite struct `Given snapping` {
  @Suite struct `When it is off` {
    @Test func `then ends stay exactly where they are put`() {
      var session = Clip.session()
      session.selecting(range(at(10, 3), at(100, 3)))
      #expect(session.timeRange == range(at(10, 3), at(100, 3)))
    }
  }

  @Suite struct `When it snaps to frames of 40 ms` {
    @Test func `then each end that moved goes to the nearest frame`() {
      var session = Clip.session()
      session.after(.snapDidChange(.frame))
      session.selecting(range(at(3_019, 1_000), at(50_021, 1_000)))
      #expect(session.timeRange == range(at(3), at(5_004, 100)))
    }

    @Test func `then an end that did not move stays off the grid`() {
      var session = Clip.session(range(at(1_001, 1_000), at(60)))
      session.after(.snapDidChange(.frame))
      session.selecting(range(at(1_001, 1_000), at(50_021, 1_000)))
      #expect(session.timeRange == range(at(1_001, 1_000), at(5_004, 100)))
    }

    @Test func `then halfway between two frames snaps to the earlier one`() {
      var session = Clip.session()
      session.after(.snapDidChange(.frame))
      session.selecting(range(at(302, 100), at(60)))
      #expect(session.timeRange.start == at(3))
    }

    @Test func `then the out point can be the end of the video`() {
      var session = Clip.session()
      session.after(.snapDidChange(.frame))
      session.selecting(range(at(290), at(29_999, 100)))
      #expect(session.timeRange.end == at(300))
    }

    @Test func `then a range within one frame keeps a frame between its ends`() {
      var session = Clip.session()
      session.after(.snapDidChange(.frame))
      session.selecting(range(at(3_001, 1_000), at(3_002, 1_000)))
      #expect(session.timeRange == range(at(296, 100), at(3)))
    }
  }

  @Suite struct `When it snaps to keyframes every 2 s` {
    @Test func `then ends go to keyframes`() {
      var session = Clip.session()
      session.after(.snapDidChange(.keyframe))
      session.selecting(range(at(31, 10), at(49)))
      #expect(session.timeRange == range(4, 48))
    }

    @Test func `then points set at the playhead go to keyframes too`() {
      var session = Clip.session(isPlaying: false)
      session.after(.snapDidChange(.keyframe), .playheadDidMove(to: at(11, 2)), .inPointDidSet)
      #expect(session.timeRange.start == at(6))
    }
  }

  @Suite struct `When the user points at a place` {
    @Test(arguments: [
      (Snap.frame, at(6_010, 1_000), at(6)), (.keyframe, at(31, 10), at(4)),
      (.off, at(6_010, 1_000), at(6_010, 1_000)), (.keyframe, at(2_999, 10), at(300)),
    ])
    func `then the playhead snaps as handles do`(_ snap: Snap, to time: MediaTime, goes: MediaTime)
    {
      var session = Clip.session(isPlaying: false)
      session.after(.snapDidChange(snap), .playheadDidDrag(to: time))
      #expect(session.playbackTime == goes)
    }

    @Test func `then In, Out and a split meet at the same place`() {
      var session = Clip.session(isPlaying: false)
      session.after(.snapDidChange(.frame), .playheadDidMove(to: at(6_010, 1_000)), .inPointDidSet)
      #expect(session.timeRange.start == at(6))
      session.after(.partDidSplit)
      #expect(session.parts.count == 1)
      #expect(session.notice == .playheadOutsidePart)
    }
  }

  @Suite struct `When the frames are not known` {
    @Test func `then nothing snaps`() {
      var session = Clip.session(timings: VideoTimings(bounds: Clip.bounds))
      session.after(.snapDidChange(.frame))
      session.selecting(range(at(10, 3), at(100, 3)))
      #expect(session.timeRange == range(at(10, 3), at(100, 3)))
    }
  }

  @Test func `then changing the kind moves nothing and is logged once`() {
    var session = Clip.session(range(at(1_001, 1_000), at(60)))
    let effects = session.after(.snapDidChange(.keyframe), .snapDidChange(.keyframe))
    #expect(effects == [.log(LogEvent(.snapChanged, [.init("snap", .text("keyframe"))]))])
  }
}

@Suite struct `Given frames listed one by one` {
  @Test func `then they are sorted and equal ones count once`() {
    let times = FrameInstants([at(3), at(1), at(3), at(2)])
    #expect((0..<times.count).compactMap { times.time(at: $0) } == [at(1), at(2), at(3)])
  }

  @Test func `then the frame on screen is the last one not after the instant`() {
    let times = FrameInstants([at(1), at(2), at(4)])
    let found = [at(0), at(1), at(3, 2), at(4), at(9)].map { times.index(at: $0) }
    #expect(found == [nil, 0, 0, 2, 2])
  }

  @Test func `then there is nothing before the first and after the last`() {
    let times = FrameInstants([at(1)])
    #expect(times.time(at: -1) == nil)
    #expect(times.time(at: 1) == nil)
  }
}

@Suite struct `Given frames of equal duration` {
  @Test func `then each starts at an exact multiple`() throws {
    let times = try #require(
      FrameInstants(first: .zero, frameLength: MediaDuration(1_001, 30_000), count: 100_000))
    #expect(times.time(at: 99_999) == at(99_999 * 1_001, 30_000))
    #expect(times.index(at: at(1_001, 30_000)) == 1)
    #expect(times.index(at: at(1_000, 30_000)) == 0)
  }

  @Test func `then zero length, negative counts and overflowing times are rejected`() {
    #expect(FrameInstants(first: .zero, frameLength: .zero, count: 3) == nil)
    #expect(FrameInstants(first: .zero, frameLength: MediaDuration(1), count: -1) == nil)
    #expect(FrameInstants(first: at(.max), frameLength: MediaDuration(1), count: 2) == nil)
  }
}
