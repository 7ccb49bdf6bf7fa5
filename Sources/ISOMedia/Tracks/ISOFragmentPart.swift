/// Fragments that are read one after another, of those that an index names.
package struct ISOFragmentPart: Sendable, Hashable {
  /// Where they begin in the file.
  package var start: Int64
  /// Up to where their media will be read too, so that all of it comes at once.
  package var mediaEnd: Int64
  /// The last of them is the first that begins here or later; `Int64.max` for all up to the end of the file.
  package var end: Int64
}
