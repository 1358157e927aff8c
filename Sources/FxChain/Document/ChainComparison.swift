/// Two chains on the same input, as one chain: both run, and a mixer makes one of them audible.
package enum ChainComparison {
  /// The node that mutes one of the chains.
  package static let node = "ab"
  private static let settings = [
    "sampleRate", "resampling", "blockSize", "tempo", "metre", "tail", "seed",
  ]

  /// The text of a chain that includes both. Its settings are those of the first chain.
  ///
  /// - Parameters:
  ///   - bytes: The first chain's text.
  ///   - paths: Both chains, relative to the new one.
  /// - Returns: nil if the first chain is not JSON.
  package static func text(
    settingsOf bytes: [UInt8], path: String, using paths: (a: String, b: String),
    variables: [String: String]
  ) -> String? {
    var found = Diagnostics()
    guard let json = JSONDocument.read(SourceText(path: path, bytes: bytes), into: &found) else {
      return nil
    }
    let version = json.root.members.first { $0.key.string == "version" }?.value.number
    var lines = ["  \"version\": \(shortNumber(version ?? Double(ChainFormat.version))),"]
    for (key, value) in json.root.members {
      guard let key = key.string, settings.contains(key) else { continue }
      lines.append("  \(quoted(key)): \(value.spelling),")
    }
    let given = JSONOutput.object(
      variables.sorted { $0.key < $1.key }.map { JSONOutput.Member($0.key, .string($0.value)) }
    ).text(indented: false)
    func use(_ path: String) -> String {
      "{ \"use\": \(quoted(path))" + (variables.isEmpty ? "" : ", \"variables\": \(given)") + " }"
    }
    lines += [
      "  \"nodes\": {",
      "    \"in\": { \"source\": \"main\" },",
      "    \"a\": \(use(paths.a)),",
      "    \"b\": \(use(paths.b)),",
      "    \"\(node)\": { \"unit\": \"mixer\", \"strips\": "
        + "{ \"a\": {}, \"b\": { \"mute\": true } } },",
      "    \"out\": { \"sink\": \"main\" }",
      "  },",
      "  \"connections\": [\"in -> a -> \(node) -> out\", \"in -> b -> \(node)\"]",
    ]
    return "{\n" + lines.joined(separator: "\n") + "\n}\n"
  }

  private static func quoted(_ text: String) -> String {
    JSONOutput.string(text).text(indented: false)
  }
}
