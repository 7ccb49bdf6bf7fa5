/// The picture file formats that can be written.
package enum PictureFileFormat: String, Sendable, Hashable {
  case png, jpeg
}
