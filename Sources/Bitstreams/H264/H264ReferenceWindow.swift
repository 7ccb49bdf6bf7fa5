/// The short-term reference frames that a decoder of the output has (ITU-T H.264, 8.2.5), so that
/// commands for dropped frames can be dropped too.
package struct H264ReferenceWindow {
  private let capacity: Int
  private let modulus: Int64
  private var numbers: [UInt32] = []
  private var previous: UInt32?

  package init(_ sequence: H264SPS) {
    capacity = Int(max(1, sequence.referenceFrames))
    modulus = 1 << Int64(sequence.frameNumberBits)
  }

  package mutating func startAnew() {
    numbers = []
    previous = nil
  }

  /// Adds a picture whose marking is unchanged.
  package mutating func add(_ number: UInt32, isReference: Bool, fillsGaps: Bool) {
    if fillsGaps { fill(upTo: number) }
    previous = number
    guard isReference else { return }
    slide()
    numbers.append(number)
  }

  private mutating func slide() {
    while numbers.count >= capacity { numbers.removeFirst() }
  }

  /// Frames that a decoder infers where numbers are missing (8.2.5.2).
  private mutating func fill(upTo number: UInt32) {
    guard var last = previous, number != last else { return }
    var inferred = 0
    while inferred < 16 {
      last = UInt32((Int64(last) + 1) % modulus)
      if last == number { return }
      slide()
      numbers.append(last)
      inferred += 1
    }
  }

  /// The marking of a picture without commands for missing frames.
  ///
  /// - Parameter marking: the position of dec_ref_pic_marking of a non-IDR picture.
  /// - Returns: the new syntax; `nil` where nothing has to change.
  package mutating func adapt(
    _ payload: [UInt8], _ marking: Range<Int>, number: UInt32, fillsGaps: Bool
  ) -> BitWriter? {
    if fillsGaps { fill(upTo: number) }
    previous = number
    var reader = BitReader(payload)
    reader.skip(marking.lowerBound)
    guard reader.flag() == true else {
      slide()
      numbers.append(number)
      return nil
    }
    var kept: [(operation: UInt32, values: [UInt32])] = []
    var isChanged = false
    while let operation = reader.exponentialGolomb(), operation != 0 {
      var values: [UInt32] = []
      for _ in 0..<(operation == 3 ? 2 : operation == 5 ? 0 : 1) {
        guard let value = reader.exponentialGolomb() else { return nil }
        values.append(value)
      }
      if operation == 1, let difference = values.first {
        let target = (Int64(number) - Int64(difference) - 1) & (modulus - 1)
        guard let place = numbers.firstIndex(of: UInt32(target)) else {
          isChanged = true
          continue
        }
        numbers.remove(at: place)
      }
      kept.append((operation, values))
    }
    // Without commands, the sliding window must make room for the picture: here, or in decoders
    // that infer the frames which the commands were for.
    let slides = kept.isEmpty
    if slides { slide() }
    numbers.append(number)
    guard isChanged else { return nil }
    var writer = BitWriter()
    writer.flag(!slides)
    guard !slides else { return writer }
    for (operation, values) in kept {
      writer.exponentialGolomb(operation)
      for value in values { writer.exponentialGolomb(value) }
    }
    writer.exponentialGolomb(0)
    return writer
  }
}
