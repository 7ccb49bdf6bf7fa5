package import MediaFacts

extension Demuxer {
  package var rules: SourceRules { SourceRules(formatName) }
}
