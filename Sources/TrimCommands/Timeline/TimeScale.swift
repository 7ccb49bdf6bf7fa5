import CommandLineKit
import ExactTime

/// Maps instants to positions on the page.
struct TimeScale {
  var range: MediaTimeRange
  var left: Double
  var width: Double

  private var length: Double { max(1e-9, range.length.seconds.approximation) }

  func x(_ time: MediaTime) -> Double {
    let share = (time.seconds.approximation - range.start.seconds.approximation) / length
    return left + min(max(share, 0), 1) * width
  }

  /// The column on a page of whole columns, from 0.
  func column(_ time: MediaTime) -> Int {
    min(max(0, Int(x(time) - left)), Int(width) - 1)
  }

  /// Round instants, a dozen at most.
  var ticks: [MediaTime] {
    let hundredths: [Int64] = [
      1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 1500, 3000, 6000, 12_000, 30_000, 60_000, 90_000,
      180_000, 360_000, 720_000, 1_440_000, 4_320_000, 8_640_000,
    ]
    let step =
      hundredths.lazy.map { Rational($0, 100) }.first { length / $0.approximation <= 12 }
      ?? Rational(864_000)
    guard let first = try? range.start.seconds.divided(by: step).rounded(.up),
      let last = try? range.end.seconds.divided(by: step).rounded(.down), last >= first,
      last - first <= 100
    else { return [] }
    return (first...last).compactMap { number in
      (try? step.multiplied(by: Rational(number))).map { MediaTime(seconds: $0) }
    }
  }

  /// An instant on the axis: `1:30` or `2.5`.
  static func label(_ time: MediaTime) -> String {
    let seconds = time.seconds
    guard seconds >= Rational(60), let whole = try? seconds.rounded(.down), whole < 1 << 40 else {
      return DecimalText.shortest(seconds)
    }
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }
}
