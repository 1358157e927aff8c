import CLilv
import FxAudio
import Glibc

/// A state as lilv has read it: values of ports, and properties that the plugin restores.
///
/// Used by one thread at a time.
final class LV2SavedState {
  /// Owns lilv's nodes of the state.
  private let world: LilvWorld
  private let pointer: OpaquePointer
  /// The source of the state: a preset's URI or a file's path.
  let name: String
  let plugin: String
  let label: String?

  init?(in world: LilvWorld, subject: String) {
    var map = URIDMap.mapFeature
    guard let node = LilvNode(world.pointer, uri: subject),
      let pointer = lilv_state_new_from_world(world.pointer, &map, node.pointer)
    else { return nil }
    self.world = world
    self.pointer = pointer
    name = subject
    plugin = LilvNode.text(of: lilv_state_get_plugin_uri(pointer))
    label = lilv_state_get_label(pointer).map { String(cString: $0) }
  }

  /// Reads a Turtle file. Without a subject, the file itself is the subject.
  init?(in world: LilvWorld, file: String, subject: String?) {
    var map = URIDMap.mapFeature
    let pointer: OpaquePointer?
    if let subject {
      guard let node = LilvNode(world.pointer, uri: subject) else { return nil }
      pointer = lilv_state_new_from_file(world.pointer, &map, node.pointer, file)
    } else {
      pointer = lilv_state_new_from_file(world.pointer, &map, nil, file)
    }
    guard let pointer else { return nil }
    self.world = world
    self.pointer = pointer
    name = file
    plugin = LilvNode.text(of: lilv_state_get_plugin_uri(pointer))
    label = lilv_state_get_label(pointer).map { String(cString: $0) }
  }

  deinit { lilv_state_free(pointer) }

  var propertyCount: Int { Int(lilv_state_get_num_properties(pointer)) }

  /// The values of ports in the ports' units, sorted by symbol.
  var ports: [PluginState.Port] { values.ports.sorted { $0.symbol < $1.symbol } }

  /// The reason why the state cannot be restored completely; nil when it can.
  var problem: String? {
    if let symbol = values.unusable { return "the value of port '\(symbol)' is not a number" }
    return values.ports.isEmpty && propertyCount == 0 && label == nil
      ? "it contains no values" : nil
  }

  private lazy var values: PortList = {
    let list = PortList()
    lilv_state_emit_port_values(
      pointer,
      { symbol, list, value, size, type in
        guard let symbol, let list, let value else { return }
        Unmanaged<PortList>.fromOpaque(list).takeUnretainedValue()
          .add(String(cString: symbol), value, size: Int(size), type: type)
      }, Unmanaged.passUnretained(list).toOpaque())
    return list
  }()

  /// Restores the properties into an instance that nobody renders. Returns the plugin's status.
  func restore(
    to handle: LV2_Handle, of descriptor: UnsafePointer<LV2_Descriptor>,
    features: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>
  ) -> LV2_State_Status {
    guard propertyCount > 0 else { return LV2_STATE_SUCCESS }
    return fx_lv2_restore(pointer, descriptor, handle, features)
  }
}

/// Collects the values that lilv emits one after another.
private final class PortList {
  private(set) var ports: [PluginState.Port] = []
  /// The first port whose value is not a number.
  private(set) var unusable: String?

  func add(_ symbol: String, _ value: UnsafeRawPointer, size: Int, type: LV2_URID) {
    let number: Double? =
      switch (URIDMap.shared.unmap(type).map { String(cString: $0) }, size) {
      case (LV2URI.atomFloat, 4): Double(value.loadUnaligned(as: Float.self))
      case (LV2URI.atomDouble, 8): value.loadUnaligned(as: Double.self)
      case (LV2URI.atomInt, 4), (LV2URI.atomBool, 4): Double(value.loadUnaligned(as: Int32.self))
      case (LV2URI.atomLong, 8): Double(value.loadUnaligned(as: Int64.self))
      default: nil
      }
    guard let number, number.isFinite else {
      unusable = unusable ?? symbol
      return
    }
    ports.append(PluginState.Port(symbol: symbol, value: number))
  }
}
