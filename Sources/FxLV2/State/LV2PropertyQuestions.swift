import CLilv
import FxAudio

/// Asks a running plugin for its properties, and reads what it answers.
struct LV2PropertyQuestions: Sendable {
  let exchange: LV2PropertyExchange
  private let reader: LV2PropertyReader

  /// nil for a plugin without properties, or without a port that takes messages.
  init?(_ description: LV2Description, _ states: LV2StateStore) {
    guard !description.eventOutputPorts.isEmpty,
      let reader = states.properties(of: description.uri),
      !reader.properties.isEmpty, let port = reader.port,
      let place = description.ports.filter(\.hasEventBuffer).firstIndex(where: { $0.index == port })
    else { return nil }
    self.reader = reader
    exchange = LV2PropertyExchange(port: place)
  }

  /// The plugin's answer for a property; nil where it does not answer in time, or answers with an
  /// unknown type.
  func value(of uri: String, within seconds: Double) -> PluginSetup.Value? {
    guard let property = reader.properties.first(where: { $0.declaration.uri == uri }),
      let answer = exchange.ask(property.key, within: seconds)
    else { return nil }
    return Self.value(answer.type, answer.bytes, of: property)
  }

  private static func value(
    _ type: String, _ bytes: [UInt8], of property: LV2PropertyReader.Property
  ) -> PluginSetup.Value? {
    func load<Value: BitwiseCopyable>(_ type: Value.Type) -> Value? {
      guard bytes.count >= MemoryLayout<Value>.size else { return nil }
      return bytes.withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }
    func number(_ value: Double?) -> PluginSetup.Value? {
      value.map { .number($0 / property.scale) }
    }
    var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    switch type {
    case LV2URI.atomFloat: return number(load(Float.self).map(Double.init))
    case LV2URI.atomDouble: return number(load(Double.self))
    case LV2URI.atomInt: return number(load(Int32.self).map(Double.init))
    case LV2URI.atomLong: return number(load(Int64.self).map(Double.init))
    case LV2URI.atomBool: return load(Int32.self).map { .flag($0 != 0) }
    case LV2URI.atomString, LV2URI.atomURI: return .text(text)
    case LV2URI.atomPath: return .file(text)
    case LV2URI.atomURID:
      return load(LV2_URID.self).flatMap { URIDMap.shared.unmap($0) }.map {
        .text(String(cString: $0))
      }
    default: return nil
    }
  }
}
