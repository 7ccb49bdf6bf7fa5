import ISOMedia

extension InputFile {
  /// The size of the headers of an MP4 or QuickTime file; 0 for other files.
  package var headerByteCount: Int64 {
    ISOMovie.looksLikeISO(firstBytes: head) ? ISOMovie.headerByteCount(of: FileBytes(self)) : 0
  }
}
