/// Writes the `trak` box of one track.
struct TrackWriter {
  let header: MovieHeader
  let index: Int

  private var output: ISOOutputFile { header.output }
  var track: ISOOutputTrack { header.output.tracks[index] }
  private var boxes: ISOTrackBoxes { track.boxes }
  private var times: TrackTimes { header.times[index] }

  func write(
    _ writer: inout BoxWriter, _ tables: MovieHeader.Tables,
    _ offsets: inout [MovieHeader.OffsetTable]
  ) {
    var isFragmented = false
    if case .fragmented = tables { isFragmented = true }
    writer.box("trak") { writer in
      writeHeader(&writer, isFragmented: isFragmented)
      writeEdits(&writer)
      writeReferences(&writer)
      writer.box("mdia") { writer in
        writeMediaHeader(&writer, isFragmented: isFragmented)
        writer.handler(boxes, isQuickTime: output.movie.isQuickTime)
        writer.boxes(boxes.mediaBoxes)
        writer.box("minf") { writer in
          writeInformation(&writer)
          SampleTableWriter(track: track, index: index).write(&writer, tables, &offsets)
        }
      }
      writer.boxes(boxes.boxes)
    }
  }

  private func writeHeader(_ writer: inout BoxWriter, isFragmented: Bool) {
    let duration = isFragmented ? 0 : times.presented
    let version = MovieHeader.version([boxes.creationTime, output.modificationTime], duration)
    writer.fullBox("tkhd", version: version, flags: boxes.flags) {
      $0.u32or64(boxes.creationTime, version: version)
      $0.u32or64(output.modificationTime, version: version)
      $0.u32(header.ids[index])
      $0.u32(0)
      $0.u32or64(duration, version: version)
      $0.zeros(8)
      $0.i16(boxes.layer)
      $0.i16(boxes.alternateGroup)
      $0.u16(boxes.volume)
      $0.u16(0)
      $0.matrix(boxes.matrix)
      $0.u32(boxes.width)
      $0.u32(boxes.height)
    }
  }

  private func writeEdits(_ writer: inout BoxWriter) {
    let edits = times.edits
    guard !edits.isEmpty else { return }
    let isLong = edits.contains {
      $0.duration > UInt64(UInt32.max) || $0.mediaTime > Int64(Int32.max)
    }
    let version: UInt8 = isLong ? 1 : 0
    writer.box("edts") {
      $0.fullBox("elst", version: version) {
        $0.u32(UInt32(edits.count))
        for edit in edits {
          $0.u32or64(edit.duration, version: version)
          $0.u32or64(UInt64(bitPattern: edit.mediaTime), version: version)
          $0.u32(0x1_0000)
        }
      }
    }
  }

  /// Writes references with the new track_IDs; those to tracks that are not written are dropped.
  private func writeReferences(_ writer: inout BoxWriter) {
    let numbers = Dictionary(
      zip(output.tracks.map(\.boxes.id), header.ids), uniquingKeysWith: { first, _ in first })
    let kept = boxes.references.map { reference in
      ISOTrackReference(reference.type, ids: reference.ids.compactMap { numbers[$0] })
    }.filter { !$0.ids.isEmpty }
    guard !kept.isEmpty else { return }
    writer.box("tref") {
      for reference in kept {
        $0.box(reference.type) {
          for id in reference.ids { $0.u32(id) }
        }
      }
    }
  }

  private func writeMediaHeader(_ writer: inout BoxWriter, isFragmented: Bool) {
    let duration = isFragmented ? 0 : times.media
    let version = MovieHeader.version([boxes.mediaCreationTime, output.modificationTime], duration)
    writer.fullBox("mdhd", version: version) {
      $0.u32or64(boxes.mediaCreationTime, version: version)
      $0.u32or64(output.modificationTime, version: version)
      $0.u32(boxes.timescale)
      $0.u32or64(duration, version: version)
      $0.u16(boxes.language)
      $0.u16(boxes.quality)
    }
  }

  /// The media header and the data references; QuickTime has a second handler between them.
  private func writeInformation(_ writer: inout BoxWriter) {
    guard output.movie.isQuickTime else {
      return writer.boxes(boxes.informationBoxes.filter { $0.type != "hdlr" })
    }
    let isComplete = boxes.informationBoxes.first("hdlr") != nil
    for box in boxes.informationBoxes {
      if box.type == "dinf", !isComplete { writer.boxes([.dataHandler]) }
      writer.boxes([box])
    }
  }
}

extension ISORawBox {
  /// QuickTime's data handler for data in the same file.
  fileprivate static let dataHandler = ISORawBox("hdlr") {
    $0.u32(0)
    $0.fourCC("dhlr")
    $0.fourCC("url ")
    $0.zeros(12)
    $0.pascal("DataHandler")
  }
}

extension BoxWriter {
  /// The handler: its name is a C string (ISO 14496-12, 8.4.3), a Pascal one in QuickTime.
  fileprivate mutating func handler(_ boxes: ISOTrackBoxes, isQuickTime: Bool) {
    fullBox("hdlr") {
      $0.fourCC(isQuickTime ? "mhlr" : FourCC(rawValue: 0))
      $0.fourCC(boxes.handler)
      if isQuickTime, boxes.handlerReserved.count == 12 {
        $0.raw(boxes.handlerReserved)
      } else {
        $0.zeros(12)
      }
      if isQuickTime {
        $0.pascal(boxes.handlerName)
      } else {
        $0.raw(boxes.handlerName.utf8)
        $0.u8(0)
      }
    }
  }
}
