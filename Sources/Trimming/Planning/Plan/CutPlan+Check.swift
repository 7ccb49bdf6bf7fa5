import ExactTime

extension CutPlan {
  /// True where every packet and cover named by the plan exists in the source, the output can hold those
  /// covers, and no number is out of bounds.
  ///
  /// A plan may come from an untrusted file.
  ///
  /// - Parameters:
  ///   - counts: the number of packets in each track.
  ///   - known: the indices of the tracks that are cover art.
  public func isWithin(_ counts: [Int], covers known: Set<Int>) -> Bool {
    isWithin([counts], covers: known)
  }

  /// The same for several sources, in order; the covers are those of the first.
  public func isWithin(_ counts: [[Int]], covers known: Set<Int>) -> Bool {
    let place = container.rules.coverPlace
    let most = place == nil ? 0 : place == .comment ? 1 : known.count
    return covers.count <= most && Set(covers).isSubset(of: known)
      && Set(covers).count == covers.count && !parts.isEmpty && parts.count == request.parts.count
      && parts.allSatisfy { part in
        sources.indices.contains(part.source) && counts.indices.contains(part.source)
          && Set(part.tracks.map(\.source)).count == part.tracks.count
          && part.tracks.allSatisfy { track in
            let counts = counts[part.source]
            return counts.indices.contains(track.source) && track.isWithin(counts[track.source])
          }
      }
  }
}

extension PartPlan.Track {
  fileprivate func isWithin(_ count: Int) -> Bool {
    let packets = 0..<count
    func holds(_ places: [Int]) -> Bool { places.allSatisfy(packets.contains) }
    func holds(_ range: Range<Int>) -> Bool { range.isEmpty || packets.contains(range) }
    if let cut = video {
      let left = Set(cut.left)
      // Leading pictures of the run's first keyframe lie within it, but are not copied.
      func isCopied(_ place: Int) -> Bool { cut.copied.contains(place) && !left.contains(place) }
      guard holds(cut.head), holds(cut.tail), holds(cut.copied), holds(cut.headSource),
        holds(cut.tailSource), left.union(cut.hidden).allSatisfy(cut.copied.contains),
        Set(cut.replaced).isSubset(of: cut.left),
        cut.head.allSatisfy({ cut.headSource.contains($0) && !isCopied($0) }),
        cut.replaced.allSatisfy(cut.headSource.contains),
        cut.tail.allSatisfy({ cut.tailSource.contains($0) && !isCopied($0) }),
        cut.frameCount > 0,
        cut.lead.map({ cut.head.contains($0) || cut.tail.contains($0) || isCopied($0) }) ?? true
      else { return false }
    }
    if let cut = audio {
      // No plan hides more than an hour, whatever the sample rate.
      let hidden = Int64(0)...1 << 32
      guard holds(cut.copied), !cut.copied.isEmpty, hidden.contains(cut.hiddenStart),
        hidden.contains(cut.hiddenEnd), !cut.length.isNegative
      else { return false }
    }
    return holds(clipped) && (video == nil || audio == nil)
  }
}
