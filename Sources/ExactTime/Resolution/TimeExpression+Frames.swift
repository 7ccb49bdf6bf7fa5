extension TimeExpression {
  /// Whether it names a frame, or may: then ``TimelineContext/frames`` must be known to resolve it.
  public var namesFrames: Bool {
    switch self {
    case .displayed, .frame, .frameFromEnd, .timecode, .sourceTimecode: true
    case .afterFrom(let length): length.countsFrames
    case .fromStart, .fromEnd, .percent, .keyframe, .chapter, .start, .end, .inPoint, .outPoint:
      false
    }
  }
}

extension LengthExpression {
  /// Whether it is counted in frames: then ``TimelineContext/frames`` must be known to find its end.
  public var countsFrames: Bool {
    switch self {
    case .frames, .timecode: true
    case .duration, .percent: false
    }
  }
}
