import FxKit

/// Levels, readings and loads as messages.
enum OSCMeters {
  static func messages(_ snapshot: LiveSnapshot) -> [OSCMessage] {
    var messages: [OSCMessage] = []
    for stream in snapshot.sources + snapshot.sinks {
      let levels = stream.channels.map { OSCMessage.Argument.float(Float($0.peak)) }
      messages.append(OSCMessage("/fxrun/level" + OSCNamespace.address(stream.name), levels))
    }
    for node in snapshot.nodes {
      for reading in node.readings {
        let address = OSCNamespace.address("\(node.id).\(reading.id)")
        messages.append(OSCMessage(address, reading.values.map { .float(Float($0)) }))
      }
    }
    if let blocks = snapshot.blocks {
      messages.append(OSCMessage("/fxrun/load", [.float(Float(blocks.now))]))
    }
    return messages
  }
}
