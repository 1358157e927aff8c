import CLilv
import CRealtime
import Glibc
import Synchronization

/// Asks a running plugin for one property at a time: sends `patch:Get` to its message port, and
/// receives the `patch:Set` that it answers with.
///
/// The asking thread writes the property and waits. The render thread sends the request in the next
/// run and checks the plugin's output until the answer arrives.
struct LV2PropertyExchange: @unchecked Sendable {
  // Sendable: the stage says which thread may use the rest.
  private enum Stage {
    static let idle: UInt32 = 0
    static let asked: UInt32 = 1
    static let sent: UInt32 = 2
    static let answering: UInt32 = 3
    static let answered: UInt32 = 4
  }

  private struct State {
    var property: LV2_URID = 0
    var type: LV2_URID = 0
    var size = 0
  }

  /// The plugin's answer: an atom.
  struct Answer {
    let type: String
    let bytes: [UInt8]
  }

  /// The index of the message port among the voice's event ports.
  private let port: Int
  private let stage: UnsafeMutablePointer<Atomic<UInt32>>
  private let state: UnsafeMutablePointer<State>
  private let value: UnsafeMutableRawPointer
  private let object: LV2_URID
  private let get: LV2_URID
  private let set: LV2_URID
  private let propertyKey: LV2_URID
  private let valueKey: LV2_URID
  private let urid: LV2_URID

  /// `port` is the index of the message port among the voice's event ports.
  init(port: Int) {
    self.port = port
    stage = .allocate(capacity: 1)
    stage.initialize(to: Atomic(Stage.idle))
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    value = .allocate(byteCount: Self.capacity, alignment: 8)
    let map = URIDMap.shared
    object = map.map(LV2URI.atomObject)
    get = map.map(LV2URI.patchGet)
    set = map.map(LV2URI.patchSet)
    propertyKey = map.map(LV2URI.patchProperty)
    valueKey = map.map(LV2URI.patchValue)
    urid = map.map(LV2URI.atomURID)
  }

  func destroy() {
    stage.deinitialize(count: 1)
    stage.deallocate()
    state.deallocate()
    value.deallocate()
  }

  /// Asks for a property and waits at most `seconds`; nil without an answer. One thread at a time.
  func ask(_ property: String, within seconds: Double) -> Answer? {
    state.pointee.property = URIDMap.shared.map(property)
    stage.pointee.store(Stage.asked, ordering: .releasing)
    let deadline = fx_monotonic_seconds() + seconds
    while stage.pointee.load(ordering: .acquiring) != Stage.answered {
      guard fx_monotonic_seconds() > deadline else {
        usleep(1000)
        continue
      }
      if take(from: Stage.asked) || take(from: Stage.sent) { return nil }
    }
    defer { stage.pointee.store(Stage.idle, ordering: .releasing) }
    guard let type = URIDMap.shared.unmap(state.pointee.type).map({ String(cString: $0) }) else {
      return nil
    }
    let bytes = UnsafeRawBufferPointer(start: value, count: state.pointee.size)
    return Answer(type: type, bytes: Array(bytes))
  }

  private func take(from old: UInt32) -> Bool {
    stage.pointee.compareExchange(
      expected: old, desired: Stage.idle, ordering: .acquiringAndReleasing
    ).exchanged
  }

  // MARK: - Realtime

  /// The largest value, in bytes.
  private static var capacity: Int {
    @_noLocks get { 8192 }
  }

  /// Sends a waiting request as the first event of the next run; the port is already cleared.
  @_noLocks
  func ask(in ports: UnsafeMutableBufferPointer<LV2EventPort>) {
    guard stage.pointee.load(ordering: .acquiring) == Stage.asked, port < ports.count else {
      return
    }
    let (before, _) = stage.pointee.compareExchange(
      expected: Stage.asked, desired: Stage.sent, ordering: .acquiringAndReleasing)
    guard before, let event = ports[port].room(48) else { return }
    event.storeBytes(of: 0, as: Int64.self)
    // The object: its header, and one property that is a number.
    (event + 8).storeBytes(of: 32, as: UInt32.self)
    (event + 12).storeBytes(of: object, as: UInt32.self)
    (event + 16).storeBytes(of: 0, as: UInt32.self)
    (event + 20).storeBytes(of: get, as: UInt32.self)
    (event + 24).storeBytes(of: propertyKey, as: UInt32.self)
    (event + 28).storeBytes(of: 0, as: UInt32.self)
    (event + 32).storeBytes(of: 4, as: UInt32.self)
    (event + 36).storeBytes(of: urid, as: UInt32.self)
    (event + 40).storeBytes(of: UInt64(state.pointee.property), as: UInt64.self)
  }

  /// Searches the output of a run for the answer.
  @_noLocks
  func look(in ports: UnsafeMutableBufferPointer<LV2EventPort>) {
    guard stage.pointee.load(ordering: .acquiring) == Stage.sent else { return }
    for index in 0..<ports.count {
      let port = ports[index]
      guard !port.isInput, case .sequence = port.layout else { continue }
      look(in: port)
    }
  }

  @_noLocks
  private func look(in port: LV2EventPort) {
    let size = Int(port.buffer.load(as: UInt32.self)) + 8
    guard size >= 16, size <= port.capacity, (port.buffer + 4).load(as: UInt32.self) != port.type
    else { return }
    var place = 16
    while place + 16 <= size {
      let length = Int((port.buffer + place + 8).load(as: UInt32.self))
      guard place + 16 + length <= size else { return }
      if (port.buffer + place + 12).load(as: UInt32.self) == object, length >= 8 {
        read(UnsafeRawPointer(port.buffer + place + 16), length)
      }
      place += 16 + (length + 7) & ~7
    }
  }

  /// Reads the value from a `patch:Set` of the property.
  @_noLocks
  private func read(_ body: UnsafeRawPointer, _ length: Int) {
    guard (body + 4).load(as: UInt32.self) == set else { return }
    var isMeant = false
    var found = -1
    var place = 8
    while place + 16 <= length {
      let key = (body + place).load(as: UInt32.self)
      let size = Int((body + place + 8).load(as: UInt32.self))
      guard place + 16 + size <= length else { return }
      if key == propertyKey, size == 4 {
        isMeant = (body + place + 16).load(as: UInt32.self) == state.pointee.property
      }
      if key == valueKey { found = place }
      place += 16 + (size + 7) & ~7
    }
    guard isMeant, found >= 0 else { return }
    let size = Int((body + found + 8).load(as: UInt32.self))
    guard size <= LV2PropertyExchange.capacity else { return }
    let (isOurs, _) = stage.pointee.compareExchange(
      expected: Stage.sent, desired: Stage.answering, ordering: .acquiringAndReleasing)
    guard isOurs else { return }
    state.pointee.type = (body + found + 12).load(as: UInt32.self)
    state.pointee.size = size
    for index in 0..<size {
      value.storeBytes(
        of: (body + found + 16 + index).load(as: UInt8.self), toByteOffset: index, as: UInt8.self)
    }
    stage.pointee.store(Stage.answered, ordering: .releasing)
  }
}
