import CommandLineKit
import Glibc
import MediaEngine
import Trimming

/// A plan that `trim cut -n --json` printed, and the file it was made for.
struct PlanFile {
  var plan: CutPlan
  /// The input file; `nil` if the document names none.
  var input: [UInt8]?

  struct Failure: Error {
    var message: String
    var status: ExitStatus
  }

  /// Far more than a plan for a day of media needs.
  private static let longest = 64 << 20

  init(reading path: ArgumentText) throws(Failure) {
    let bytes = try Self.bytes(of: path, upTo: Self.longest, kind: "a plan")
    let document: JSONValue
    do throws(JSONReader.Failure) {
      document = try JSONReader.read(bytes)
    } catch {
      throw Failure(message: "it is not a JSON document: \(error)", status: .badData)
    }
    guard let plan = document["plan"] else {
      throw Failure(
        message: "it contains no plan; `trim cut -n --json` prints one", status: .badData)
    }
    do {
      self.plan = try plan.decoded(as: CutPlan.self)
    } catch {
      let words = (error as? DecodingError)?.sentence ?? "\(error)"
      throw Failure(message: "its plan cannot be read: \(words)", status: .badData)
    }
    let name = document["input"]
    input =
      name?["path_b64"]?.text.flatMap(Base64.decode)
      ?? name?["path"]?.text.map {
        Array($0.utf8)
      }
  }

  /// A whole file, or standard input for `-`.
  static func bytes(
    of path: ArgumentText, upTo longest: Int, kind: String
  ) throws(Failure) -> [UInt8] {
    if let handed = HandedFiles.input(named: path.bytes) {
      return try self.bytes(handed: handed.descriptor, upTo: longest, kind: kind)
    }
    var descriptor: Int32 = 0
    if !path.isStandardStream {
      descriptor = open(
        path.bytes.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else { throw failure(errno) }
    }
    defer { if descriptor > 0 { close(descriptor) } }
    var bytes: [UInt8] = []
    while true {
      var count = 0
      bytes += [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
        count = read(descriptor, buffer.baseAddress, buffer.count)
        filled = max(0, count)
      }
      if count == 0 { return bytes }
      if count < 0, errno != EINTR { throw failure(errno) }
      guard bytes.count <= longest else {
        throw Failure(message: "it is too long for \(kind)", status: .badData)
      }
    }
  }

  /// A file that was opened by another process, whose position is not this one's.
  private static func bytes(
    handed descriptor: Int32, upTo longest: Int, kind: String
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      var count = 0
      let position = off_t(bytes.count)
      bytes += [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
        count = pread(descriptor, buffer.baseAddress, buffer.count, position)
        filled = max(0, count)
      }
      if count == 0 { return bytes }
      if count < 0, errno != EINTR { throw failure(errno) }
      guard bytes.count <= longest else {
        throw Failure(message: "it is too long for \(kind)", status: .badData)
      }
    }
  }

  private static func failure(_ code: Int32) -> Failure {
    switch code {
    case ENOENT, ENOTDIR: Failure(message: "there is no such file", status: .noInput)
    case EACCES, EPERM:
      Failure(message: "its permissions do not allow reading it", status: .noPermission)
    default:
      if let shortage = SystemShortage(code) {
        Failure(message: shortage.sentences, status: .temporaryFailure)
      } else {
        Failure(message: SystemError.text(code), status: .ioError)
      }
    }
  }
}
