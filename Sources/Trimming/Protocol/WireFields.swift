import ExactTime

/// Everything that an input or an event may carry in addition to its type; most fields are absent.
struct WireFields: Codable {
  var type: String
  var from: MediaTime?
  var to: MediaTime?
  var position: MediaTime?
  var range: MediaTimeRange?
  var handle: Handle?
  var step: NudgeStep?
  var snap: Snap?
  var id: Int?
  var ids: [Int]?
  var margin: MediaDuration?
  var kind: TrimmingFinding.Kind?
  var findings: [TrimmingFinding]?
  var count: Int?
  var order: PartOrder?
  var fraction: Rational?
  var name: String?
  var text: String?
  var locations: [String]?
  var isOn: Bool?
  var limit: LengthLimit?
  var visit: FirstVisit?
  var timings: VideoTimings?
  var failure: VideoFailure?
  var list: PartList?
  var source: Int?
  var video: TrimmingSource?
  var verdict: LengthVerdict?
  var phase: Phase?
  var alert: TrimmingAlert?
  var log: LogEvent?

  init(_ type: String) { self.type = type }

  private enum CodingKeys: String, CodingKey {
    case type, from, to, position, range, handle, step, snap, id, ids, margin, kind
    case findings, count, order, fraction, name
    case text
    case locations
    case isOn = "is_on"
    case limit, visit, timings, failure, list, source, video, verdict, phase, alert, log
  }

  /// Returns a field that this type requires.
  func need<Value>(_ field: KeyPath<WireFields, Value?>, _ decoder: any Decoder) throws -> Value {
    guard let value = self[keyPath: field] else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(type) lacks a field"))
    }
    return value
  }

  func unknown(_ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "the type \(type) is not known"))
  }

  /// Returns a copy with one more field.
  func with<Value>(_ field: WritableKeyPath<WireFields, Value?>, _ value: Value?) -> WireFields {
    var fields = self
    fields[keyPath: field] = value
    return fields
  }
}
