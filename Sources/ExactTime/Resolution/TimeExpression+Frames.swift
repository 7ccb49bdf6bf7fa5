extension TimeExpression {
  /// Whether it names or may name a frame, so that resolving it requires ``TimelineContext/frames``.
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
  /// Whether it is counted in frames, so that finding its end requires ``TimelineContext/frames``.
  public var countsFrames: Bool {
    switch self {
    case .frames, .timecode: true
    case .duration, .percent: false
    }
  }
}
