import SafeText
import Trimming

/// A list that arrives from a page in pieces, each within the limit for a request.
struct ArrivingList {
  var page: String
  var bytes: [UInt8] = []
}

/// A piece of a list that becomes parts of a file.
struct ListPiece: PageMessage {
  static let members: Set<String> = ["page", "base64", "is_first", "is_last", "adds"]

  var page: String
  /// The bytes as they are in the file: what is not UTF-8 is told with its line.
  var base64: String
  var isFirst: Bool
  var isLast: Bool
  /// Whether its parts come after the present ones instead of in their place.
  var adds: Bool
}

/// What became of a list.
struct ImportedList: Encodable {
  var sentence: String
  var notes: [String]
}

/// Which format a page wants its parts in.
struct ListWish: PageMessage {
  static let members: Set<String> = ["format"]

  var format: String
}

/// Where a project was saved.
struct SavedProject: Encodable {
  var place: String
}

extension OpenFile {
  /// Collects the pieces of a list; the last one makes it parts, as one step for undo.
  ///
  /// - Throws: `VideoFailure` with the list's line or path.
  func importList(_ request: AdmittedRequest) async throws -> HTTPResponse {
    guard let piece: ListPiece = try? request.json(), (1...64).contains(piece.page.utf8.count),
      let bytes = Base64.decode(piece.base64)
    else { return HTTPResponse(refusing: 400, "This is not a piece of a list.") }
    if piece.isFirst { arriving = ArrivingList(page: piece.page) }
    guard try append(bytes, of: piece.page) else {
      return HTTPResponse(refusing: 409, "Another page sends a list: try again.")
    }
    guard piece.isLast, let list = arriving?.bytes else { return .nothing }
    arriving = nil
    let present = presenter.list
    let imported = try await file.lists.read(list, present, piece.adds)
    // What was done meanwhile is not overwritten.
    guard presenter.list == present else {
      throw VideoFailure("The parts were changed while the list was read: import it again.")
    }
    presenter.partsDidReturn(imported.list)
    change()
    return HTTPResponse(
      json: ImportedList(sentence: imported.sentence, notes: imported.notes))
  }

  /// - Returns: `false` if it is not this page's list that arrives.
  /// - Throws: `VideoFailure` for a list that is too long; it is gone then.
  func append(_ bytes: [UInt8], of page: String) throws(VideoFailure) -> Bool {
    guard let before = arriving, before.page == page else { return false }
    guard before.bytes.count + bytes.count <= StudioLists.longest else {
      arriving = nil
      throw VideoFailure(
        "The list is longer than \(StudioLists.longest >> 20) MiB: 'trim cut --cuts' reads it.")
    }
    arriving?.bytes += bytes
    return true
  }

  /// - Throws: `VideoFailure` where the format cannot hold the parts.
  func exportList(_ request: AdmittedRequest) async throws -> HTTPResponse {
    guard let wish: ListWish = try? request.json() else {
      return HTTPResponse(refusing: 400, "This is not a request for a list.")
    }
    return HTTPResponse(json: try await file.lists.write(presenter.list, wish.format))
  }
}
