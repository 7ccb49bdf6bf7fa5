import ISOMedia

extension InputFile {
  /// How many bytes of headers an MP4 or QuickTime file has; 0 where it is none.
  package var headerByteCount: Int64 {
    ISOMovie.looksLikeISO(firstBytes: head) ? ISOMovie.headerByteCount(of: FileBytes(self)) : 0
  }
}
