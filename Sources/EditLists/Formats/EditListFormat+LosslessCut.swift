import ExactTime

extension EditListFormat {
  /// LosslessCut's segments as CSV: `start,end,name` in seconds, all of them kept.
  ///
  /// An empty start is the source's zero, an empty end the source's end.
  public static let losslessCutCSV = losslessCut(
    id: "csv", name: "CSV of LosslessCut", separator: UInt8(ascii: ","))

  /// LosslessCut's segments with tabs in place of commas.
  public static let losslessCutTSV = losslessCut(
    id: "tsv", name: "TSV of LosslessCut", separator: UInt8(ascii: "\t"))

  private static func losslessCut(id: String, name: String, separator: UInt8) -> EditListFormat {
    EditListFormat(
      id: id, name: name, extensions: [id],
      recognises: { text in
        guard let first = text.lines.first, let fields = try? first.quoted(separator),
          !first.isAudacity, !isEDL(text)
        else { return false }
        return (2...3).contains(fields.count)
          && fields[0...1].allSatisfy { field in
            let digits = field.hasPrefix("-") ? field.dropFirst() : field[...]
            return field.isEmpty || Rational(decimal: digits) != nil
          }
      },
      reads: { text, context throws(ListError) in
        var list = EditList()
        for line in text.lines {
          let fields = try line.quoted(separator)
          guard fields.count == 2 || fields.count == 3 else {
            throw line.failure("it has \(fields.count) fields instead of start, end and name")
          }
          let start = fields[0].isEmpty ? .zero : try line.seconds(fields[0][...], "start")
          guard let end = fields[1].isEmpty ? context.end : try line.seconds(fields[1][...], "end")
          else {
            throw line.failure("it has no end, and the source's end is not known")
          }
          let name = fields.count == 3 && !fields[2].isEmpty ? fields[2] : nil
          list.parts.append(EditList.Part(try line.range(from: start, to: end), name: name))
        }
        return list
      },
      writes: { list throws(ListError) in
        try list.refuse("a list of LosslessCut", keepsMarkers: false, keeps: true, names: true)
        var seconds = DecimalSeconds()
        let comma = String(Unicode.Scalar(separator))
        var text = ""
        for part in list.parts {
          let name = part.name ?? ""
          let isPlain = name.utf8.allSatisfy { $0 != separator && $0 != UInt8(ascii: "\"") }
          let quoted = name.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"")
          let fields = [
            seconds(part.range.start), seconds(part.range.end), isPlain ? name : "\"\(quoted)\"",
          ]
          text += fields.joined(separator: comma) + "\n"
        }
        return Written(text: text, rounded: seconds.rounded, leftOut: list.leftOut)
      })
  }
}

extension ListText.Line {
  /// The fields of a line of separated values, some perhaps in double quotes (RFC 4180, section 2).
  ///
  /// - Throws: ``ListError`` for a quote that is not closed, also where its field would go on in the
  ///   next line, and for text beside one.
  func quoted(_ separator: UInt8) throws(ListError) -> [String] {
    var fields: [String] = []
    var field: [UInt8] = []
    var rest = text.utf8[...]
    let quote = UInt8(ascii: "\"")
    while true {
      if rest.first == quote {
        rest = rest.dropFirst()
        while true {
          guard let byte = rest.popFirst() else {
            throw failure("a quoted field does not end in this line")
          }
          if byte != quote {
            field.append(byte)
          } else if rest.first == quote {
            rest = rest.dropFirst()
            field.append(quote)
          } else {
            break
          }
        }
        guard rest.isEmpty || rest.first == separator else {
          throw failure("text follows a quoted field")
        }
      } else {
        let end = rest.firstIndex(of: separator) ?? rest.endIndex
        field.append(contentsOf: rest[rest.startIndex..<end])
        rest = rest[end...]
      }
      fields.append(String(decoding: field, as: UTF8.self))
      field.removeAll(keepingCapacity: true)
      guard rest.popFirst() != nil else { return fields }
    }
  }
}
