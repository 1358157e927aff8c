extension JSONDocument {
  /// Reads a text. Returns nil if it is not JSON; the first mistake is then the last message.
  package static func read(_ source: SourceText, into diagnostics: inout Diagnostics)
    -> JSONDocument?
  {
    guard source.bytes.count <= JSONParser.byteLimit else {
      diagnostics.add(
        Diagnostic(.tooLarge, "the file is larger than 1 GiB", origin: source.path))
      return nil
    }
    let (parsed, mistake) = source.bytes.withUnsafeBufferPointer {
      bytes -> (JSONParser, JSONSyntaxError?) in
      var parser = JSONParser(bytes)
      do throws(JSONSyntaxError) {
        try parser.parse()
        return (parser, nil)
      } catch {
        return (parser, error)
      }
    }
    if let mistake {
      // A document with a single node gives the message a place.
      let range = mistake.range.clamped(to: 0..<source.bytes.count)
      let whole = JSONDocument(
        source: source,
        nodes: [
          Node(
            kind: .null, start: Int32(range.lowerBound), end: Int32(range.upperBound), next: 1,
            parent: -1)
        ])
      let isPointer = GitLFSPointer.matches(source.bytes)
      diagnostics.add(
        Diagnostic(
          mistake.code, isPointer ? GitLFSPointer.message : mistake.message, at: Place(whole.root),
          hints: isPointer ? [GitLFSPointer.hint] : mistake.hints))
      return nil
    }
    let document = JSONDocument(source: source, nodes: parsed.nodes)
    for (second, first) in parsed.duplicates {
      let key = JSONValue(document: document, index: second)
      let line = source.position(of: JSONValue(document: document, index: first).extent.lowerBound)
      diagnostics.add(
        Diagnostic(
          .duplicateKey, "the key '\(key.string ?? "")' is written twice in this object",
          at: key.place,
          hints: ["it is already on line \(line.line)"]))
    }
    return document
  }
}
