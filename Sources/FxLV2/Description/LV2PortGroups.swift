/// Splits the audio ports of a plugin into buses by its port groups.
///
/// Where a plugin declares its main group (`pg:mainInput`, `pg:mainOutput`), that group and the
/// ports without a group form the main bus. Every other group is a separate bus with the group's
/// symbol as its name. Without a declared main group, all ports form one bus: most such plugins
/// declare a single group, and for the others the main group is unknown.
enum LV2PortGroups {
  struct Membership {
    let uri: String
    let symbol: String
  }

  /// `groups` by port; `main` holds the URIs of the main groups.
  static func marked(_ ports: [LV2Port], groups: [Membership?], main: Set<String>) -> [LV2Port] {
    var ports = ports
    for isInput in [true, false] {
      let indices = ports.indices.filter {
        ports[$0].kind == .audio && ports[$0].isInput == isInput && !ports[$0].isSideChain
      }
      guard
        indices.contains(where: { index in groups[index].map { main.contains($0.uri) } == true })
      else { continue }
      var names: [String: String] = [:]
      var taken: Set<String> = ["in", "out", "sidechain"]
      taken.formUnion(ports.map(\.symbol))
      for index in indices {
        guard let group = groups[index], !main.contains(group.uri) else { continue }
        if names[group.uri] == nil {
          var name = group.symbol
          var number = 1
          while !taken.insert(name).inserted {
            number += 1
            name = "\(group.symbol)_\(number)"
          }
          names[group.uri] = name
        }
        ports[index].bus = names[group.uri]
      }
    }
    return ports
  }
}
