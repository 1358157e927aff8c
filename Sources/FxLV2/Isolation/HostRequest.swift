import FxAudio

/// Describes the plugin that a process must run.
struct HostRequest: Sendable {
  var uri: String
  /// Folders, separated by colons.
  var searchPath: String
  /// Complete except for live MIDI and the board for readings, of which each side has its own.
  var preparation: Preparation

  var bytes: [UInt8] {
    var writer = ByteEncoder()
    writer.put(uri)
    writer.put(searchPath)
    preparation.write(to: &writer)
    return writer.bytes
  }

  init(uri: String, searchPath: String, preparation: Preparation) {
    self.uri = uri
    self.searchPath = searchPath
    self.preparation = preparation
  }

  /// nil when the bytes are not a request.
  init?(_ bytes: [UInt8]) {
    let read = bytes.withUnsafeBytes { bytes -> HostRequest? in
      var reader = ByteDecoder(bytes)
      let request = HostRequest(
        uri: reader.text(), searchPath: reader.text(), preparation: Preparation(from: &reader))
      return reader.isSound ? request : nil
    }
    guard let read else { return nil }
    self = read
  }
}

extension Preparation {
  fileprivate func write(to writer: inout ByteEncoder) {
    writer.put(unit)
    writer.put(revision)
    writer.put(Int(layout.mask))
    writer.put(node)
    writer.put(sampleRate)
    writer.put(maximumFrameCount)
    writer.put(nominalFrameCount)
    writer.put(inputWidths) { $0.put($1) }
    writer.put(outputWidths) { $0.put($1) }
    writer.put(controlReadings) { $0.put($1) }
    writer.put(eventInputs.sorted()) { $0.put($1) }
    writer.put(eventOutputs.sorted()) { $0.put($1) }
    writer.put(options.sorted { $0.key < $1.key }) { writer, entry in
      writer.put(entry.key)
      writer.put(entry.value)
    }
    writer.put(items) { writer, item in
      writer.put(item.id != nil)
      writer.put(item.id ?? "")
      writer.put(item.options.sorted { $0.key < $1.key }) { writer, entry in
        writer.put(entry.key)
        writer.put(entry.value)
      }
    }
    writer.put(parameters) { $0.put($1) }
    writer.put(isLive)
    writer.put(Int(bitPattern: UInt(seed)))
    writer.put(setup)
    writer.put(events) { writer, event in
      writer.put(event.frame)
      writer.put(
        Int(event.bytes.0) | Int(event.bytes.1) << 8 | Int(event.bytes.2) << 16
          | Int(event.size) << 24)
    }
    writer.put(hasFixedBlocks)
    writer.put(roundTrip)
    writer.put(waitedRoundTrip)
    writer.put(playedLatency)
    writer.put(playbackFrames)
    writer.put(tempo ?? .nan)
  }

  fileprivate init(from reader: inout ByteDecoder) {
    let unit = reader.text()
    let revision = reader.int()
    let mask = UInt32(truncatingIfNeeded: reader.int())
    let node = reader.text()
    let sampleRate = reader.double()
    let maximumFrameCount = reader.int()
    let nominalFrameCount = reader.int()
    let inputWidths = reader.list { $0.int() }
    let outputWidths = reader.list { $0.int() }
    let controlReadings = reader.list { $0.int() }
    let eventInputs = reader.list { $0.int() }
    let eventOutputs = reader.list { $0.int() }
    let options = reader.options()
    let items = reader.list { reader -> ListItem in
      let hasID = reader.flag()
      let id = reader.text()
      return ListItem(id: hasID ? id : nil, options: reader.options())
    }
    let parameters = reader.list { $0.double() }
    let isLive = reader.flag()
    let seed = UInt64(UInt(bitPattern: reader.int()))
    self.init(
      sampleRate: sampleRate, maximumFrameCount: maximumFrameCount,
      nominalFrameCount: nominalFrameCount, inputWidths: inputWidths,
      outputWidths: outputWidths, options: options, items: items, parameters: parameters,
      isLive: isLive, seed: seed)
    self.controlReadings = controlReadings
    self.eventInputs = Set(eventInputs)
    self.eventOutputs = Set(eventOutputs)
    self.unit = unit
    self.revision = revision
    layout =
      mask == 0
      ? .discrete(channelCount) : ChannelLayout(mask: mask, channelCount: channelCount)
    self.node = node
    setup = reader.setup()
    events = reader.list { reader in
      let frame = reader.int()
      let bits = UInt(bitPattern: reader.int())
      return MIDIEvent(
        frame: frame,
        bytes: (
          UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8),
          UInt8(truncatingIfNeeded: bits >> 16)
        ), size: UInt8(truncatingIfNeeded: bits >> 24))
    }
    hasFixedBlocks = reader.flag()
    roundTrip = reader.int()
    waitedRoundTrip = reader.int()
    playedLatency = reader.int()
    playbackFrames = reader.int()
    let tempo = reader.double()
    self.tempo = tempo.isNaN ? nil : tempo
  }
}

extension ByteEncoder {
  fileprivate mutating func put(_ value: OptionValue) {
    switch value {
    case .text(let text):
      put(0)
      put(text)
    case .number(let number):
      put(1)
      put(number)
    case .flag(let flag):
      put(2)
      put(flag)
    case .sound(let path):
      put(3)
      put(path)
    // Not used for plugins.
    case .texts, .model: put(-1)
    }
  }

  fileprivate mutating func put(_ setup: PluginSetup) {
    switch setup.state {
    case nil: put(0)
    case .preset(let uri)?:
      put(1)
      put(uri)
    case .folder(let path)?:
      put(2)
      put(path)
    }
    put(setup.properties) { writer, property in
      writer.put(property.uri)
      switch property.value {
      case .text(let text):
        writer.put(0)
        writer.put(text)
      case .number(let number):
        writer.put(1)
        writer.put(number)
      case .flag(let flag):
        writer.put(2)
        writer.put(flag)
      case .file(let path):
        writer.put(3)
        writer.put(path)
      }
    }
    put(setup.isIsolated)
    put(setup.setParameters.sorted()) { $0.put($1) }
  }
}

extension ByteDecoder {
  fileprivate mutating func options() -> [String: OptionValue] {
    let entries = list { reader -> (String, OptionValue) in
      let key = reader.text()
      switch reader.int() {
      case 0: return (key, .text(reader.text()))
      case 1: return (key, .number(reader.double()))
      case 2: return (key, .flag(reader.flag()))
      default: return (key, .sound(reader.text()))
      }
    }
    return Dictionary(entries) { first, _ in first }
  }

  fileprivate mutating func setup() -> PluginSetup {
    var setup = PluginSetup()
    switch int() {
    case 1: setup.state = .preset(text())
    case 2: setup.state = .folder(text())
    default: break
    }
    setup.properties = list { reader in
      let uri = reader.text()
      let value: PluginSetup.Value =
        switch reader.int() {
        case 0: .text(reader.text())
        case 1: .number(reader.double())
        case 2: .flag(reader.flag())
        default: .file(reader.text())
        }
      return PluginSetup.Property(uri: uri, value: value)
    }
    setup.isIsolated = flag()
    setup.setParameters = Set(list { $0.text() })
    return setup
  }
}
