import CLilv
import FxAudio

/// A `patch:Set` message as bytes: an atom that sets one property of the plugin.
struct LV2PatchMessage: Sendable {
  /// The whole object, header included, a multiple of eight bytes long.
  let bytes: [UInt8]

  /// nil for a value that the property's type cannot hold.
  init?(_ property: LV2PropertyReader.Property, _ value: PluginSetup.Value) {
    guard let atom = LV2PatchMessage.atom(property, value) else { return nil }
    let map = URIDMap.shared
    var body: [UInt8] = []
    body.append(UInt32(0))  // The object's own id: none.
    body.append(map.map(LV2URI.patchSet))
    // Without a subject, the message is for the plugin itself.
    body.append(property: LV2URI.patchProperty, type: LV2URI.atomURID) {
      $0.append(map.map(property.key))
    }
    body.append(property: LV2URI.patchValue, type: atom.type) { $0 += atom.body }
    var bytes: [UInt8] = []
    bytes.append(UInt32(truncatingIfNeeded: body.count))
    bytes.append(map.map(LV2URI.atomObject))
    bytes += body
    self.bytes = bytes
  }

  /// Writes this event at the first frame of an empty sequence; false when it does not fit.
  func write(to port: LV2EventPort) -> Bool {
    guard port.isInput, case .sequence = port.layout, let event = port.room(8 + bytes.count) else {
      return false
    }
    event.storeBytes(of: 0, as: UInt64.self)
    (event + 8).copyMemory(from: bytes, byteCount: bytes.count)
    return true
  }

  private static func atom(_ property: LV2PropertyReader.Property, _ value: PluginSetup.Value)
    -> (type: String, body: [UInt8])?
  {
    var body: [UInt8] = []
    switch (property.declaration.kind, value) {
    case (.number, .number(let number)):
      let number = number * property.scale
      switch property.type {
      case LV2URI.atomFloat: body.append(Float(number).bitPattern)
      case LV2URI.atomDouble: body.append(number.bitPattern)
      case LV2URI.atomInt:
        guard let whole = Int32(exactly: number) else { return nil }
        body.append(UInt32(bitPattern: whole))
      default:
        guard let whole = Int64(exactly: number) else { return nil }
        body.append(UInt64(bitPattern: whole))
      }
    case (.flag, .flag(let flag)): body.append(UInt32(flag ? 1 : 0))
    case (.uri, .text(let uri)) where property.type == LV2URI.atomURID:
      body.append(URIDMap.shared.map(uri))
    case (.text, .text(let text)), (.uri, .text(let text)), (.file, .file(let text)):
      guard !text.utf8.contains(0) else { return nil }
      body += Array(text.utf8) + [0]
    default: return nil
    }
    return (property.type, body)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
  }

  /// A property of an object: key, context, an atom, and zeros up to the next multiple of eight.
  fileprivate mutating func append(
    property key: String, type: String, _ write: (inout [UInt8]) -> Void
  ) {
    var value: [UInt8] = []
    write(&value)
    append(URIDMap.shared.map(key))
    append(UInt32(0))
    append(UInt32(truncatingIfNeeded: value.count))
    append(URIDMap.shared.map(type))
    self += value
    while !count.isMultiple(of: 8) { append(UInt8(0)) }
  }
}
