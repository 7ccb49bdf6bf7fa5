import JSON

/// The command table as JSON, in the format read by tools for swift-argument-parser.
package enum HelpDump {
  package static func json(_ root: CommandSpec) -> JSONValue {
    .object(["serializationVersion": .integer(0), "command": command(root, parents: [])])
  }

  private static func command(_ spec: CommandSpec, parents: [String]) -> JSONValue {
    .object([
      "superCommands": .array(parents.map(JSONValue.string)),
      "commandName": .string(spec.name),
      "abstract": .string(spec.abstract),
      "discussion": .string(spec.discussion.joined(separator: "\n\n")),
      "shouldDisplay": .bool(true),
      "arguments": .array(spec.options.map(option) + spec.arguments.map(argument)),
      "subcommands": .array(spec.subcommands.map { command($0, parents: parents + [spec.name]) }),
    ])
  }

  private static func option(_ option: OptionSpec) -> JSONValue {
    let short = option.short.map { [name("short", String($0))] } ?? []
    var members: [JSONValue.Member] = JSONValue.members([
      "kind": .string(option.valueKind == nil ? "flag" : "option"),
      "shouldDisplay": .bool(!option.isHidden),
      "isOptional": .bool(true),
      "isRepeating": .bool(option.arity == .counted),
      "names": .array(short + option.longNames.map { name("long", $0) }),
      "preferredName": name("long", option.long),
      "valueName": .string(option.valueName ?? option.long),
      "abstract": .string(option.help),
    ])
    if let standard = option.standard {
      members += JSONValue.members(["defaultValue": .string(standard)])
    }
    if case .choices(let choices)? = option.valueKind {
      members += JSONValue.members(["allValues": .array(choices.map(JSONValue.string))])
    }
    return .object(members)
  }

  private static func argument(_ argument: ArgumentSpec) -> JSONValue {
    .object([
      "kind": .string("positional"),
      "shouldDisplay": .bool(true),
      "isOptional": .bool(argument.isOptional),
      "isRepeating": .bool(argument.isRepeated),
      "valueName": .string(argument.name),
      "abstract": .string(argument.help),
    ])
  }

  private static func name(_ kind: String, _ name: String) -> JSONValue {
    .object(["kind": .string(kind), "name": .string(name)])
  }
}
