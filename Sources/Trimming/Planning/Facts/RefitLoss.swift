/// What pictures lose where they are converted to the format of another source.
public enum RefitLoss: Sendable, Hashable {
  case alpha, fieldOrder, hdrMetadata
}
