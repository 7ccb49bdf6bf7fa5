/// Human-readable sizes, in decimal units.
package enum ByteCount {
  /// `985 B`, `24.1 MB`.
  package static func text(_ count: Int64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    var unit = 0
    var scale: UInt64 = 1
    let magnitude = count.magnitude
    while magnitude / scale >= 1000, unit < units.count - 1 {
      scale *= 1000
      unit += 1
    }
    let sign = count < 0 ? "-" : ""
    guard unit > 0 else { return "\(sign)\(magnitude) B" }
    let tenths = magnitude / (scale / 10)
    return "\(sign)\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
