extension EndpointSpec {
  /// True for a text that starts like a web address.
  package static func isAddress(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start == "https://"
  }
}
