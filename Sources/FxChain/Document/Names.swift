/// The spelling of names in chains.
package enum Names {
  /// A letter, then letters, digits, `-` and `_`.
  package static func isID(_ name: some StringProtocol) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy {
      isLetter($0) || $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: "_")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// An id, or ids joined by `/` for a path into included chains.
  static func isPath(_ name: some StringProtocol) -> Bool {
    name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { isID($0) }
  }

  /// An id made from the name of a file or a plugin.
  package static func id(from text: String, otherwise: String) -> String {
    var id = ""
    for scalar in text.unicodeScalars {
      let letter = String(scalar)
      if isID("a" + letter) { id += letter } else if !id.isEmpty, id.last != "-" { id += "-" }
    }
    while id.last == "-" { id.removeLast() }
    if id.isEmpty { return otherwise }
    return isID(id) ? id : "\(otherwise)-\(id)"
  }

  /// The id of a plugin's node that has none: the end of the URI.
  package static func id(ofPlugin uri: String) -> String {
    id(from: String(uri.split(separator: "/").last ?? ""), otherwise: "plugin")
  }

  /// An id made from the name of a file without its extensions.
  package static func id(ofFile path: String, otherwise: String) -> String {
    id(
      from: String((path.split(separator: "/").last ?? "").prefix { $0 != "." }),
      otherwise: otherwise)
  }
}
