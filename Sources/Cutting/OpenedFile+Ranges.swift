import MediaFiles
package import Trimming

extension OpenedFile {
  /// Says that the media of the parts of a request will be read: from another machine, they then come in few
  /// requests.
  package func expectMedia(of request: CutRequest) {
    guard source.file.isReadSparingly, !source.isJoined else { return }
    for part in request.parts { source.native?.expectMedia(of: part.range) }
  }
}
