/// The kinds of picture files that are written.
package enum PictureFileFormat: String, Sendable, Hashable {
  case png, jpeg
}
