import CLilv
import FxAudio

/// The musical time as a plugin receives it: an atom:Object of type time:Position.
struct LV2TimePosition {
  /// Bytes of the whole event in a sequence: its time, the object's header, nine properties.
  static let eventSize = 16 + 8 + 9 * 24

  /// A frame that gets a position.
  struct Place: BitwiseCopyable {
    /// Within the run.
    let offset: Int
    /// 0 or later.
    let frame: Int
    let time: MusicalStretch

    static let none = Place(offset: 0, frame: 0, time: MusicalTime().stretch(at: 0))

    // MARK: - Realtime

    @_noLocks
    init(offset: Int, frame: Int, time: MusicalStretch) {
      self.offset = offset
      self.frame = frame
      self.time = time
    }
  }

  /// The event that is copied into sequences; values that depend on the frame are filled in before.
  private let template: UnsafeMutableRawPointer

  /// `template` has `eventSize` bytes and belongs to the caller.
  init(sampleRate: Double, template: UnsafeMutableRawPointer) {
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
  }

  // MARK: - Realtime

  /// The largest number of positions in a run. Of further changes, the last one is sent with the
  /// next run.
  static var maximumCount: Int {
    @_noLocks get { 4 }
  }

  @_noLocks
  private func value(_ property: Int) -> UnsafeMutableRawPointer {
    template + 24 + property * 24 + 16
  }

  /// Appends a position to a sequence.
  @_noLocks
  func append(to port: LV2EventPort, _ position: Place) {
    guard let event = port.room(LV2TimePosition.eventSize) else { return }
    let (span, frame) = (position.time.span, position.frame)
    let beat = position.time.beat(at: frame)
    let place = span.place(ofBeat: beat)
    template.storeBytes(of: Int64(position.offset), as: Int64.self)
    value(0).storeBytes(of: Int64(frame), as: Int64.self)
    value(2).storeBytes(of: span.isRolling ? 1 : 0, as: Float.self)
    value(3).storeBytes(of: Int64(place.bar), as: Int64.self)
    value(4).storeBytes(of: Float(place.beat), as: Float.self)
    value(5).storeBytes(of: beat, as: Double.self)
    value(6).storeBytes(of: Int32(truncatingIfNeeded: span.metre.beatUnit), as: Int32.self)
    value(7).storeBytes(of: Float(span.metre.beatsPerBar), as: Float.self)
    value(8).storeBytes(of: Float(position.time.tempo(at: frame)), as: Float.self)
    for index in 0..<LV2TimePosition.eventSize / 8 {
      let word = (template + index * 8).load(as: UInt64.self)
      (event + index * 8).storeBytes(of: word, as: UInt64.self)
    }
  }
}
