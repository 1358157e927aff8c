import CLilv
import FxAudio

/// The musical time of a chain that names a tempo, as a plugin receives it: an atom:Object of type
/// time:Position in four-four time, running.
struct LV2TimePosition {
  /// Bytes of the whole event in a sequence: its time, the object's header, nine properties.
  static let eventSize = 16 + 8 + 9 * 24

  private let sampleRate: Double
  private let tempo: Double
  /// The event as it is copied into sequences, but for what depends on the frame.
  private let template: UnsafeMutableRawPointer

  /// `template` has `eventSize` bytes and belongs to the caller.
  init(sampleRate: Double, tempo: Double, template: UnsafeMutableRawPointer) {
    self.sampleRate = sampleRate
    self.tempo = tempo
    self.template = template
    template.initializeMemory(as: UInt8.self, repeating: 0, count: LV2TimePosition.eventSize)
    let map = URIDMap.shared
    (template + 8).storeBytes(of: UInt32(LV2TimePosition.eventSize - 16), as: UInt32.self)
    (template + 12).storeBytes(of: map.map(LV2URI.atomObject), as: UInt32.self)
    (template + 20).storeBytes(of: map.map(LV2URI.timePosition), as: UInt32.self)
    let long = map.map(LV2URI.atomLong)
    let float = map.map(LV2URI.atomFloat)
    let properties: [(name: String, size: UInt32, type: LV2_URID)] = [
      ("frame", 8, long), ("framesPerSecond", 4, float), ("speed", 4, float), ("bar", 8, long),
      ("barBeat", 4, float), ("beat", 8, map.map(LV2URI.atomDouble)),
      ("beatUnit", 4, map.map(LV2URI.atomInt)), ("beatsPerBar", 4, float),
      ("beatsPerMinute", 4, float),
    ]
    for (index, property) in properties.enumerated() {
      let place = template + 24 + index * 24
      place.storeBytes(of: map.map(LV2URI.time + property.name), as: UInt32.self)
      (place + 8).storeBytes(of: property.size, as: UInt32.self)
      (place + 12).storeBytes(of: property.type, as: UInt32.self)
    }
    value(1).storeBytes(of: Float(sampleRate), as: Float.self)
    value(2).storeBytes(of: 1, as: Float.self)
    value(6).storeBytes(of: 4, as: Int32.self)
    value(7).storeBytes(of: 4, as: Float.self)
    value(8).storeBytes(of: Float(tempo), as: Float.self)
  }

  // MARK: - Realtime

  @_noLocks
  private func value(_ property: Int) -> UnsafeMutableRawPointer {
    template + 24 + property * 24 + 16
  }

  /// Puts the position of an absolute frame, which is 0 or later, into a sequence.
  @_noLocks
  func append(to port: LV2EventPort, offset: Int, frame: Int) {
    guard let event = port.room(LV2TimePosition.eventSize) else { return }
    let beat = Double(frame) / sampleRate * tempo / 60
    let bar = beat < 1e15 ? Int(beat / 4) : 0
    template.storeBytes(of: Int64(offset), as: Int64.self)
    value(0).storeBytes(of: Int64(frame), as: Int64.self)
    value(3).storeBytes(of: Int64(bar), as: Int64.self)
    value(4).storeBytes(of: Float(beat - Double(bar) * 4), as: Float.self)
    value(5).storeBytes(of: beat, as: Double.self)
    for index in 0..<LV2TimePosition.eventSize / 8 {
      let word = (template + index * 8).load(as: UInt64.self)
      (event + index * 8).storeBytes(of: word, as: UInt64.self)
    }
  }
}
