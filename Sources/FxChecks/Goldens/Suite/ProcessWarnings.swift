/// What a process of fxrun has printed to standard error.
package enum ProcessWarnings {
  private static let start = "warning: "

  /// The warnings, each once.
  package static func found(in text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix(start) }
      .map { String($0.dropFirst(start.count)) }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// `'fx' (urn:a)` of `'fx' (urn:a) crashed: …`.
  static func subject(ofCrash message: String) -> String? {
    guard message.hasPrefix("'"),
      let end = message.indices.first(where: { message[$0...].hasPrefix(" crashed") })
    else { return nil }
    return String(message[..<end])
  }
}
